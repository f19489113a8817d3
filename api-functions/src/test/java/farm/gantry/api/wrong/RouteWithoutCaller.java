package farm.gantry.api.wrong;

import farm.gantry.api.security.RequiresPermission;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;

@Requires(property = "never")
@Controller("/wrong/caller")
public final class RouteWithoutCaller {
    @Get
    @RequiresPermission({})
    String route() {
        return "";
    }
}
