package farm.gantry.edge;

import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

/** Reads the log of a simulated printer and injects faults, over HTTP. */
public record SimulatorLog(int port) {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final int BAD = 400;

    public List<?> starts() {
        return Tree.list(get("/sim/log"), "starts");
    }

    public List<?> uploads() {
        return Tree.list(get("/sim/log"), "uploads");
    }

    /** Returns the files on the printer. */
    public List<?> files() {
        return Tree.list(get("/sim/log"), "files");
    }

    /** Returns the maximum number of concurrent connections. */
    public int connections() {
        return (int) Tree.number(get("/sim/log"), "connections", 0);
    }

    /** Returns the total number of connections. */
    public int opened() {
        return (int) Tree.number(get("/sim/log"), "opened", 0);
    }

    /** Returns whether a client receives the events of an OctoPrint. */
    public boolean isSendingEvents() {
        return Tree.flag(get("/sim/log"), "sendsEvents");
    }

    public boolean isVideoStreaming() {
        return Tree.flag(get("/sim/log"), "film");
    }

    public List<?> scripts() {
        return Tree.list(get("/sim/log"), "scripts");
    }

    /** Returns the state of the print, or of the printer if it is not ready. */
    public String state() {
        return String.valueOf(get("/sim/log").get("state"));
    }

    /** Returns the number of calls that wait for a running script. */
    public int waiting() {
        return (int) Tree.number(get("/sim/log"), "waiting", 0);
    }

    /** Returns, for each print, the gates assigned to its tools at its start. */
    public List<?> tools() {
        return Tree.list(get("/sim/log"), "tools");
    }

    /** Returns the commands that the printer received and the prints that it made. */
    public List<?> orders() {
        return Tree.list(get("/sim/log"), "orders");
    }

    /** Returns the byte ranges of the uploaded parts. */
    public List<?> parts() {
        return Tree.list(get("/sim/log"), "parts");
    }

    public void fail(String kind) {
        post("/sim/fail", Json.write(Map.of("kind", kind)));
    }

    public void recover() {
        post("/sim/recover", "{}");
    }

    /** Posts to the printer's own API, as a person at its web page does. */
    public void call(String path) {
        post(path, "");
    }

    private Map<String, Object> get(String path) {
        return send(HttpRequest.newBuilder(uri(path)).build());
    }

    private void post(String path, String body) {
        send(HttpRequest.newBuilder(uri(path))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    private static Map<String, Object> send(HttpRequest request) {
        try {
            HttpResponse<String> answer = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() >= BAD) {
                throw new AssertionError(request.uri() + " answered " + answer.body());
            }
            return Json.tree(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
