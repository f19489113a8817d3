package farm.gantry.api.aws;

import farm.gantry.Id;
import farm.gantry.api.queue.QueueNames;
import java.util.List;
import java.util.Objects;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Manages the dead-letter queues. Each has the name of its source queue with a suffix. */
public final class DeadLetters {
    private static final String SUFFIX = "-dead";
    private static final String FIFO = ".fifo";

    private final SqsClient sqs;
    private final String prefix;

    /** {@code prefix} is the prefix of all queue URLs. */
    public DeadLetters(SqsClient sqs, String prefix) {
        this.sqs = sqs;
        this.prefix = prefix;
    }

    /** Returns the names of all queues with a dead-letter queue. */
    public static List<String> queues() {
        return List.of(
                QueueNames.INGEST,
                QueueNames.INGEST_MODEL,
                QueueNames.INGEST_HEAVY,
                QueueNames.SLICE,
                QueueNames.STAGE_REPORTS + FIFO,
                QueueNames.SLICE_ANSWERS,
                QueueNames.SCHEDULE,
                QueueNames.WEBHOOKS);
    }

    /** Returns the name of a queue's dead-letter queue. */
    public static String deadLetterQueueOf(String queue) {
        return queue.endsWith(FIFO)
                ? queue.substring(0, queue.length() - FIFO.length()) + SUFFIX + FIFO
                : queue + SUFFIX;
    }

    /**
     * Moves the dead letters back to their queue, where their receive count restarts; returns their approximate number.
     */
    public int redrive(String queue) {
        return queue.endsWith(FIFO)
                ? resend(prefix + deadLetterQueueOf(queue), prefix + queue)
                : startMoveTask(prefix + deadLetterQueueOf(queue), prefix + queue);
    }

    /** Returns the approximate number of dead letters of a queue. */
    public int count(String queue) {
        return countMessages(prefix + deadLetterQueueOf(queue));
    }

    private int countMessages(String url) {
        return Integer.parseInt(attribute(url, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES));
    }

    /** SQS moves the messages itself, even after this process has ended. */
    private int startMoveTask(String dead, String queue) {
        int waiting = countMessages(dead);
        if (waiting > 0) {
            String from = attribute(dead, QueueAttributeName.QUEUE_ARN);
            String to = attribute(queue, QueueAttributeName.QUEUE_ARN);
            sqs.startMessageMoveTask(task -> task.sourceArn(from).destinationArn(to));
        }
        return waiting;
    }

    /**
     * Sends each message again, in order, before deleting it. SQS's own move would keep the deduplication id, so a FIFO
     * queue would drop the message as a duplicate.
     */
    private int resend(String dead, String queue) {
        int sent = 0;
        for (List<Message> some = receive(dead); !some.isEmpty(); some = receive(dead)) {
            for (Message message : some) {
                sqs.sendMessage(again -> again.queueUrl(queue)
                        .messageGroupId(message.attributes().get(MessageSystemAttributeName.MESSAGE_GROUP_ID))
                        .messageDeduplicationId(Id.next())
                        .messageBody(message.body()));
                sqs.deleteMessage(done -> done.queueUrl(dead).receiptHandle(message.receiptHandle()));
                sent++;
            }
        }
        return sent;
    }

    private List<Message> receive(String url) {
        return sqs.receiveMessage(request -> request.queueUrl(url)
                        .maxNumberOfMessages(10)
                        .messageSystemAttributeNames(MessageSystemAttributeName.MESSAGE_GROUP_ID))
                .messages();
    }

    private String attribute(String url, QueueAttributeName name) {
        return Objects.requireNonNull(
                sqs.getQueueAttributes(request -> request.queueUrl(url).attributeNames(name))
                        .attributes()
                        .get(name));
    }
}
