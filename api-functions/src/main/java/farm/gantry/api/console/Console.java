package farm.gantry.api.console;

import farm.gantry.Id;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.file.FileUrls;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.StaticFile;
import farm.gantry.api.security.WithoutApiKey;
import farm.gantry.file.FileUri;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.net.URI;
import java.time.Duration;

/** Serves the page of the console, at the path of each of its views, and its files. */
@Controller("/console")
@Blocking
final class Console {
    private static final String PUSH_WORKER = "pushworker.js";
    private static final String GUARD = "nothing: it holds no store's data";

    private final ConsoleFiles files;
    private final FileUrls urls;

    Console(ConsoleFiles files, FileUrls urls) {
        this.files = files;
        this.urls = urls;
    }

    @Get(produces = MediaType.ALL)
    @WithoutApiKey(GUARD)
    HttpResponse<byte[]> page(HttpRequest<?> request) {
        return files.page()
                .toResponse(request, StaticFile.REVALIDATE)
                .header("Content-Security-Policy", policy(filesOrigin(request)));
    }

    /** Returns the service worker. Its address is the same in every version, so that browsers update it. */
    @Get(value = "/" + PUSH_WORKER, produces = MediaType.ALL)
    @WithoutApiKey(GUARD)
    HttpResponse<byte[]> pushWorker(HttpRequest<?> request) {
        return files.find(PUSH_WORKER).orElseThrow(() -> notFound(request)).toResponse(request, StaticFile.REVALIDATE);
    }

    /** Returns a file of this version, or the page for the path of a view. Files of other versions return 404. */
    @Get(value = "/{path:.*}", produces = MediaType.ALL)
    @WithoutApiKey(GUARD)
    HttpResponse<byte[]> file(HttpRequest<?> request, String path) {
        if (path.startsWith(files.version() + "/")) {
            return files.find(path.substring(files.version().length() + 1))
                    .orElseThrow(() -> notFound(request))
                    .toResponse(request, StaticFile.IMMUTABLE);
        }
        if (path.contains(".")) {
            throw notFound(request);
        }
        return page(request);
    }

    private static ProblemException notFound(HttpRequest<?> request) {
        return ProblemException.notFound("path: " + request.getPath());
    }

    /** Allows the page to load only files of this host and the farm's files, and no inline code. */
    private String policy(String filesOrigin) {
        return "default-src 'none'; script-src 'self' " + files.importMapHash()
                + "; style-src 'self'; img-src 'self' blob: "
                + filesOrigin + "; connect-src 'self' " + filesOrigin
                + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";
    }

    /** Returns the origin of the farm's files: a bucket, or this host. */
    private String filesOrigin(HttpRequest<?> request) {
        URI any =
                URI.create(urls.download(urls.base(request), FileUri.upload(Id.next(), "any"), Duration.ofSeconds(1)));
        return any.getScheme() + "://" + any.getRawAuthority();
    }
}
