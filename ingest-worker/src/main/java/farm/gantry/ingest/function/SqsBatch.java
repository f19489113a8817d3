package farm.gantry.ingest.function;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import com.fasterxml.jackson.annotation.JsonProperty;
import farm.gantry.ingest.worker.DeadLetter;
import farm.gantry.ingest.worker.ReportBuffer;
import farm.gantry.ingest.worker.Worker;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.SliceResult;
import farm.gantry.wire.SliceRequest;
import farm.gantry.wire.StageReport;
import io.micronaut.core.type.Argument;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.ObjectMapper;
import io.micronaut.serde.annotation.Serdeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles batches of SQS messages. The response names each failed message by its id, and SQS redelivers it alone; one
 * that was received too often is failed as a dead letter.
 */
public final class SqsBatch {
    private static final Logger LOG = LoggerFactory.getLogger(SqsBatch.class);
    private static final String RECEIVES = "ApproximateReceiveCount";
    private static final long LATE_MILLIS = 100;
    /** The first retry delay; it grows with each receive, up to half an hour in all until a message is given up. */
    private static final Duration RETRY = Duration.ofMinutes(2);

    private final Worker worker;
    private final ObjectMapper mapper;
    private final Consumer<List<StageReport>> reports;
    private final Consumer<SliceResult> answers;
    private final BiConsumer<Message, Duration> retries;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("late-reports").factory());

    /**
     * {@code reports} receives the reports of one run at a time, in their order; {@code retries} receives a message
     * whose files are unreachable, with the delay until its redelivery.
     */
    public SqsBatch(
            Worker worker,
            ObjectMapper mapper,
            Consumer<List<StageReport>> reports,
            Consumer<SliceResult> answers,
            BiConsumer<Message, Duration> retries) {
        this.worker = worker;
        this.mapper = mapper;
        this.reports = reports;
        this.answers = answers;
        this.retries = retries;
    }

    /** The event as SQS sends it. */
    @Serdeable
    public record Event(@JsonProperty("Records") List<Message> records) {}

    @Serdeable
    public record Message(
            String messageId,
            String body,
            @Nullable Map<String, String> attributes,
            @Nullable String receiptHandle,
            @Nullable String eventSourceARN) {}

    @Serdeable
    public record Answer(List<Failure> batchItemFailures) {}

    @Serdeable
    public record Failure(String itemIdentifier) {}

    /** Handles the event and returns the response, both as JSON. */
    public byte[] handle(byte[] event) throws IOException {
        return mapper.writeValueAsBytes(
                handle(Objects.requireNonNull(mapper.readValue(event, Argument.of(Event.class)))));
    }

    Answer handle(Event event) {
        List<Failure> failures = new ArrayList<>();
        for (Message message : event.records()) {
            try {
                work(message);
            } catch (UncheckedIOException outOfReach) {
                LOG.warn(
                        "message {} failed because its files are unreachable, redelivering it",
                        message.messageId(),
                        outOfReach);
                failures.add(new Failure(message.messageId()));
                retrySoon(message);
            } catch (IOException | RuntimeException unfinished) {
                LOG.error("message {} failed, redelivering it", message.messageId(), unfinished);
                failures.add(new Failure(message.messageId()));
            }
        }
        return new Answer(failures);
    }

    /**
     * Makes the message visible sooner than its visibility timeout, which assumes that a worker is still busy with it.
     */
    private void retrySoon(Message message) {
        try {
            retries.accept(message, RETRY.multipliedBy(receives(message)));
        } catch (RuntimeException e) {
            LOG.warn("message {} will be redelivered only after its visibility timeout", message.messageId(), e);
        }
    }

    private void work(Message message) throws IOException {
        byte[] body = message.body().getBytes(StandardCharsets.UTF_8);
        JsonNode json = mapper.readValue(body, Argument.of(JsonNode.class));
        boolean isDeadLetter = DeadLetter.isDue(receives(message));
        if (json != null && json.get("sliceId") != null) {
            SliceRequest request = Objects.requireNonNull(mapper.readValue(body, Argument.of(SliceRequest.class)));
            answers.accept(isDeadLetter ? DeadLetter.answer(request) : worker.slice(request));
        } else {
            IngestRequest request = Objects.requireNonNull(mapper.readValue(body, Argument.of(IngestRequest.class)));
            Objects.requireNonNull(request.workflowKey(), "the message is no request");
            if (isDeadLetter) {
                reports.accept(List.of(DeadLetter.report(request)));
            } else {
                ingest(request);
            }
        }
    }

    private void ingest(IngestRequest request) {
        ReportBuffer run = new ReportBuffer(reports);
        Future<?> late = clock.scheduleAtFixedRate(() -> flushDue(run), LATE_MILLIS, LATE_MILLIS, MILLISECONDS);
        try {
            worker.ingest(request, run::add);
        } finally {
            late.cancel(false);
            run.flush();
        }
    }

    /** Sends due reports; the final flush retries a failure. */
    private static void flushDue(ReportBuffer run) {
        try {
            run.flushDue();
        } catch (RuntimeException transientFault) {
            LOG.warn("cannot send reports, retrying with the next ones", transientFault);
        }
    }

    private static int receives(Message message) {
        Map<String, String> attributes = message.attributes();
        return attributes == null ? 1 : Integer.parseInt(attributes.getOrDefault(RECEIVES, "1"));
    }
}
