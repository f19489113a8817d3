package farm.gantry.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.zip.GZIPInputStream;

/** Reads the stream of server-sent events as a browser does. */
public final class StreamClient implements AutoCloseable {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final Event END = new Event("", "end", "");

    /** {@code id} is the last one that was said. */
    public record Event(String id, String name, String data) {
        /** A value within the data, as text; {@code null} is the text of it. */
        public String at(String path) {
            try {
                JsonNode node = MAPPER.readTree(data.isEmpty() ? "{}" : data);
                for (String step : path.split("\\.", -1)) {
                    node = node.path(step);
                }
                return node.asText();
            } catch (IOException e) {
                throw new AssertionError("not JSON: " + data, e);
            }
        }
    }

    private final InputStream answer;
    private final BufferedReader lines;
    private final BlockingQueue<Event> told = new LinkedBlockingQueue<>();

    /** Opens it, which must be granted. */
    public static StreamClient open(String key, String query, String... headers) throws Exception {
        HttpResponse<InputStream> response = ask(SharedApi.url(), key, query, headers);
        assertThat(response.statusCode()).isEqualTo(200);
        return new StreamClient(response);
    }

    /** Opens it as soon as it is granted. */
    static StreamClient openWhenThereIsRoom(String key) throws Exception {
        return openWhenThereIsRoom(SharedApi.url(), key);
    }

    /** The same at another API. */
    static StreamClient openWhenThereIsRoom(String url, String key) throws Exception {
        long patience = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        HttpResponse<InputStream> response = ask(url, key, "");
        while (response.statusCode() == 429) {
            assertThat(System.nanoTime()).isLessThan(patience);
            response = ask(url, key, "");
        }
        return new StreamClient(response);
    }

    private static HttpResponse<InputStream> ask(String url, String key, String query, String... headers)
            throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url + "/v1/stream" + query)).header("authorization", "ApiKey " + key);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    }

    private StreamClient(HttpResponse<InputStream> response) throws IOException {
        assertThat(response.headers().firstValue("content-type").orElse("")).startsWith("text/event-stream");
        this.answer = response.body();
        boolean isZipped =
                response.headers().firstValue("content-encoding").orElse("").equals("gzip");
        InputStream body = isZipped ? new GZIPInputStream(answer, 1) : answer;
        this.lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        Thread.ofVirtual().start(this::read);
    }

    private void read() {
        String id = "";
        String name = "";
        StringBuilder data = new StringBuilder();
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.isEmpty()) {
                    told.add(new Event(id, name, data.toString()));
                    name = "";
                    data.setLength(0);
                } else if (line.startsWith("id:")) {
                    id = line.substring(3).strip();
                } else if (line.startsWith("event:")) {
                    name = line.substring(6).strip();
                } else if (line.startsWith("data:")) {
                    data.append(line.substring(5).strip());
                }
            }
        } catch (IOException e) {
            // cut off
        }
        told.add(END);
    }

    /** The next that tells anything. */
    public Event next() throws InterruptedException {
        Event event = heard();
        while (event.name().isEmpty()) {
            event = heard();
        }
        return event;
    }

    /** The next, be it only that the stream is still there. */
    Event heard() throws InterruptedException {
        Event event = told.poll(5, TimeUnit.MINUTES);
        if (event == null) {
            throw new AssertionError("nothing more is told");
        }
        return event;
    }

    /** The next that is like this; those before it are passed over. */
    public Event until(Predicate<Event> like) throws InterruptedException {
        Event event = next();
        while (!like.test(event)) {
            event = next();
        }
        return event;
    }

    /** Waits for the end of it. */
    void awaitEnd() throws InterruptedException {
        until(END::equals);
    }

    @Override
    public void close() throws IOException {
        answer.close(); // the lines are locked while one is waited for
    }
}
