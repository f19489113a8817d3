package farm.gantry.edge.http;

import farm.gantry.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** An HTTP request to a printer, to which the address and the login are added when it is sent. */
public record PrinterRequest(
        String method, String path, BodyPublisher body, Duration timeout, Map<String, String> headers) {
    /** The default timeout, for requests that the printer answers immediately. */
    public static final Duration QUERY_TIMEOUT = Duration.ofSeconds(8);

    public static PrinterRequest of(String method, String path) {
        return new PrinterRequest(method, path, BodyPublishers.noBody(), QUERY_TIMEOUT, Map.of());
    }

    public static PrinterRequest post(String path, Map<String, ?> body) {
        return new PrinterRequest(
                "POST",
                path,
                BodyPublishers.ofString(Json.write(body)),
                QUERY_TIMEOUT,
                Map.of("Content-Type", "application/json"));
    }

    /** Returns an upload of a file as a form. */
    public static PrinterRequest upload(String path, MultipartForm form, Path file) throws IOException {
        return new PrinterRequest(
                "POST",
                path,
                form.body(),
                PrinterHttp.uploadTimeout(file),
                Map.of("Content-Type", MultipartForm.CONTENT_TYPE));
    }

    public PrinterRequest withTimeout(Duration time) {
        return new PrinterRequest(method, path, body, time, headers);
    }

    public HttpRequest.Builder toHttpRequest(URI uri) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(uri)
                .timeout(timeout)
                .header("Accept", "application/json")
                .method(method, body);
        headers.forEach(builder::header);
        return builder;
    }
}
