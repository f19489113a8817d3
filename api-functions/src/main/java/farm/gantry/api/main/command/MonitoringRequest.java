package farm.gantry.api.main.command;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

/** A request for the health or the metrics of the server on this machine. */
record MonitoringRequest(URI address) {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** Returns the request for the readiness of a server with the port of its API and its settings. */
    static MonitoringRequest readiness(int port, Map<String, String> settings) {
        return of("/health/ready", port, settings);
    }

    static MonitoringRequest metrics(int port, Map<String, String> settings) {
        return of("/metrics", port, settings);
    }

    private static MonitoringRequest of(String path, int port, Map<String, String> settings) {
        String host = settings.getOrDefault("gantry.monitoring.host", "127.0.0.1");
        String monitoring = settings.getOrDefault("gantry.monitoring.port", Integer.toString(port + 1));
        return new MonitoringRequest(URI.create("http://" + host + ":" + monitoring + path));
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
