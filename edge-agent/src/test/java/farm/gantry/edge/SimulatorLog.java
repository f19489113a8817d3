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

/** The log of a simulated printer, and the injection of faults, over HTTP. */
public record SimulatorLog(int port) {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final int BAD = 400;

    public List<?> starts() {
        return Tree.list(get("/sim/log"), "starts");
    }

    public List<?> uploads() {
        return Tree.list(get("/sim/log"), "uploads");
    }

    /** Those that are on it. */
    public List<?> files() {
        return Tree.list(get("/sim/log"), "files");
    }

    /** The most that were open at one time. */
    public int connections() {
        return (int) Tree.number(get("/sim/log"), "connections", 0);
    }

    /** How many were opened in all. */
    public int opened() {
        return (int) Tree.number(get("/sim/log"), "opened", 0);
    }

    public boolean filmIsShown() {
        return Tree.truth(get("/sim/log"), "film");
    }

    public List<?> scripts() {
        return Tree.list(get("/sim/log"), "scripts");
    }

    /** Of its print, or of a machine that is not ready. */
    public String state() {
        return String.valueOf(get("/sim/log").get("state"));
    }

    /** How many calls wait behind a script. */
    public int waiting() {
        return (int) Tree.number(get("/sim/log"), "waiting", 0);
    }

    /** By print, the gates that served its tools when it began. */
    public List<?> tools() {
        return Tree.list(get("/sim/log"), "tools");
    }

    /** Returns the commands that it received and the prints that it made. */
    public List<?> orders() {
        return Tree.list(get("/sim/log"), "orders");
    }

    /** The parts in which files came to it. */
    public List<?> parts() {
        return Tree.list(get("/sim/log"), "parts");
    }

    public void fail(String kind) {
        post("/sim/fail", Json.write(Map.of("kind", kind)));
    }

    public void recover() {
        post("/sim/recover", "{}");
    }

    /** As a person at the printer's own web page. */
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
