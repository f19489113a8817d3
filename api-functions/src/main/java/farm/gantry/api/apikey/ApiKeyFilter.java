package farm.gantry.api.apikey;

import farm.gantry.Permission;
import farm.gantry.api.http.RequestIds;
import farm.gantry.api.queue.StoreActivity;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.CallerBinder;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.web.router.MethodBasedRouteInfo;
import io.micronaut.web.router.RouteAttributes;
import java.util.List;
import java.util.Optional;

/** Checks the key of every request to a route that takes one. */
@ServerFilter("/**")
@Order(0)
final class ApiKeyFilter {
    private final Authentication authentication;
    private final RoutePermissions routes;
    private final Optional<StoreActivity> activity;
    private final RehearsalCaller rehearsal;

    ApiKeyFilter(
            Authentication authentication,
            RoutePermissions routes,
            Optional<StoreActivity> activity,
            RehearsalCaller rehearsal) {
        this.authentication = authentication;
        this.routes = routes;
        this.activity = activity;
        this.rehearsal = rehearsal;
    }

    private Caller authenticate(HttpRequest<?> request, List<Permission> needed) {
        Caller caller = authentication.authenticate(request, needed);
        activity.ifPresent(records -> records.touch(caller.unverifiedStore()));
        return caller;
    }

    @RequestFilter
    @ExecuteOn(TaskExecutors.BLOCKING)
    void check(HttpRequest<?> request) {
        if (RouteAttributes.getRouteInfo(request).orElse(null) instanceof MethodBasedRouteInfo<?, ?> route) {
            routes.requiredBy(route.getTargetMethod().getExecutableMethod()).ifPresent(needed -> {
                Caller caller = rehearsal.find(request).orElseGet(() -> authenticate(request, needed));
                CallerBinder.bind(request, caller);
                RequestIds.logStore(request, caller.unverifiedStore());
            });
        }
    }
}
