package farm.gantry.edge.provider.vendorb;

import farm.gantry.edge.http.Answer;
import farm.gantry.edge.http.Request;
import farm.gantry.edge.json.Tree;
import farm.gantry.edge.printer.Refusal;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

/** What one OctoPrint is asked; whoever asks waits for the answer, so that one connection is enough. */
record OctoPrint(HttpClient http, Address address) {
    static final String FILES = "/api/files/local";

    private static final int CONFLICT = 409;

    static String file(String fileName) {
        return FILES + "/" + URLEncoder.encode(fileName, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Empty while OctoPrint has no printer that works. */
    Map<String, Object> printer() throws IOException, Refusal, InterruptedException {
        Answer answer = send(Request.of("GET", "/api/printer?exclude=sd"));
        return answer.status() == CONFLICT ? Map.of() : answer.tree();
    }

    Map<String, Object> job() throws IOException, Refusal, InterruptedException {
        return send(Request.of("GET", "/api/job")).tree();
    }

    /** The address of its camera's pictures; empty where there is none. */
    String camera() throws IOException, Refusal, InterruptedException {
        Map<String, Object> settings = send(Request.of("GET", "/api/settings")).tree();
        return Objects.requireNonNullElse(Tree.text(settings, "webcam", "snapshotUrl"), "");
    }

    Answer send(Request request) throws IOException, Refusal, InterruptedException {
        HttpRequest signed = request.to(address.http(request.path()))
                .header("X-Api-Key", address.apiKey())
                .build();
        HttpResponse<String> response = http.send(signed, HttpResponse.BodyHandlers.ofString());
        Answer answer = new Answer(response.statusCode(), response.body());
        if (answer.status() == 401 || answer.status() == 403) {
            throw new Refusal("OctoPrint does not accept the API key: " + answer.words());
        }
        return answer;
    }
}
