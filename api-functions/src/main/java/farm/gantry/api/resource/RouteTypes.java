package farm.gantry.api.resource;

import farm.gantry.annotation.Resource;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.query.InMemory;
import farm.gantry.api.query.SearchResponse;
import io.micronaut.core.reflect.ReflectionUtils;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Get;
import io.micronaut.inject.ExecutableMethod;
import io.micronaut.json.tree.JsonNode;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the types of a route's body and response in its declaration. */
public final class RouteTypes {
    private RouteTypes() {}

    /** Returns the type of the response's body. */
    public static Argument<?> response(ExecutableMethod<?, ?> route) {
        Argument<?> type = route.getReturnType().asArgument();
        return HttpResponse.class.isAssignableFrom(type.getType())
                ? type.getFirstTypeVariable().<Argument<?>>map(each -> each).orElse(Argument.OBJECT_ARGUMENT)
                : type;
    }

    /** Whether the response is a list or a page. */
    public static boolean isList(Argument<?> response) {
        return List.class.isAssignableFrom(response.getType()) || response.getType() == SearchResponse.class;
    }

    /** Returns the record type of a list or page that can be queried. */
    public static @Nullable Class<?> listed(Argument<?> response) {
        Class<?> record = isList(response) ? response.getTypeParameters()[0].getType() : null;
        return record != null
                        && (record.isAnnotationPresent(Resource.class) || record.isAnnotationPresent(InMemory.class))
                ? record
                : null;
    }

    /** Whether the route reads its query parameters from the request. */
    public static boolean takesQuery(ExecutableMethod<?, ?> route) {
        return route.hasStereotype(Get.class)
                && Arrays.stream(route.getArgumentTypes()).anyMatch(HttpRequest.class::isAssignableFrom);
    }

    /** Returns the record whose fields the bodies of the route's controller may hold, too. */
    public static @Nullable Class<?> bodyWith(ExecutableMethod<?, ?> route) {
        return Arrays.stream(route.getDeclaringType().getDeclaredMethods())
                .flatMap(method -> Arrays.stream(method.getParameters()))
                .flatMap(parameter -> Arrays.stream(parameter.getAnnotationsByType(BodyType.class)))
                .<Class<?>>map(BodyType::with)
                .filter(with -> with != Void.class)
                .findFirst()
                .orElse(null);
    }

    /** Whether the route reads its body as JSON; others read signed bytes or a stream. */
    public static boolean readsJson(ExecutableMethod<?, ?> route) {
        return Arrays.asList(route.getArgumentTypes()).contains(JsonNode.class);
    }

    /** Returns the type that the body is read as, declared by the route or by a route that it overrides. */
    public static @Nullable BodyType body(ExecutableMethod<?, ?> route) {
        for (Class<?> type = route.getDeclaringType(); type != null; type = type.getSuperclass()) {
            Optional<BodyType> body =
                    ReflectionUtils.findMethod(type, route.getMethodName(), route.getArgumentTypes()).stream()
                            .flatMap(method -> Arrays.stream(method.getParameters()))
                            .flatMap(parameter -> Arrays.stream(parameter.getAnnotationsByType(BodyType.class)))
                            .findFirst();
            if (body.isPresent()) {
                return body.get();
            }
        }
        return null;
    }
}
