package farm.gantry.api.main.command;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code health}: whether the server on this machine is ready, for the health check of a container. */
@Command(
        name = "health",
        mixinStandardHelpOptions = true,
        description =
                "Prints whether the server on this machine is ready to serve requests; exits with 1 if it is not.")
final class Health implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    @Option(names = "--port", defaultValue = "8080", description = "port of the server (${DEFAULT-VALUE})")
    int port;

    @Option(names = "--set", description = "a configuration key, as name=value")
    Map<String, String> settings = Map.of();

    @Override
    public Integer call() throws IOException, InterruptedException {
        String host = settings.getOrDefault("gantry.monitoring.host", "127.0.0.1");
        String monitoring = settings.getOrDefault("gantry.monitoring.port", Integer.toString(port + 1));
        URI address = URI.create("http://" + host + ":" + monitoring + "/health/ready");
        HttpRequest request = HttpRequest.newBuilder(address).timeout(TIMEOUT).build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            System.out.println(response.body());
            return response.statusCode() == 200 ? 0 : 1;
        } catch (ConnectException e) {
            throw new IOException("no server answers at " + address, e);
        }
    }
}
