package farm.gantry.ingest.function;

import farm.gantry.wire.SliceAnswer;
import farm.gantry.wire.StageReport;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The queues of results to the API; the messages are those of the local queues. */
record AnswerQueues(SqsClient sqs, ObjectMapper mapper, String stageReports, String sliceAnswers) {
    private static final Argument<List<StageReport>> REPORTS = Argument.listOf(StageReport.class);
    private static final Argument<SliceAnswer> ANSWER = Argument.of(SliceAnswer.class);
    /** The default limit of a message's size. */
    private static final int MOST_BYTES = 256 << 10;

    /**
     * Takes reports of one run, in their order. The queue drops only what the client itself sends again: a report of a
     * repeated run is a new message with the same body.
     */
    void report(List<StageReport> reports) {
        String body = json(REPORTS, reports);
        if (body.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES && reports.size() > 1) {
            report(reports.subList(0, reports.size() / 2));
            report(reports.subList(reports.size() / 2, reports.size()));
            return;
        }
        sqs.sendMessage(message -> message.queueUrl(stageReports)
                .messageGroupId(reports.getFirst().workflowKey())
                .messageDeduplicationId(UUID.randomUUID().toString())
                .messageBody(body));
    }

    void answer(SliceAnswer answer) {
        String body = json(ANSWER, answer);
        sqs.sendMessage(message -> message.queueUrl(sliceAnswers).messageBody(body));
    }

    private <T> String json(Argument<T> type, T value) {
        try {
            return MessageBody.of(new String(mapper.writeValueAsBytes(type, value), StandardCharsets.UTF_8));
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }
}
