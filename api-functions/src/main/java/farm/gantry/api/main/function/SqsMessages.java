package farm.gantry.api.main.function;

import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import farm.gantry.StoreId;
import farm.gantry.api.queue.Wakeups;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messages of an SQS event. Handling them returns the failed ones and all later ones of their message group, which
 * SQS then delivers again.
 */
record SqsMessages(SQSEvent event) {
    private static final Logger LOG = LoggerFactory.getLogger(SqsMessages.class);
    private static final String GROUP = "MessageGroupId";

    /** Handles one message or store; an exception fails only that one. */
    @FunctionalInterface
    interface ItemHandler<T> {
        void handle(T what) throws Exception;
    }

    SQSBatchResponse handleEachMessage(ItemHandler<String> work) {
        List<SQSBatchResponse.BatchItemFailure> failures = new ArrayList<>();
        Set<String> failedGroups = new HashSet<>();
        for (SQSMessage message : event.getRecords()) {
            String group = groupOf(message);
            if (failedGroups.contains(group) || !tryHandle(message, work)) {
                failedGroups.add(group);
                failures.add(SQSBatchResponse.BatchItemFailure.builder()
                        .withItemIdentifier(message.getMessageId())
                        .build());
            }
        }
        return SQSBatchResponse.builder().withBatchItemFailures(failures).build();
    }

    /** Handles each store that the messages name once. */
    SQSBatchResponse handleEachStore(ItemHandler<StoreId> work) {
        Set<String> done = new HashSet<>();
        return handleEachMessage(message -> {
            if (!done.contains(message)) {
                work.handle(Wakeups.parseStore(message));
                done.add(message);
            }
        });
    }

    /** Returns the group of a message; an unordered message forms its own. */
    private static String groupOf(SQSMessage message) {
        Map<String, String> attributes = message.getAttributes();
        return attributes == null ? message.getMessageId() : attributes.getOrDefault(GROUP, message.getMessageId());
    }

    private static boolean tryHandle(SQSMessage message, ItemHandler<String> work) {
        try {
            work.handle(message.getBody());
            return true;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (Exception unfinished) {
            LOG.error("message {} failed and will be redelivered", message.getMessageId(), unfinished);
        }
        return false;
    }
}
