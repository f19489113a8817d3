package farm.gantry.api.hint;

import farm.gantry.api.description.OpenApiDescription;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.security.WithoutApiKey;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Entry points for programs that do not know the API yet. */
@Controller("/v1/hints")
@Blocking
final class HintRoutes {
    private static final String GUARD = "nothing: it holds no store's data";

    private final Hints hints;
    private final OpenApiDescription description;

    HintRoutes(Hints hints, OpenApiDescription description) {
        this.hints = hints;
        this.description = description;
    }

    /** The overview of the API: its title, how to call it, and where the calls of each resource are listed. */
    @Serdeable
    record ApiOverview(
            String title,
            String version,
            String description,
            String authentication,
            String openapi,
            List<Hint> hints) {}

    /** Returns the title of the API, how to call it, and where the calls of each resource are listed. */
    @Get
    @WithoutApiKey(GUARD)
    ApiOverview start() {
        Map<?, ?> info = ApiOperation.members(description.tree(), "info");
        Map<?, ?> key = ApiOperation.members(description.tree(), "components", "securitySchemes", "apiKey");
        return new ApiOverview(
                String.valueOf(info.get("title")),
                String.valueOf(info.get("version")),
                String.valueOf(info.get("description")),
                String.valueOf(key.get("description")),
                "/openapi.json",
                hints.resources());
    }

    /** Returns every request and response type as definitions of one JSON schema. */
    @Get("/schema/types")
    @WithoutApiKey(GUARD)
    Map<String, Object> types() {
        return hints.types().all();
    }

    /** Returns the JSON schema of a type. */
    @Get("/schema/types/{name}")
    @WithoutApiKey(GUARD)
    Map<String, Object> type(String name) {
        return hints.types().selfContained(name).orElseThrow(() -> ProblemException.notFound("type"));
    }

    /** Returns the request and response types of every path. Types are named by the URLs of their schemas. */
    @Get("/schema/paths")
    @WithoutApiKey(GUARD)
    Map<String, Object> paths() {
        return hints.paths(Optional.empty());
    }

    /** Returns the JSON schemas of the requests and responses of a path. The path may contain slashes. */
    @Get("/schema/paths/{+path}")
    @WithoutApiKey(GUARD)
    Map<String, Object> path(String path) {
        return requireNotEmpty(hints.paths(Optional.of(withLeadingSlash(path))));
    }

    /** Returns the calls at a path and below it. The path may contain slashes. */
    @Get("/path/{+path}")
    @WithoutApiKey(GUARD)
    List<Hint> at(String path) {
        List<Hint> at = hints.at(withLeadingSlash(path));
        if (at.isEmpty()) {
            throw ProblemException.notFound("path");
        }
        return at;
    }

    private static String withLeadingSlash(String path) {
        return path.startsWith("/") ? path : "/" + path;
    }

    private static Map<String, Object> requireNotEmpty(Map<String, Object> paths) {
        if (paths.isEmpty()) {
            throw ProblemException.notFound("path");
        }
        return paths;
    }
}
