package farm.gantry.api.main.command;

import java.io.IOException;
import java.net.http.HttpResponse;
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
    @Option(names = "--port", defaultValue = "8080", description = "port of the server (${DEFAULT-VALUE})")
    int port;

    @Option(names = "--set", description = "a configuration key, as name=value")
    Map<String, String> settings = Map.of();

    @Override
    public Integer call() throws IOException, InterruptedException {
        HttpResponse<String> response =
                MonitoringRequest.readiness(port, settings).send();
        System.out.println(response.body());
        return response.statusCode() == 200 ? 0 : 1;
    }
}
