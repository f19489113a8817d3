package farm.gantry.api.sequence;

import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.sequence.Sequence;
import io.micronaut.http.annotation.Controller;

/** Serial numbers; builds draw them, people set where they go on. */
@Controller("/v1/sequences")
final class Sequences extends ResourceRoutes<Sequence> {
    Sequences(ResourceFactory factory) {
        super(factory.of(Sequence.class, "sequence"));
    }
}
