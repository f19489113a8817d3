package farm.gantry.api.main.admin;

import farm.gantry.api.aws.DeadLetters;
import farm.gantry.api.file.FileStorage;
import farm.gantry.api.main.InstallSecretsCheck;
import farm.gantry.api.main.StartFailureMessage;
import farm.gantry.file.FileUri;
import io.micronaut.context.ApplicationContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;
import software.amazon.awssdk.services.sqs.SqsClient;

/** {@code gantry-admin doctor}: checks what the API of an installation needs. It changes nothing. */
@Command(
        name = "doctor",
        description =
                "Checks the database, its secrets, the file storage and the queues. Exits with 1 if a check fails.")
final class ServerDoctorCommand implements Callable<Integer> {
    /** Has the form of a store's id, and is none. */
    private static final String PROBE = "doctordoctordoctordoctor";

    @ParentCommand
    private final AdminCommand admin = new AdminCommand();

    /** The result of a check; {@code failure} is empty if it succeeded. */
    private record Finding(String check, Optional<String> failure) {
        String line() {
            return failure.map(text -> "FAIL  " + check + ": " + text).orElseGet(() -> "ok    " + check);
        }
    }

    @Override
    public Integer call() {
        List<Finding> findings;
        try {
            findings = admin.with(ServerDoctorCommand::checkInstallation);
        } catch (Exception e) {
            findings = List.of(new Finding("database and secrets", Optional.of(describe(e))));
        }
        findings.forEach(finding -> admin.out().println(finding.line()));
        return findings.stream().allMatch(finding -> finding.failure().isEmpty()) ? 0 : 1;
    }

    private static List<Finding> checkInstallation(ApplicationContext context) {
        List<Finding> findings = new ArrayList<>();
        findings.add(check("database and secrets", () -> {
            InstallSecretsCheck.checkDatabase(context);
            return Optional.empty();
        }));
        findings.add(check("file storage", () -> {
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
                .map(queue -> check("queue " + queue, () -> {
                    int count = dead.count(queue);
                    return count == 0
                            ? Optional.empty()
                            : Optional.of(
                                    "about " + count + " dead letters; read the log of its function, mend the cause,"
                                            + " then run queues redrive");
                }))
                .toList();
    }

    private static Finding check(String name, Supplier<Optional<String>> check) {
        try {
            return new Finding(name, check.get());
        } catch (RuntimeException e) {
            return new Finding(name, Optional.of(describe(e)));
        }
    }

    private static String describe(Exception failure) {
        return StartFailureMessage.findMessage(failure).orElseGet(failure::toString);
    }
}
