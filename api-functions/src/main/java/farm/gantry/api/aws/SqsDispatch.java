package farm.gantry.api.aws;

import farm.gantry.StoreId;
import farm.gantry.api.queue.OutboxDispatcher;
import farm.gantry.api.queue.OutboxRows;
import farm.gantry.api.queue.RejectedRequestHandler;
import farm.gantry.ingest.function.MessageBody;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
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
import software.amazon.awssdk.services.sqs.model.SqsException;

/**
 * Sends outbox messages to the SQS queues of the same name with the configured prefix. Requests between API and worker
 * are unordered and idempotent, so standard queues are used. The store is the message group, so that a store with many
 * messages does not delay the others.
 */
@Singleton
@Requires(property = "gantry.aws.queue-prefix")
final class SqsDispatch implements OutboxDispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(SqsDispatch.class);
    /** Maximum total size of a batch. */
    private static final int MAX_BYTES = 256 << 10;
    /** A caller waits for it, holding a database connection and a transaction. */
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    private static final int SERVER_ERROR = 500;

    private final OutboxRows outbox;
    private final RejectedRequestHandler requests;
    private final SqsClient sqs;
    private final @Nullable String prefix;

    SqsDispatch(OutboxRows outbox, RejectedRequestHandler requests, SqsClient sqs, AwsSettings settings) {
        this.outbox = outbox;
        this.requests = requests;
        this.sqs = sqs;
        this.prefix = settings.queuePrefix();
    }

    @Override
    public int relay() {
        return outbox.relay(new Sender());
    }

    @Override
    public int relay(StoreId store) {
        return outbox.relay(store, new Sender());
    }

    private final class Sender implements OutboxRows.Sender {
        @Override
        public OutboxRows.Outcome send(List<OutboxRows.Message> messages) {
            return SqsDispatch.this.send(messages);
        }

        @Override
        public void fail(OutboxRows.Message message, String reason) {
            requests.fail(message, reason);
        }
    }

    private OutboxRows.Outcome send(List<OutboxRows.Message> messages) {
        Set<String> sent = new HashSet<>();
        Map<String, String> refused = new HashMap<>();
        Map<String, List<OutboxRows.Message>> queues =
                messages.stream().map(SqsDispatch::escaped).collect(Collectors.groupingBy(OutboxRows.Message::queue));
        try {
            queues.forEach((queue, some) -> send(queue, some, sent, refused));
            return new OutboxRows.Outcome(sent, refused, true);
        } catch (SdkException outage) {
            LOG.warn("SQS is unreachable; messages stay in the outbox and are retried", outage);
            return new OutboxRows.Outcome(sent, refused, false);
        }
    }

    private static OutboxRows.Message escaped(OutboxRows.Message message) {
        return new OutboxRows.Message(message.store(), message.id(), message.queue(), MessageBody.of(message.body()));
    }

    private void send(String queue, List<OutboxRows.Message> messages, Set<String> sent, Map<String, String> refused) {
        long bytes = bytes(messages);
        if (messages.size() > 1 && bytes > MAX_BYTES) {
            send(queue, messages.subList(0, messages.size() / 2), sent, refused);
            send(queue, messages.subList(messages.size() / 2, messages.size()), sent, refused);
            return;
        }
        if (bytes > MessageBody.MAX_BYTES) {
            refused.put(messages.getFirst().id(), "a message of " + bytes + " bytes exceeds the queue's limit");
            return;
        }
        try {
            sendBatch(queue, messages, sent, refused);
        } catch (SqsException fault) {
            // one of the messages is at fault; send them one by one
            if (MessageBody.isRefused(fault) && messages.size() > 1) {
                messages.forEach(message -> send(queue, List.of(message), sent, refused));
            } else if (MessageBody.isRefused(fault)) {
                refused.put(
                        messages.getFirst().id(),
                        rejectionReason(fault.awsErrorDetails().errorMessage()));
            } else if (fault.statusCode() < SERVER_ERROR && !fault.isThrottlingException()) {
                // Only this queue failed; its messages are retried by a later round.
                LOG.warn("sending messages to queue {} failed, retrying", queue, fault);
            } else {
                throw fault;
            }
        }
    }

    private void sendBatch(
            String queue, List<OutboxRows.Message> messages, Set<String> sent, Map<String, String> refused) {
        SendMessageBatchResponse answer = sqs.sendMessageBatch(batch -> batch.queueUrl(prefix + queue)
                .entries(messages.stream().map(SqsDispatch::toEntry).toList())
                .overrideConfiguration(call -> call.apiCallTimeout(TIMEOUT)));
        answer.successful().stream().map(SendMessageBatchResultEntry::id).forEach(sent::add);
        answer.failed().forEach(failed -> {
            if (MessageBody.isRefused(failed)) {
                refused.put(failed.id(), rejectionReason(failed.message()));
            } else {
                LOG.warn("sending message {} to queue {} failed, retrying: {}", failed.id(), queue, failed.message());
            }
        });
    }

    private static String rejectionReason(String message) {
        return "the queue rejected the message: " + message;
    }

    private static SendMessageBatchRequestEntry toEntry(OutboxRows.Message message) {
        return SendMessageBatchRequestEntry.builder()
                .id(message.id())
                .messageGroupId(message.store().value())
                .messageBody(message.body())
                .build();
    }

    private static long bytes(List<OutboxRows.Message> messages) {
        return messages.stream()
                .mapToLong(message -> MessageBody.bytes(message.body()))
                .sum();
    }
}
