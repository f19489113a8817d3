package farm.gantry.api.apikey;

import farm.gantry.Permission;
import farm.gantry.annotation.Resource;
import farm.gantry.api.resource.ReadRoutes;
import farm.gantry.api.security.RequiresAction;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.api.security.WithoutApiKey;
import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Context;
import io.micronaut.core.beans.BeanIntrospection;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.HttpMethodMapping;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.ExecutableMethod;
import io.micronaut.inject.qualifiers.Qualifiers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Required permissions of each route, collected at the start of the API, which fails if a route declares none. */
@Context
public final class RoutePermissions {
    /** Empty for open routes. */
    private final Map<ExecutableMethod<?, ?>, Optional<List<Permission>>> required = new HashMap<>();

    RoutePermissions(BeanContext context) {
        for (BeanDefinition<?> controller : context.getBeanDefinitions(Qualifiers.byStereotype(Controller.class))) {
            controller.getExecutableMethods().stream()
                    .filter(method -> method.hasStereotype(HttpMethodMapping.class))
                    .forEach(route -> required.put(
                            route,
                            route.hasAnnotation(WithoutApiKey.class)
                                    ? Optional.empty()
                                    : Optional.of(declaredBy(controller, route))));
        }
    }

    private static List<Permission> declaredBy(BeanDefinition<?> controller, ExecutableMethod<?, ?> route) {
        if (route.hasAnnotation(RequiresPermission.class)) {
            return List.of(route.enumValues(RequiresPermission.class, Permission.class));
        }
        Permission.Action action = route.enumValue(RequiresAction.class, Permission.Action.class)
                .orElseThrow(() -> new IllegalStateException(
                        controller.getBeanType().getName() + "." + route.getMethodName() + " declares no permission"));
        BeanIntrospection<?> record = BeanIntrospection.getIntrospection(
                controller.getTypeArguments(ReadRoutes.class).getFirst().getType());
        Permission view =
                record.enumValue(Resource.class, "view", Permission.class).orElseThrow();
        Permission[] change = record.enumValues(Resource.class, "change", Permission.class);
        return List.of(action == Permission.Action.VIEW || change.length == 0 ? view.withAction(action) : change[0]);
    }

    /**
     * Returns the required permissions, empty for open routes; throws for an unknown route, so that none is open by
     * mistake.
     */
    public Optional<List<Permission>> requiredBy(ExecutableMethod<?, ?> route) {
        return Objects.requireNonNull(required.get(route), route::getMethodName);
    }
}
