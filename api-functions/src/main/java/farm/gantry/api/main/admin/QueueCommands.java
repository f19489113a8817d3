package farm.gantry.api.main.admin;

import farm.gantry.api.aws.DeadLetters;
import farm.gantry.ingest.function.AwsClients;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import software.amazon.awssdk.services.sqs.SqsClient;

/** {@code gantry-admin queues}: the queues of an install on AWS, with the operator's credentials. */
@Command(name = "queues", description = "The queues of an install on AWS.")
final class QueueCommands {

    @Command(
            name = "redrive",
            description = "Moves what failed too often back to its queue, to be tried again; prints about how many.")
    int redrive(
            @Option(names = "--region", required = true, defaultValue = "${env:GANTRY_AWS_REGION}") String region,
            @Option(
                            names = "--queue-prefix",
                            required = true,
                            defaultValue = "${env:GANTRY_AWS_QUEUE_PREFIX}",
                            description = "what the URL of each queue begins with, before its name")
                    String prefix,
            @Option(names = "--queue", description = "one of the queues; all without it") @Nullable String queue) {
        if (queue != null && !DeadLetters.queues().contains(queue)) {
            throw new IllegalArgumentException(
                    "there is no queue " + queue + "; the queues are " + DeadLetters.queues());
        }
        try (SqsClient sqs = AwsClients.newSqsClient(region)) {
            DeadLetters dead = new DeadLetters(sqs, prefix);
            for (String name : queue == null ? DeadLetters.queues() : List.of(queue)) {
                System.out.println(name + " " + dead.redrive(name));
            }
        }
        return 0;
    }
}
