package farm.gantry.api.hint;

import farm.gantry.api.description.Description;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.security.WithoutApiKey;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tells a program that knows nothing of the API yet how to go on. */
@Controller("/v1/hints")
@Blocking
final class HintRoutes {
    private static final String GUARD = "nothing: it holds no store's data";

    private final Hints hints;
    private final Description description;

    HintRoutes(Hints hints, Description description) {
        this.hints = hints;
        this.description = description;
    }

    /** What the API is, how to call it, and every call there is. */
    @Serdeable
    record Start(
            String title,
            String version,
            String description,
            String authentication,
            String openapi,
            List<Hint> hints) {}

    @Get
    @WithoutApiKey(GUARD)
    Start start() {
        Map<?, ?> info = Operation.members(description.tree(), "info");
        Map<?, ?> key = Operation.members(description.tree(), "components", "securitySchemes", "apiKey");
        return new Start(
                String.valueOf(info.get("title")),
                String.valueOf(info.get("version")),
                String.valueOf(info.get("description")),
                String.valueOf(key.get("description")),
                "/openapi.json",
                hints.at("").stream()
                        .map(hint -> new Hint(
                                hint.action(), hint.description(), hint.method(), hint.path(), null, hint.condition()))
                        .toList());
    }

    /** Every type that goes in or comes out, as definitions of one JSON schema. */
    @Get("/schema/types")
    @WithoutApiKey(GUARD)
    Map<String, Object> types() {
        return hints.types().all();
    }

    /** The JSON schema of one type. */
    @Get("/schema/types/{name}")
    @WithoutApiKey(GUARD)
    Map<String, Object> type(String name) {
        return hints.types().alone(name).orElseThrow(() -> ProblemException.notFound("type"));
    }

    /** What each method of each path takes and answers, by the types' addresses. */
    @Get("/schema/paths")
    @WithoutApiKey(GUARD)
    Map<String, Object> paths() {
        return hints.paths(Optional.empty());
    }

    /** The JSON schemas of what each method of one path takes and answers; the path holds slashes. */
    @Get("/schema/paths/{+path}")
    @WithoutApiKey(GUARD)
    Map<String, Object> path(String path) {
        return found(hints.paths(Optional.of(absolute(path))));
    }

    /** The calls at a path and below it; the path holds slashes. */
    @Get("/path/{+path}")
    @WithoutApiKey(GUARD)
    List<Hint> at(String path) {
        List<Hint> at = hints.at(absolute(path));
        if (at.isEmpty()) {
            throw ProblemException.notFound("path");
        }
        return at;
    }

    private static String absolute(String path) {
        return path.startsWith("/") ? path : "/" + path;
    }

    private static Map<String, Object> found(Map<String, Object> paths) {
        if (paths.isEmpty()) {
            throw ProblemException.notFound("path");
        }
        return paths;
    }
}
