package farm.gantry.api.documentation;

import farm.gantry.api.documentation.DocumentationPages.Page;
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
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The documentation's pages and their style sheet. */
@Controller("/docs")
@Blocking
final class DocumentationRoutes {
    private static final String GUARD = "nothing: it holds no store's data";
    private static final String HTML = "text/html;charset=utf-8";
    private static final String STYLE = "documentation.css";
    /** Pages contain no script, and load only what this host serves. */
    private static final String POLICY = "default-src 'none'; style-src 'self'; img-src 'self' data:; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final DocumentationPages pages;
    private final PageHtml html;
    private final ResourceLoader resources;
    private final Map<String, StaticFile> files = new ConcurrentHashMap<>();

    DocumentationRoutes(DocumentationPages pages, PageHtml html, ResourceLoader resources) {
        this.pages = pages;
        this.html = html;
        this.resources = resources;
    }

    @Get(produces = MediaType.ALL)
    @WithoutApiKey(GUARD)
    HttpResponse<byte[]> start(HttpRequest<?> request) {
        return page(request, "");
    }

    /** Returns a page or a file of the documentation; 404 with the list of all pages if there is none at this path. */
    @Get(value = "/{path:.*}", produces = MediaType.ALL)
    @WithoutApiKey(GUARD)
    HttpResponse<byte[]> page(HttpRequest<?> request, String path) {
        return findFile(path)
                .map(file -> file.toResponse(request, StaticFile.REVALIDATE))
                .orElseGet(this::notFound)
                .header("Content-Security-Policy", POLICY);
    }

    private Optional<StaticFile> findFile(String path) {
        if (path.equals(STYLE)) {
            return Optional.of(files.computeIfAbsent(STYLE, _ -> StaticFile.of(styleSheet(), "text/css;charset=utf-8")));
        }
        return pages.find(path).map(page -> files.computeIfAbsent(page.path(), _ -> html(page)));
    }

    private StaticFile html(Page page) {
        return StaticFile.of(html.render(page).getBytes(StandardCharsets.UTF_8), HTML);
    }

    private byte[] styleSheet() {
        return DocumentationPages.bytes(resources
                .getResourceAsStream("classpath:documentation/" + STYLE)
                .orElseThrow(() -> new IllegalStateException(STYLE + " is missing")));
    }

    private MutableHttpResponse<byte[]> notFound() {
        return HttpResponse.<byte[]>notFound(html.notFound().getBytes(StandardCharsets.UTF_8))
                .contentType(MediaType.of(HTML));
    }
}
