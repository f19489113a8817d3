package farm.gantry.api.main.command;

import farm.gantry.api.main.admin.ServerDoctorCommand;
import farm.gantry.api.main.doctor.DatabaseChecks;
import farm.gantry.api.main.doctor.Finding;
import farm.gantry.api.main.doctor.MachineChecks;
import farm.gantry.api.settings.ServerSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that describe the server on this machine, and the checks of this server. */
final class MachineOptions {
    private static final int CONNECT_MILLIS = 2_000;
    private static final String START = "start it, as with: sudo systemctl start gantry";

    @Option(names = "--data", defaultValue = ".gantry", description = "data folder (default: ${DEFAULT-VALUE})")
    Path data = Path.of(".gantry");

    @Option(names = "--jdbc-url", description = "JDBC URL of an external database, with the environment of its API")
    @Nullable
    String jdbcUrl;

    @Option(names = "--port", defaultValue = "8080", description = "port of the API (default: ${DEFAULT-VALUE})")
    int port;

    @Option(
            names = "--host",
            defaultValue = "127.0.0.1",
            description = "address of the API (default: ${DEFAULT-VALUE})")
    String host = "127.0.0.1";

    @Option(names = "--set", description = "a setting as name=value; may be repeated")
    Map<String, String> settings = Map.of();

    ServerSettings serverSettings() {
        return new ServerSettings(settings, System.getenv());
    }

    /** Returns the findings of all checks. They change nothing. */
    List<Finding> check() throws InterruptedException {
        MachineChecks machine = new MachineChecks(data.toAbsolutePath().normalize(), serverSettings(), Instant.now());
        DatabaseChecks database = new DatabaseChecks(ServerDoctorCommand::checkInstallation);
        List<Finding> findings = new ArrayList<>(machine.run());
        findings.add(checkPort());
        findings.add(checkReadiness());
        if (jdbcUrl == null) {
            findings.addAll(database.ofFolder(machine.data()));
            findings.add(machine.checkBackup());
        } else {
            findings.addAll(database.ofUrl(jdbcUrl));
        }
        return findings;
    }

    private Finding checkPort() {
        String check = "port " + port + " open";
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
            return Finding.ok(check);
        } catch (IOException e) {
            return Finding.failure(check, "nothing listens at " + host + " port " + port + "; " + START);
        }
    }

    private Finding checkReadiness() throws InterruptedException {
        String check = "server ready";
        try {
            HttpResponse<String> response =
                    MonitoringRequest.readiness(port, settings).send();
            return response.statusCode() == 200
                    ? Finding.ok(check)
                    : Finding.failure(check, SignInLinkCommand.readMember(response.body(), "reason"));
        } catch (IOException e) {
            return Finding.failure(check, e.getMessage() + "; " + START);
        }
    }
}
