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
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code doctor}: checks the server on this machine and what it needs, and prints how to fix each problem. It changes
 * nothing and works whether the server runs or not.
 */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        description = "Checks the server on this machine: data folder, disk, database, port, certificate, programs and"
                + " backups. Changes nothing; exits with 1 if a check fails.")
final class MachineDoctorCommand implements Callable<Integer> {
    private static final int CONNECT_MILLIS = 2_000;
    private static final String START = "start it, as with: sudo systemctl start gantry";

    @Spec
    private CommandSpec spec = CommandSpec.create();

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

    @Override
    public Integer call() throws InterruptedException {
        MachineChecks machine = new MachineChecks(
                data.toAbsolutePath().normalize(), new ServerSettings(settings, System.getenv()), Instant.now());
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
        findings.forEach(finding -> spec.commandLine().getOut().println(finding.line()));
        return findings.stream().anyMatch(Finding::isFailure) ? 1 : 0;
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
            HttpResponse<String> response = ReadinessRequest.of(port, settings).send();
            return response.statusCode() == 200
                    ? Finding.ok(check)
                    : Finding.failure(check, SignInLinkCommand.readMember(response.body(), "reason"));
        } catch (IOException e) {
            return Finding.failure(check, e.getMessage() + "; " + START);
        }
    }
}
