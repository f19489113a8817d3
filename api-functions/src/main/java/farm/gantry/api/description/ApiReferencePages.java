package farm.gantry.api.description;

import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.StaticFile;
import farm.gantry.api.security.WithoutApiKey;
import io.micronaut.core.io.ResourceLoader;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The description as files, and the page that shows it; all of it comes from here, nothing from elsewhere. */
@Controller
@Blocking
final class ApiReferencePages {
    private static final String GUARD = "nothing: it holds no store's data";
    /** The page may load what this host serves, and talk to it; no other place, and no code within markup. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; "
            + "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final Map<String, String> TYPES = Map.of(
            "reference.html", "text/html;charset=utf-8",
            "reference.css", "text/css;charset=utf-8",
            "reference.js", "text/javascript;charset=utf-8",
            "swagger-ui.css", "text/css;charset=utf-8",
            "swagger-ui-bundle.js", "text/javascript;charset=utf-8");

    private final OpenApiDescription description;
    private final ResourceLoader resources;
    private final Map<String, StaticFile> documents = new ConcurrentHashMap<>();

    ApiReferencePages(OpenApiDescription description, ResourceLoader resources) {
        this.description = description;
        this.resources = resources;
    }

    @Get
    @WithoutApiKey(GUARD)
    HttpResponse<?> start() {
        return HttpResponse.temporaryRedirect(URI.create("reference"));
    }

    @Get(value = "/openapi.yaml", produces = "application/yaml")
    @WithoutApiKey(GUARD)
    HttpResponse<byte[]> yaml(HttpRequest<?> request) {
        return answer(request, "openapi.yaml", "application/yaml", description::yaml);
    }

    @Get("/openapi.json")
    @WithoutApiKey(GUARD)
    HttpResponse<byte[]> json(HttpRequest<?> request) {
        return answer(request, "openapi.json", MediaType.APPLICATION_JSON, description::json);
    }

    @Get(value = "/reference", produces = MediaType.TEXT_HTML)
    @WithoutApiKey(GUARD)
    HttpResponse<byte[]> reference(HttpRequest<?> request) {
        return asset(request, "reference.html");
    }

    @Get(value = "/reference/{name}", produces = MediaType.ALL)
    @WithoutApiKey(GUARD)
    HttpResponse<byte[]> asset(HttpRequest<?> request, String name) {
        String type = TYPES.get(name);
        if (type == null) {
            throw ProblemException.notFound("path: " + request.getPath());
        }
        MutableHttpResponse<byte[]> answer =
                answer(request, name, type, () -> OpenApiDescription.read(resources, "classpath:reference/" + name));
        return answer.header("Content-Security-Policy", POLICY);
    }

    private MutableHttpResponse<byte[]> answer(
            HttpRequest<?> request, String name, String type, Supplier<byte[]> bytes) {
        return documents
                .computeIfAbsent(name, _ -> StaticFile.of(bytes.get(), type))
                .toResponse(request, StaticFile.REVALIDATE);
    }
}
