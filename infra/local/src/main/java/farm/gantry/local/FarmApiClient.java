package farm.gantry.local;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import io.micronaut.jackson.core.tree.JsonNodeTreeCodec;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP client of the API with an API key. Parses JSON as a tree, because deserializers for types would delay the
 * start.
 */
public final class FarmApiClient {
    private static final JsonFactory JSON = new JsonFactory();
    private static final JsonNodeTreeCodec TREES = JsonNodeTreeCodec.getInstance();
    private static final Duration ATTEMPT = Duration.ofSeconds(30);
    private static final Duration RATE_LIMIT_TIMEOUT = Duration.ofMinutes(2);

    private final HttpClient http = HttpClient.newHttpClient();
    private final String url;
    private final String authorization;

    public FarmApiClient(String url, String key) {
        this(URI.create(url), "ApiKey " + key);
    }

    private FarmApiClient(URI url, String authorization) {
        this.url = url.toString();
        this.authorization = authorization;
    }

    /** Returns a client with another authorization header. */
    FarmApiClient withAuthorization(String authorization) {
        return new FarmApiClient(URI.create(url), authorization);
    }

    public JsonNode get(String path) throws IOException {
        return send("GET", path, null);
    }

    public JsonNode post(String path, Object body) throws IOException {
        return send("POST", path, body);
    }

    public JsonNode put(String path, Object body) throws IOException {
        return send("PUT", path, body);
    }

    public JsonNode patch(String path, Object body) throws IOException {
        return send("PATCH", path, body);
    }

    public JsonNode delete(String path) throws IOException {
        return send("DELETE", path, null);
    }

    /** Uploads a file and returns its {@code uploads:} path. */
    public String upload(Path file) throws IOException {
        JsonNode signed = post(
                        "/v1/storage/signed-upload-urls",
                        Map.of("filenames", List.of(file.getFileName().toString())))
                .get("signedUrls")
                .get(0);
        HttpRequest put = HttpRequest.newBuilder(
                        URI.create(signed.get("uploadUrl").getStringValue()))
                .PUT(HttpRequest.BodyPublishers.ofFile(file))
                .build();
        HttpResponse<String> answer = exchange(put);
        if (answer.statusCode() != 200) {
            throw new IOException("the upload was answered with " + answer.statusCode() + ": " + answer.body());
        }
        return signed.get("path").getStringValue();
    }

    /** Returns the content at a signed URL. */
    String fetchText(String address) throws IOException {
        HttpResponse<String> answer =
                exchange(HttpRequest.newBuilder(URI.create(address)).build());
        if (answer.statusCode() != 200) {
            throw new IOException(address + " was answered with " + answer.statusCode());
        }
        return answer.body();
    }

    /** Reads the event stream up to its {@code ready} event, and returns it. It contains every printer's state. */
    String readStream() throws IOException {
        try (Stream<String> lines = http.send(
                        request("GET", "/v1/stream", null).build(), HttpResponse.BodyHandlers.ofLines())
                .body()) {
            return lines.takeWhile(line -> !line.equals("event: ready")).collect(Collectors.joining("\n"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** A response. The status is 0 if the request failed without a response. */
    public record Reply(int status, String body) {}

    /** Sends a request that may fail. A POST that is sent several times with one idempotency key is executed once. */
    public Reply attempt(String method, String path, Object body, String idempotencyKey) throws IOException {
        HttpRequest request = request(method, path, body)
                .header("idempotency-key", idempotencyKey)
                .timeout(ATTEMPT)
                .build();
        try {
            HttpResponse<String> answer = exchange(request);
            return new Reply(answer.statusCode(), answer.body());
        } catch (IOException e) {
            return new Reply(0, String.valueOf(e));
        }
    }

    private HttpRequest.Builder request(String method, String path, @Nullable Object body) throws IOException {
        return HttpRequest.newBuilder(URI.create(url + path))
                .method(
                        method,
                        body == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(toJson(body)))
                .header("content-type", "application/json")
                .header("authorization", authorization);
    }

    private JsonNode send(String method, String path, @Nullable Object body) throws IOException {
        Reply reply = sendWithRetries(method, path, body);
        if (reply.status() >= 300) {
            throw new IOException(method + " " + path + " was answered with " + reply.status() + ": " + reply.body());
        }
        return parse(reply.body());
    }

    /** Sends a request. If its key is rate limited, waits as the response says and retries, for two minutes. */
    Reply sendWithRetries(String method, String path, @Nullable Object body) throws IOException {
        HttpRequest request = request(method, path, body).build();
        long deadline = System.nanoTime() + RATE_LIMIT_TIMEOUT.toNanos();
        HttpResponse<String> response = exchange(request);
        while (response.statusCode() == 429 && System.nanoTime() < deadline) {
            awaitRateLimit(response);
            response = exchange(request);
        }
        return new Reply(response.statusCode(), response.body());
    }

    private static void awaitRateLimit(HttpResponse<?> response) throws IOException {
        long seconds = response.headers().firstValueAsLong("retry-after").orElse(1);
        try {
            TimeUnit.SECONDS.sleep(Math.clamp(seconds, 1, RATE_LIMIT_TIMEOUT.toSeconds()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    public JsonNode parse(String json) throws IOException {
        try (JsonParser parser = JSON.createParser(json)) {
            return TREES.readTree(parser);
        }
    }

    /** Returns JSON for a tree of maps, lists, strings, numbers, booleans and nulls. */
    static String toJson(Object value) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = JSON.createGenerator(text)) {
            TREES.writeTree(generator, value instanceof JsonNode tree ? tree : JsonNode.from(value));
        }
        return text.toString();
    }

    private HttpResponse<String> exchange(HttpRequest request) throws IOException {
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
