package farm.gantry.api.description;

import static farm.gantry.api.description.Trees.object;

import farm.gantry.Permission;
import farm.gantry.annotation.Resource;
import farm.gantry.api.apikey.RoutePermissions;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.http.ConditionalReads;
import farm.gantry.api.http.IfMatch;
import farm.gantry.api.query.BulkPatch;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.resource.RouteTypes;
import farm.gantry.api.security.WithoutApiKey;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.annotation.Status;
import io.micronaut.http.server.types.files.StreamedFile;
import io.micronaut.inject.ExecutableMethod;
import io.micronaut.web.router.UriRouteInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** Describes each route's parameters, bodies, responses and errors from its declaration. */
final class Operations {
    private static final String JSON = MediaType.APPLICATION_JSON;
    private static final List<String> METHODS = List.of("GET", "PUT", "POST", "PATCH", "DELETE");

    private final Schemas schemas;
    private final Javadocs docs;
    private final Map<String, Map<String, UriRouteInfo<?, ?>>> routes = new TreeMap<>();
    private final Map<String, @Nullable String> tags = new TreeMap<>();

    /** Describes the routes whose path begins with a version. */
    Operations(List<UriRouteInfo<?, ?>> all, Schemas schemas, Javadocs docs) {
        this.schemas = schemas;
        this.docs = docs;
        for (UriRouteInfo<?, ?> route : all) {
            String path = route.getUriMatchTemplate().toPathString();
            if (path.matches("/v\\d+/.*") && METHODS.contains(route.getHttpMethodName())) {
                routes.computeIfAbsent(path, _ -> new TreeMap<>()).put(route.getHttpMethodName(), route);
            }
        }
    }

    /** Returns the descriptions of the tags, once the paths are described. */
    Map<String, @Nullable String> tags() {
        return tags;
    }

    Map<String, @Nullable Object> paths() {
        Map<String, @Nullable Object> paths = object();
        routes.forEach((path, methods) -> {
            Map<String, @Nullable Object> item = object();
            for (String method : METHODS) {
                UriRouteInfo<?, ?> route = methods.get(method);
                if (route != null) {
                    item.put(method.toLowerCase(Locale.ROOT), operation(method, path, route));
                }
            }
            paths.put(path.replace("{+", "{").replace(":.*}", "}"), item);
        });
        return paths;
    }

    private Map<String, @Nullable Object> operation(String method, String path, UriRouteInfo<?, ?> route) {
        ExecutableMethod<?, ?> java = route.getTargetMethod().getExecutableMethod();
        Argument<?> answer = RouteTypes.response(java);
        boolean alone = !routes.getOrDefault(path, Map.of()).containsKey("GET");
        Names names = Names.of(method, path, alone, method.equals("GET") && RouteTypes.isList(answer));
        Javadocs.Comment comment = docs.of(java.getTargetMethod());
        describe(names.tag(), path, java, answer);

        Map<String, @Nullable Object> operation = object();
        operation.put("operationId", names.operationId());
        operation.put("tags", List.of(names.tag()));
        OperationTexts texts = OperationTexts.of(names, comment, isGeneral(names, answer), guard(java));
        operation.put("summary", texts.summary());
        operation.put("description", texts.description());
        if (java.getTargetMethod().isAnnotationPresent(Deprecated.class)) {
            operation.put("deprecated", true);
        }
        if (java.hasAnnotation(WithoutApiKey.class)) {
            operation.put("security", takesToken(java) ? List.of(object("agentToken", List.of())) : List.of());
        }
        if (takesKey(java)) {
            operation.put("x-permission", permissions(java));
        }
        List<Map<String, @Nullable Object>> parameters = parameters(path, java, answer);
        if (!parameters.isEmpty()) {
            operation.put("parameters", parameters);
        }
        Optional<Argument<?>> body = Arrays.<Argument<?>>stream(java.getArguments())
                .filter(each -> each.getAnnotationMetadata().hasAnnotation(Body.class))
                .findFirst();
        body.ifPresent(read -> operation.put("requestBody", body(method, java, answer, !read.isNullable())));
        operation.put("responses", responses(method, path, java, answer, body.isPresent()));
        return operation;
    }

