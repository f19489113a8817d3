package farm.gantry.api.resource;

import farm.gantry.annotation.Resource;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.json.BodyShape;
import farm.gantry.api.query.BulkPatch;
import farm.gantry.api.query.Columns;
import farm.gantry.api.query.ListQuery;
import io.micronaut.core.type.Argument;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.inject.ExecutableMethod;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The names that a route knows.
 *
 * @param parameters its query parameters; those of fields may be followed by a dot, a path and an operator
 * @param body the fields of its JSON body
 */
record RouteNames(Set<String> parameters, Optional<BodyShape> body) {
    static RouteNames of(String method, ExecutableMethod<?, ?> route) {
        return new RouteNames(parametersOf(route), bodyOf(method, route));
    }

    boolean isParameter(String name) {
        int dot = name.indexOf('.');
        return parameters.contains(name) || (dot > 0 && parameters.contains(name.substring(0, dot)));
    }

    private static Set<String> parametersOf(ExecutableMethod<?, ?> route) {
        Set<String> names = new TreeSet<>();
        for (Argument<?> argument : route.getArguments()) {
            if (argument.getAnnotationMetadata().hasAnnotation(QueryValue.class)) {
                names.add(argument.getAnnotationMetadata()
                        .stringValue(QueryValue.class)
                        .filter(name -> !name.isEmpty())
                        .orElse(argument.getName()));
            }
        }
        if (RouteTypes.takesQuery(route)) {
            Argument<?> response = RouteTypes.response(route);
            Class<?> listed = RouteTypes.listed(response);
            if (listed != null) {
                names.addAll(ListQuery.parameters(Columns.of(listed)));
            } else if (response.getType().isAnnotationPresent(Resource.class)) {
                names.addAll(ListQuery.parametersOfOne());
            }
        }
        return names;
    }

    private static Optional<BodyShape> bodyOf(String method, ExecutableMethod<?, ?> route) {
        BodyType type = RouteTypes.body(route);
        if (type == null || !RouteTypes.readsJson(route)) {
            return Optional.empty();
        }
        Argument<?> response = RouteTypes.response(route);
        Class<?> listed = RouteTypes.listed(response);
        boolean isChange = method.equals("PATCH");
        Class<?> with = type.with() == Void.class ? null : type.with();
        if (type.value() == BulkPatch.class && listed != null) {
            BodyShape update = new BodyShape(listed, true, RouteTypes.bodyWith(route), null);
            return Optional.of(
                    new BodyShape(BulkPatch.class, true, null, new BodyShape.Field(Resources.UPDATE, update)));
        }
        Class<?> record = type.value() == Void.class ? response.getType() : type.value();
        boolean isOfRecord = record.isAnnotationPresent(Resource.class);
        return Optional.of(new BodyShape(record, isChange && isOfRecord, with, null));
    }
}
