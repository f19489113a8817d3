package farm.gantry.api.wrong;

import farm.gantry.api.security.Caller;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;

@Requires(property = "never")
@Controller("/wrong/permission")
public final class RouteWithoutPermission {
    @Get
    String route(Caller caller) {
        return caller.keyId();
    }
}