    /** Describes a tag by the record of its lists, or else by the Javadoc of its controller. */
    private void describe(String tag, String path, ExecutableMethod<?, ?> java, Argument<?> answer) {
        Class<?> listed = RouteTypes.listed(answer);
        Javadocs.Comment comment = listed != null
                        && listed.isAnnotationPresent(Resource.class)
                        && path.chars().filter(each -> each == '/').count() == 2
                ? docs.of(listed)
                : tags.containsKey(tag) ? null : docs.of(java.getDeclaringType());
        if (comment != null) {
            tags.put(tag, comment.whole());
        } else {
            tags.putIfAbsent(tag, null);
        }
    }

    /** Returns whether the route works as that of every resource. */
    private static boolean isGeneral(Names names, Argument<?> answer) {
        return names.verb().equals("delete")
                || (!names.verb().isEmpty()
                        && (RouteTypes.listed(answer) != null
                                || answer.getType().isAnnotationPresent(Resource.class)));
    }

    private static String guard(ExecutableMethod<?, ?> java) {
        if (java.hasAnnotation(WithoutApiKey.class)) {
            return "Takes no API key; it is guarded by: "
                    + java.stringValue(WithoutApiKey.class).orElseThrow() + ".";
        }
        List<String> permissions = permissions(java);
        return permissions.isEmpty()
                ? "Any valid API key will do, unless what it touches needs a permission."
                : permissions.stream()
                        .map(each -> "`" + each + "`")
                        .collect(Collectors.joining(" and ", "Needs ", "."));
    }

    private static List<String> permissions(ExecutableMethod<?, ?> java) {
        return SharedApi.bean(RoutePermissions.class).requiredBy(java).orElseThrow().stream()
                .map(Permission::wireName)
                .toList();
    }

    private static boolean takesKey(ExecutableMethod<?, ?> java) {
        return SharedApi.bean(RoutePermissions.class).requiredBy(java).isPresent();
    }

    private List<Map<String, @Nullable Object>> parameters(
            String path, ExecutableMethod<?, ?> java, Argument<?> answer) {
        List<Map<String, @Nullable Object>> parameters = new ArrayList<>();
        for (Argument<?> argument : java.getArguments()) {
            String name = argument.getName();
            if (path.matches(".*\\{\\+?" + name + "(:[^}]*)?}.*")) {
                Map<String, @Nullable Object> schema =
                        argument.getType() == String.class && (name.equals("id") || name.endsWith("Id"))
                                ? Schemas.id()
                                : schemas.answer(argument);
                parameters.add(object("name", name, "in", "path", "required", true, "schema", schema));
            } else if (argument.getAnnotationMetadata().hasAnnotation(QueryValue.class)) {
                Map<String, @Nullable Object> schema = schemas.answer(argument);
                boolean optional = argument.isNullable()
                        || argument.getAnnotationMetadata()
                                .stringValue("io.micronaut.core.bind.annotation.Bindable", "defaultValue")
                                .isPresent();
                parameters.add(object("name", name, "in", "query", "required", !optional, "schema", schema));
            } else if (argument.getAnnotationMetadata().hasAnnotation(Header.class)) {
                String header = argument.getAnnotationMetadata()
                        .stringValue(Header.class)
                        .orElseThrow();
                parameters.add(object(
                        "name",
                        header,
                        "in",
                        "header",
                        "required",
                        !argument.isNullable(),
                        "schema",
                        object("type", "string")));
            }
        }
        if (isTagged(java)) {
            parameters.add(Parameters.reference("If-None-Match"));
        }
        if (isConditional(java)) {
            parameters.add(Parameters.reference("If-Match"));
        }
        if (isIdempotent(java)) {
            parameters.add(Parameters.reference("Idempotency-Key"));
        }
        if (RouteTypes.readsJson(java)
                || RouteTypes.takesQuery(java)
                || parameters.stream().anyMatch(parameter -> "query".equals(parameter.get("in")))) {
            parameters.add(Parameters.reference("Prefer"));
        }
        Class<?> listed = RouteTypes.listed(answer);
        if (listed != null && RouteTypes.takesQuery(java)) {
            parameters.addAll(Parameters.of(listed));
        } else if (answer.getType().isAnnotationPresent(Resource.class) && RouteTypes.takesQuery(java)) {
            parameters.addAll(Parameters.ofOne(answer.getType()));
        }
        return parameters;
    }

