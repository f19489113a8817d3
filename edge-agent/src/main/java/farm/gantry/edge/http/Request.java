package farm.gantry.edge.http;

import farm.gantry.json.Json;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Map;

/** What a printer is asked, before it is known where and by whom. */
public record Request(String method, String path, BodyPublisher body, Duration patience, Map<String, String> headers) {
    /** How long a printer may take to answer what needs no work. */
    public static final Duration SOON = Duration.ofSeconds(8);

    public static Request of(String method, String path) {
        return new Request(method, path, BodyPublishers.noBody(), SOON, Map.of());
    }

    public static Request post(String path, Map<String, ?> body) {
        return new Request(
                "POST",
                path,
                BodyPublishers.ofString(Json.write(body)),
                SOON,
                Map.of("Content-Type", "application/json"));
    }

    public Request within(Duration time) {
        return new Request(method, path, body, time, headers);
    }

    public HttpRequest.Builder to(URI uri) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(uri)
                .timeout(patience)
                .header("Accept", "application/json")
                .method(method, body);
        headers.forEach(builder::header);
        return builder;
    }
}
