package farm.gantry.api.main.admin;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.api.aws.DeadLetters;
import farm.gantry.ingest.function.emulator.Queues;
import farm.gantry.ingest.function.emulator.SdkSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Tests the operator's command that moves dead letters back to their queues. */
@Tag("install")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class QueueCommandsTest {
    private Queues queues;
    private String prefix;

    @BeforeAll
    void start() {
        queues = new Queues();
        DeadLetters.queues().forEach(name -> {
            String dead = queue(DeadLetters.deadLetterQueueOf(name), Map.of());
            queue(
                    name,
                    Map.of(
                            QueueAttributeName.VISIBILITY_TIMEOUT,
                            "0",
                            QueueAttributeName.REDRIVE_POLICY,
                            "{\"maxReceiveCount\":\"2\",\"deadLetterTargetArn\":\"" + arn(dead) + "\"}"));
        });
        String any = queues.newQueue();
        prefix = any.substring(0, any.lastIndexOf('/') + 1);
    }

    @AfterAll
    void stop() {
        queues.stop();
    }

    private String queue(String name, Map<QueueAttributeName, String> attributes) {
        Map<QueueAttributeName, String> all = new HashMap<>(attributes);
        if (name.endsWith(".fifo")) {
            all.put(QueueAttributeName.FIFO_QUEUE, "true");
        }
        return queues.client()
                .createQueue(request -> request.queueName(name).attributes(all))
                .queueUrl();
    }

    private String arn(String url) {
        return Objects.requireNonNull(queues.client()
                .getQueueAttributes(request -> request.queueUrl(url).attributeNames(QueueAttributeName.QUEUE_ARN))
                .attributes()
                .get(QueueAttributeName.QUEUE_ARN));
    }

    private List<String> awaited(String queue, int count) {
        List<String> bodies = new ArrayList<>();
        long patience = System.nanoTime() + Duration.ofMinutes(5).toNanos();
        while (bodies.size() < count) {
            assertThat(System.nanoTime()).as(queue + " has " + bodies).isLessThan(patience);
            for (Message message : queues.receive(prefix + queue)) {
                bodies.add(message.body());
                queues.delete(prefix + queue, message);
            }
        }
        return bodies;
    }

    /** Receives the message until it becomes a dead letter. */
    private void fail(String queue) {
        while (!queues.receive(prefix + queue).isEmpty()) {
            assertThat(queue).isNotEmpty();
        }
    }

    private int redrive(String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("queues", "redrive", "--region", SdkSettings.REGION, "--queue-prefix", prefix));
        arguments.addAll(List.of(more));
        return AdminCommand.execute(arguments.toArray(String[]::new));
    }

    @Test
    void deadLettersAreMovedBackToTheirQueues() {
        queues.send(prefix + "ingest", "one");
        queues.send(prefix + "ingest", "two");
        queues.send(prefix + "webhooks", "three");
        queues.client()
                .sendMessage(message -> message.queueUrl(prefix + "stage-reports.fifo")
                        .messageGroupId("run")
                        .messageDeduplicationId(Id.next())
                        .messageBody("four"));
        List.of("ingest", "webhooks").forEach(this::fail);
        fail("stage-reports.fifo");
        assertThat(queues.receive(prefix + "ingest")).isEmpty();
        assertThat(redrive()).isZero();
        assertThat(awaited("ingest", 2)).containsExactlyInAnyOrder("one", "two");
        assertThat(awaited("webhooks", 1)).containsExactly("three");
        assertThat(awaited("stage-reports.fifo", 1)).containsExactly("four");
    }

    @Test
    void unknownQueueIsRejected() {
        assertThat(redrive("--queue", "others")).isEqualTo(1);
    }
}