    private static boolean isTagged(ExecutableMethod<?, ?> java) {
        return java.hasStereotype(Get.class) && ConditionalReads.isTagged(java);
    }

    private static boolean isConditional(ExecutableMethod<?, ?> java) {
        return Arrays.asList(java.getArgumentTypes()).contains(IfMatch.class);
    }

    private static boolean isIdempotent(ExecutableMethod<?, ?> java) {
        return java.hasStereotype(Post.class) && takesKey(java);
    }

    private Map<String, @Nullable Object> body(
            String method, ExecutableMethod<?, ?> java, Argument<?> answer, boolean isRequired) {
        BodyType as = RouteTypes.body(java);
        if (as == null) {
            String type = Arrays.stream(java.stringValues(Consumes.class))
                    .filter(each -> !each.equals(MediaType.ALL))
                    .findFirst()
                    .orElse(MediaType.APPLICATION_OCTET_STREAM);
            return content(type, object(), false);
        }
        Class<?> read = as.value() == Void.class ? answer.getType() : as.value();
        if (read == Object.class) {
            return content(JSON, object("type", "object", "additionalProperties", true), isRequired);
        }
        Class<?> listed = RouteTypes.listed(answer);
        boolean change = method.equals("PATCH");
        Map<String, @Nullable Object> schema =
                read == BulkPatch.class && listed != null ? schemas.bulk(listed) : schemas.body(read, change);
        if (as.with() != Void.class) {
            schemas.add(as.with(), schema);
        }
        return content(JSON, schema, isRequired);
    }

    private static Map<String, @Nullable Object> content(
            String type, Map<String, @Nullable Object> schema, boolean required) {
        return object("required", required, "content", object(type, object("schema", schema)));
    }

    private Map<String, @Nullable Object> responses(
            String method, String path, ExecutableMethod<?, ?> java, Argument<?> answer, boolean hasBody) {
        Map<String, @Nullable Object> responses = new TreeMap<>();
        HttpStatus status = java.enumValue(Status.class, HttpStatus.class).orElse(HttpStatus.OK);
        responses.put(String.valueOf(status.getCode()), success(java, answer));
        if (isTagged(java)) {
            responses.put("304", object("description", "`If-None-Match` names the answer that you have."));
        }
        if (answer.getType() == StreamedFile.class) {
            responses.put("206", success(java, answer));
            refuse(responses, "404", true);
            refuse(responses, "416", true);
        }
        if (answer.getType() == byte[].class) {
            responses.put("202", object("description", "It is being fetched: ask again."));
        }
        refuse(responses, "501", answer.getType() == Publisher.class);
        boolean searches = path.endsWith("/search") || path.endsWith("/preview") || path.endsWith("/matching");
        boolean changes = !method.equals("GET") && !searches;
        boolean creates = method.equals("POST") && !path.contains("{");
        refuse(responses, "400", true);
        refuse(responses, "401", takesKey(java) || mayTakeKey(java) || isSignedByHeaders(java) || takesToken(java));
        refuse(responses, "403", takesKey(java) || mayTakeKey(java) || isSigned(java));
        refuse(
                responses,
                "404",
                path.contains("{")
                        || path.endsWith("/current")
                        || namesRecords(java)
                        || (!method.equals("GET") && !searches));
        refuse(responses, "408", hasBody);
        refuse(responses, "409", changes || isIdempotent(java));
        refuse(responses, "412", isConditional(java));
        refuse(responses, "413", hasBody || RouteTypes.listed(answer) != null);
        refuse(responses, "415", hasBody);
        refuse(responses, "421", takesKey(java) || takesToken(java));
        refuse(responses, "422", isIdempotent(java));
        refuse(responses, "429", takesKey(java) || creates);
        refuse(responses, "500", true);
        refuse(responses, "503", takesKey(java) || hasBody);
        return responses;
    }

