package farm.gantry.api.aws;

import farm.gantry.api.store.Outbox;
import farm.gantry.api.store.OutboxDispatch;
import farm.gantry.ingest.function.MessageBody;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResultEntry;

/**
 * Sends the outbox's messages to SQS, to the queue of the same name behind the configured prefix. What API and worker ask of
 * each other has no order, so these are standard queues, and who reads them bears what comes twice. A store is a message group, so that one with many
 * messages does not make the others wait.
 */
@Singleton
@Requires(property = "gantry.aws.queue-prefix")
final class SqsDispatch implements OutboxDispatch {
    private static final Logger LOG = LoggerFactory.getLogger(SqsDispatch.class);
    /** Of a batch, together. */
    private static final int MOST_BYTES = 256 << 10;

    private final Outbox outbox;
    private final SqsClient sqs;
    private final @Nullable String prefix;

    SqsDispatch(Outbox outbox, SqsClient sqs, AwsSettings settings) {
        this.outbox = outbox;
        this.sqs = sqs;
        this.prefix = settings.queuePrefix();
    }

    @Override
    public int relay() {
        return outbox.relay(this::send);
    }

    private Set<String> send(List<Outbox.Message> messages) {
        Set<String> sent = new HashSet<>();
        Map<String, List<Outbox.Message>> queues =
                messages.stream().collect(Collectors.groupingBy(Outbox.Message::queue));
        queues.forEach((queue, some) -> send(queue, some, sent));
        return sent;
    }

    private void send(String queue, List<Outbox.Message> messages, Set<String> sent) {
        if (messages.size() > 1 && bytes(messages) > MOST_BYTES) {
            send(queue, messages.subList(0, messages.size() / 2), sent);
            send(queue, messages.subList(messages.size() / 2, messages.size()), sent);
            return;
        }
        try {
            SendMessageBatchResponse answer = sqs.sendMessageBatch(batch -> batch.queueUrl(prefix + queue)
                    .entries(messages.stream()
                            .map(message -> SendMessageBatchRequestEntry.builder()
                                    .id(message.id())
                                    .messageGroupId(message.store().value())
                                    .messageBody(MessageBody.of(message.body()))
                                    .build())
                            .toList()));
            answer.successful().stream().map(SendMessageBatchResultEntry::id).forEach(sent::add);
            answer.failed()
                    .forEach(failed ->
                            LOG.warn("message {} for {} is refused: {}", failed.id(), queue, failed.message()));
        } catch (SdkException fault) { // these wait on, and are tried by a later round; the others are sent
            LOG.warn("messages for {} are not sent yet", queue, fault);
        }
    }

    private static long bytes(List<Outbox.Message> messages) {
        return messages.stream()
                .mapToLong(message -> MessageBody.of(message.body()).getBytes(StandardCharsets.UTF_8).length)
                .sum();
    }
}
