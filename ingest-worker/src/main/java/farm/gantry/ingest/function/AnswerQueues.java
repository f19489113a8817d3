package farm.gantry.ingest.function;

import farm.gantry.part.Processing.Stage;
import farm.gantry.part.Processing.StageStatus;
import farm.gantry.wire.SliceResult;
import farm.gantry.wire.StageReport;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.arns.Arn;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SqsException;

/** The queues of results to the API; the messages are those of the local queues. */
record AnswerQueues(SqsClient sqs, ObjectMapper mapper, String stageReports, String sliceAnswers) {
    private static final Argument<List<StageReport>> REPORTS = Argument.listOf(StageReport.class);
    private static final Argument<SliceResult> ANSWER = Argument.of(SliceResult.class);
    /** The maximum size of several reports in one message, in bytes. */
    private static final int MAX_BYTES = 256 << 10;

    /**
     * Sends reports of one run, in their order. The queue deduplicates only what the client itself sends again: a
     * report of a repeated run is a new message with the same body. A message that the queue will never accept becomes
     * a failed stage.
     */
    void report(List<StageReport> reports) {
        String body = json(REPORTS, reports);
        if (reports.size() > 1 && MessageBody.bytes(body) > MAX_BYTES) {
            report(reports.subList(0, reports.size() / 2));
            report(reports.subList(reports.size() / 2, reports.size()));
            return;
        }
        String run = reports.getFirst().workflowKey();
        send(
                body,
                text -> sqs.sendMessage(message -> message.queueUrl(stageReports)
                        .messageGroupId(run)
                        .messageDeduplicationId(UUID.randomUUID().toString())
                        .messageBody(text)),
                reason -> json(
                        REPORTS,
                        reports.stream().map(report -> failed(report, reason)).toList()));
    }

    void answer(SliceResult answer) {
        send(
                json(ANSWER, answer),
                text -> sqs.sendMessage(
                        message -> message.queueUrl(sliceAnswers).messageBody(text)),
                reason -> json(ANSWER, new SliceResult(answer.storeId(), answer.sliceId(), null, reason)));
    }

    /** Makes a received message visible again after this time. */
    void retry(SqsBatch.Message message, Duration after) {
        Arn arn = Arn.fromString(Objects.requireNonNull(message.eventSourceARN()));
        String queue = sqs.getQueueUrl(request -> request.queueOwnerAWSAccountId(
                                arn.accountId().orElseThrow())
                        .queueName(arn.resourceAsString()))
                .queueUrl();
        sqs.changeMessageVisibility(request -> request.queueUrl(queue)
                .receiptHandle(message.receiptHandle())
                .visibilityTimeout(Math.toIntExact(after.toSeconds())));
    }

    private static StageReport failed(StageReport report, String reason) {
        Stage stage = report.stage();
        return new StageReport(
                report.storeId(),
                report.partId(),
                report.workflowKey(),
                new Stage(stage.key(), StageStatus.failed, stage.attempts(), reason),
                null);
    }

    /** Sends the body; if the queue will never accept it, sends one with the reason. */
    private static void send(String body, Consumer<String> queue, UnaryOperator<String> failed) {
        int bytes = MessageBody.bytes(body);
        if (bytes > MessageBody.MAX_BYTES) {
            queue.accept(failed.apply("The result cannot be sent: the queue takes no message of " + bytes + " bytes"));
            return;
        }
        try {
            queue.accept(body);
        } catch (SqsException fault) {
            if (!MessageBody.isRefused(fault)) {
                throw fault;
            }
            queue.accept(failed.apply("The result cannot be sent: the queue refused its " + bytes + " bytes, "
                    + fault.awsErrorDetails().errorMessage()));
        }
    }

    private <T> String json(Argument<T> type, T value) {
        try {
            return MessageBody.of(new String(mapper.writeValueAsBytes(type, value), StandardCharsets.UTF_8));
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }
}
