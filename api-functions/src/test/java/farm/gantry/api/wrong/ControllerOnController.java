package farm.gantry.api.wrong;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Controller;

@Requires(property = "never")
@Controller("/wrong/controller")
public final class ControllerOnController {
    private final RouteWithoutCaller other;

    ControllerOnController(RouteWithoutCaller other) {
        this.other = other;
    }

    String route() {
        return other.route();
    }
}
