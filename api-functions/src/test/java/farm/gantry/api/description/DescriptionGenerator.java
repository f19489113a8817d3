package farm.gantry.api.description;

import static farm.gantry.api.description.Trees.object;

import farm.gantry.api.fixture.SharedApi;
import io.micronaut.core.type.Argument;
import io.micronaut.web.router.Router;
import io.micronaut.web.router.UriRouteInfo;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Generates the API's description from its routes, records and Javadocs. */
final class DescriptionGenerator {
    private static final String VERSION = "0.0.1";
    private static final String ABOUT = """
        Runs a 3D-print farm: parts, printers, builds and jobs of one store, the store of the API key.

        Unknown fields and parameters are ignored and named, at most 20 and separated by commas, in the response header \
        `Gantry-Ignored`; with the request header `Prefer: handling=strict` they are errors. Responses may gain fields: \
        ignore those you do not know. In bodies, null in a field without a default that may be left out is as if it were \
        left out, and in a PATCH it clears the field; a field with a default must not be null. A list is CSV with the \
        request header `Accept: text/csv`. Times are UTC in ISO 8601. Every answer has an `X-Request-Id`, and to a request \
        with an API key `RateLimit-Limit` (requests a minute), `RateLimit-Remaining` (those left at once) and \
        `RateLimit-Reset` (seconds until the burst is whole again).\
        """;

    private DescriptionGenerator() {}

    static String yaml() {
        return YamlText.of(description());
    }

    static Map<String, @Nullable Object> description() {
        return new PropertyDescriptions().addTo(fromCode());
    }

    /** Returns the description as the code alone says it, without the sentences of {@link PropertyDescriptions}. */
    static Map<String, @Nullable Object> fromCode() {
        Javadocs docs = Javadocs.below(List.of(Path.of("domain/src/main/java"), Path.of("src/main/java")));
        Schemas schemas = new Schemas(docs);
        List<UriRouteInfo<?, ?>> routes =
                SharedApi.bean(Router.class).uriRoutes().collect(Collectors.toList());
        Operations operations = new Operations(routes, schemas, docs);
        Map<String, @Nullable Object> paths = operations.paths();
        Map<String, @Nullable Object> problem = schemas.answer(Argument.of(problemBody()));
        Map<String, @Nullable Object> webhooks = new EventDescriptions(schemas).webhooks();
        schemas.exemplify();
        Map<String, @Nullable Object> parameters = parameters();
        new SharedParameters(parameters).replace(paths);
        Examples.addTo(paths);
        return Components.settled(object(
                "openapi",
                "3.1.0",
                "info",
                object(
                        "title",
                        "Gantry",
                        "version",
                        VERSION,
                        "description",
                        ABOUT,
                        "contact",
                        object("name", "Gantry's contributors"),
                        "license",
                        object("name", "Apache 2.0", "identifier", "Apache-2.0")),
                "servers",
                List.of(object("url", "/", "description", "This install")),
                "security",
                List.of(object("apiKey", List.of())),
                "tags",
                tags(operations.tags()),
                "paths",
                paths,
                "webhooks",
                webhooks,
                "components",
                object(
                        "schemas",
                        schemas.named(),
                        "parameters",
                        parameters,
                        "headers",
                        object(
                                "ETag",
                                object(
                                        "description",
                                        "Changes whenever the answer does. `If-None-Match` takes it, and of an answer "
                                                + "without parameters `If-Match`.",
                                        "schema",
                                        object("type", "string")),
                                "Idempotency-Replayed",
                                object(
                                        "description",
                                        "`true` where the answer is that of an earlier request.",
                                        "schema",
                                        object("type", "string")),
                                "RateLimit-Limit",
                                integer("Requests of the API key in a minute."),
                                "RateLimit-Remaining",
                                integer("Requests of the API key that are left at once."),
                                "RateLimit-Reset",
                                integer("Seconds until the burst is whole again.")),
                        "responses",
                        Refusals.all(problem),
                        "securitySchemes",
                        object(
                                "apiKey",
                                authorization("`Authorization: ApiKey <key>`; the key alone decides the store."),
                                "agentToken",
                                authorization(
                                        "`Authorization: AgentToken <token>`, the token that `POST /v1/agents/pair`"
                                                + " answers; for the link of edge agents alone.")))));
    }

    private static Map<String, @Nullable Object> authorization(String description) {
        return object("type", "apiKey", "in", "header", "name", "Authorization", "description", description);
    }

    private static Map<String, @Nullable Object> integer(String description) {
        return object("description", description, "schema", object("type", "integer"));
    }

    private static Map<String, @Nullable Object> parameters() {
        Map<String, @Nullable Object> all = new TreeMap<>(Parameters.common());
        all.putAll(Parameters.headers());
        all.putAll(EventDescriptions.headers());
        return all;
    }

    /** Returns the class of the error body, which is package-private. */
    private static Class<?> problemBody() {
        try {
            return Class.forName("farm.gantry.api.http.ProblemBody");
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Map<String, @Nullable Object>> tags(Map<String, @Nullable String> described) {
        List<Map<String, @Nullable Object>> tags = new ArrayList<>();
        described.put("Webhooks", "Deliveries of events to the receiver of a store's webhook.");
        described.forEach((name, description) -> tags.add(
                description == null ? object("name", name) : object("name", name, "description", description)));
        return tags;
    }
}
