package farm.gantry.api.macro;

import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.macro.GcodeMacro;
import io.micronaut.http.annotation.Controller;

/** The routes of G-code macros. */
@Controller("/v1/macros")
final class GcodeMacros extends ResourceRoutes<GcodeMacro> {
    GcodeMacros(ResourceFactory factory) {
        super(factory.of(GcodeMacro.class, "macro"));
    }
}
