package farm.gantry.api.file;

import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;

/** Rejects an upload before its body is read. */
@Requires(missingProperty = "gantry.aws.bucket")
@ServerFilter("/**")
final class UploadCheck {
    private final SignedUrls urls;
    private final long maxBytes;

    UploadCheck(SignedUrls urls, @Value("${gantry.files.max-upload-bytes}") long maxBytes) {
        this.urls = urls;
        this.maxBytes = maxBytes;
    }

    @RequestFilter
    void check(HttpRequest<?> request) {
        if (request.getMethod() == HttpMethod.PUT && request.getPath().equals(SignedUrls.ROUTE)) {
            urls.verify("PUT", text(request, "path"), expires(request), text(request, "signature"));
            if (request.getContentLength() > maxBytes) {
                throw tooLarge(maxBytes);
            }
        }
    }

    static ProblemException tooLarge(long maxBytes) {
        return new ProblemException(new Problem.TooLarge("a file may have at most " + maxBytes + " bytes"));
    }

    private static String text(HttpRequest<?> request, String name) {
        return request.getParameters()
                .getFirst(name)
                .orElseThrow(() -> ProblemException.invalid(name, "required", name + " is required"));
    }

    private static long expires(HttpRequest<?> request) {
        String text = text(request, "expires");
        if (!text.matches("\\d{1,18}")) {
            throw ProblemException.invalid("expires", "type", "expires must be a number of seconds");
        }
        return Long.parseLong(text);
    }
}
