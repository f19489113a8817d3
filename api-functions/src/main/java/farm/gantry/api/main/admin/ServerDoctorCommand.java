package farm.gantry.api.main.admin;

import farm.gantry.api.aws.DeadLetters;
import farm.gantry.api.file.FileStorage;
import farm.gantry.api.main.InstallSecretsCheck;
import farm.gantry.api.main.doctor.DatabaseChecks;
import farm.gantry.api.main.doctor.Finding;
import farm.gantry.api.main.doctor.MachineChecks;
import farm.gantry.api.settings.ServerSettings;
import farm.gantry.file.FileUri;
import io.micronaut.context.ApplicationContext;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * {@code gantry-admin doctor}: checks what the API of an installation needs. It changes nothing: the database of a
 * stopped server stays stopped and is not checked.
 */
@Command(
        name = "doctor",
        description =
                "Checks the database, its secrets, the file storage and the queues. Changes nothing; exits with 1 if a"
                        + " check fails.")
public final class ServerDoctorCommand implements Callable<Integer> {
    /** Has the form of a store's id, and is none. */
    private static final String PROBE = "doctordoctordoctordoctor";

    @ParentCommand
    private final AdminCommand admin = new AdminCommand();

    @Override
    public Integer call() {
        List<Finding> findings =
                admin.jdbcUrl == null && !admin.isForInstallationOfCaller() ? checkFolder() : checkWithBeans();
        findings.forEach(finding -> admin.out().println(finding.line()));
        return findings.stream().anyMatch(Finding::isFailure) ? 1 : 0;
    }

    private List<Finding> checkFolder() {
        MachineChecks machine = new MachineChecks(
                admin.data.toAbsolutePath().normalize(), new ServerSettings(Map.of(), System.getenv()), Instant.now());
        List<Finding> findings = new ArrayList<>(machine.run());
        findings.addAll(new DatabaseChecks(ServerDoctorCommand::checkInstallation).ofFolder(machine.data()));
        return findings;
    }

    private List<Finding> checkWithBeans() {
        try {
            return admin.with(ServerDoctorCommand::checkInstallation);
        } catch (Exception e) {
            return List.of(Finding.failure("database and secrets", e));
        }
    }

    /** Returns the findings on the database, its secrets, the file storage and, on AWS, the queues. */
    public static List<Finding> checkInstallation(ApplicationContext context) {
        List<Finding> findings = new ArrayList<>();
        findings.add(Finding.of("database and secrets", () -> {
            InstallSecretsCheck.checkDatabase(context);
            return Optional.empty();
        }));
        findings.add(Finding.of("file storage", () -> {
            FileStorage files = context.getBean(FileStorage.class);
            files.exists(FileUri.upload(PROBE, PROBE + ".gcode"));
            return files.isFull() ? Optional.of("it is full; free disk space") : Optional.empty();
        }));
        context.getProperty("gantry.aws.queue-prefix", String.class)
                .ifPresent(prefix -> findings.addAll(checkQueues(context, prefix)));
        return findings;
    }

    private static List<Finding> checkQueues(ApplicationContext context, String prefix) {
        DeadLetters dead = new DeadLetters(context.getBean(SqsClient.class), prefix);
        return DeadLetters.queues().stream()
                .map(queue -> Finding.of("queue " + queue, () -> {
                    int count = dead.count(queue);
                    return count == 0
                            ? Optional.empty()
                            : Optional.of(
                                    "about " + count + " dead letters; read the log of its function, mend the cause,"
                                            + " then run queues redrive");
                }))
                .toList();
    }
}
