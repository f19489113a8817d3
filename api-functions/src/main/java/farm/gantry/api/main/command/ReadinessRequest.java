package farm.gantry.api.main.command;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

/** Asks the server on this machine whether it is ready. */
record ReadinessRequest(URI address) {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** Returns the request for a server with the port of its API and its settings. */
    static ReadinessRequest of(int port, Map<String, String> settings) {
        String host = settings.getOrDefault("gantry.monitoring.host", "127.0.0.1");
        String monitoring = settings.getOrDefault("gantry.monitoring.port", Integer.toString(port + 1));
        return new ReadinessRequest(URI.create("http://" + host + ":" + monitoring + "/health/ready"));
    }

    HttpResponse<String> send() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address).timeout(TIMEOUT).build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (ConnectException e) {
            throw new IOException("no server answers at " + address, e);
        }
    }
}
