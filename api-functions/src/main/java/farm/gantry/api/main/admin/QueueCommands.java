package farm.gantry.api.main.admin;

import farm.gantry.api.aws.DeadLetters;
import farm.gantry.ingest.function.AwsClients;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * {@code gantry-admin queues}: manages the SQS queues of an installation on AWS with the credentials of the operator.
 */
@Command(name = "queues", description = "Manages the queues of an installation on AWS.")
final class QueueCommands {
    @ParentCommand
    private final AdminCommand admin = new AdminCommand();

    @Command(
            name = "redrive",
            description =
                    "Moves messages from the dead-letter queues back to their queues; prints the approximate number.")
    int redrive(
            @Option(names = "--region", required = true, defaultValue = "${env:GANTRY_AWS_REGION}") String region,
            @Option(
                            names = "--queue-prefix",
                            required = true,
                            defaultValue = "${env:GANTRY_AWS_QUEUE_PREFIX}",
                            description = "prefix of all queue URLs, before the name of the queue")
                    String prefix,
            @Option(names = "--queue", description = "name of the queue (default: all)") @Nullable String queue) {
        if (queue != null && !DeadLetters.queues().contains(queue)) {
            throw new IllegalArgumentException(
                    "there is no queue " + queue + "; the queues are " + DeadLetters.queues());
        }
        try (SqsClient sqs = AwsClients.newSqsClient(region)) {
            DeadLetters dead = new DeadLetters(sqs, prefix);
            for (String name : queue == null ? DeadLetters.queues() : List.of(queue)) {
                admin.out().println(name + " " + dead.redrive(name));
            }
        }
        return 0;
    }
}