    private static boolean namesRecords(ExecutableMethod<?, ?> java) {
        return Arrays.stream(java.getArguments())
                .anyMatch(each -> each.getName().equals("ids"));
    }

    /** Returns whether the route is authorized by its signed URL: it needs no key and takes query parameters. */
    private static boolean isSigned(ExecutableMethod<?, ?> java) {
        return java.hasAnnotation(WithoutApiKey.class)
                && Arrays.stream(java.getArguments())
                        .anyMatch(each -> each.getName().equals("signature"));
    }

    /** Returns whether the route is authorized by a signature in headers: it needs no key and takes headers. */
    private static boolean isSignedByHeaders(ExecutableMethod<?, ?> java) {
        return Arrays.stream(java.getArguments())
                .anyMatch(each -> each.getAnnotationMetadata().hasAnnotation(Header.class));
    }

    private static boolean mayTakeKey(ExecutableMethod<?, ?> java) {
        return java.stringValue(WithoutApiKey.class)
                .filter(guard -> guard.contains("unless the header holds an API key"))
                .isPresent();
    }

    private static boolean takesToken(ExecutableMethod<?, ?> java) {
        return java.stringValue(WithoutApiKey.class)
                .filter(guard -> guard.endsWith("token"))
                .isPresent();
    }

    private static void refuse(Map<String, @Nullable Object> responses, String status, boolean applies) {
        if (applies) {
            boolean isGeneral = Refusals.GENERAL.contains(status);
            String name = isGeneral ? Refusals.DEFAULT : Refusals.NAMES.get(status);
            responses.put(isGeneral ? "default" : status, object("$ref", "#/components/responses/" + name));
        }
    }

    private Map<String, @Nullable Object> success(ExecutableMethod<?, ?> java, Argument<?> answer) {
        if (answer.getType() == Object.class) {
            return object("description", "Done.");
        } else if (answer.getType() == StreamedFile.class) {
            return object("description", "The bytes.", "content", object(MediaType.APPLICATION_OCTET_STREAM, object()));
        }
        if (answer.getType() == byte[].class) {
            Map<String, @Nullable Object> age =
                    object("description", "In seconds.", "schema", object("type", "integer"));
            return object(
                    "description",
                    "The picture.",
                    "headers",
                    object("X-Picture-Age", age),
                    "content",
                    object(MediaType.IMAGE_JPEG, object()));
        }
        if (answer.getType() == Publisher.class) {
            Map<String, @Nullable Object> text = object("schema", object("type", "string"));
            return object("description", "Events without end.", "content", object(MediaType.TEXT_EVENT_STREAM, text));
        }
        Class<?> listed = RouteTypes.listed(answer);
        Map<String, @Nullable Object> schema;
        if (!RouteTypes.takesQuery(java)) {
            schema = schemas.answer(answer);
        } else if (listed != null && answer.getType() != SearchResponse.class) {
            schema = schemas.listOrPage(Argument.of(listed));
        } else {
            schema = schemas.queried(answer);
        }
        Map<String, @Nullable Object> response = object("description", said(answer, listed));
        String header = isTagged(java) ? "ETag" : isIdempotent(java) ? "Idempotency-Replayed" : null;
        if (header != null) {
            response.put("headers", object(header, object("$ref", "#/components/headers/" + header)));
        }
        response.put("content", object(JSON, object("schema", schema)));
        return response;
    }

    private static String said(Argument<?> answer, @Nullable Class<?> listed) {
        Class<?> type = answer.getType();
        if (listed != null) {
            return type == SearchResponse.class ? "A page of records." : "The records.";
        }
        return type.isAnnotationPresent(Resource.class) ? "The record." : "The answer.";
    }
}
