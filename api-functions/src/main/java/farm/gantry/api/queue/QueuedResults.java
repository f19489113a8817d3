package farm.gantry.api.queue;

import farm.gantry.StoreId;
import farm.gantry.api.store.QueueMessages;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.SliceAnswer;
import farm.gantry.wire.StageReport;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Requires;
import io.micronaut.serde.ObjectMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** Passes results through queues, from a worker in another process to the API. */
@Bean(typed = QueuedResults.class)
@Singleton
@Requires(missingProperty = "gantry.aws.queue-prefix")
public final class QueuedResults implements IngestReportHandler, SliceResultHandler {
    private final QueueMessages messages;
    private final ObjectMapper mapper;
    private final ResultMessages results;

    QueuedResults(QueueMessages messages, ObjectMapper mapper, ResultMessages results) {
        this.messages = messages;
        this.mapper = mapper;
        this.results = results;
    }

    /** Only the API can tell; in this process every request is worked on. */
    @Override
    public boolean isWanted(IngestRequest request) {
        return true;
    }

    @Override
    public void apply(List<StageReport> reports) {
        try {
            messages.add(
                    Queues.STAGE_REPORTS,
                    reports.getFirst().workflowKey(),
                    new String(mapper.writeValueAsBytes(ResultMessages.REPORTS, reports), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void apply(StoreId store, SliceAnswer answer) {
        try {
            messages.add(Queues.SLICE_ANSWERS, null, mapper.writeValueAsString(answer));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Consumes the workers' results on the API's side. */
    public List<Loop> start(
            QueueConsumer consumer,
            Signal signal,
            Duration every,
            IngestReportHandler reports,
            SliceResultHandler slices) {
        QueueConsumer.MessageHandler work = message -> results.apply(message.body(), reports, slices);
        return List.of(
                consumer.start(Queues.STAGE_REPORTS, signal, every, work),
                consumer.start(Queues.SLICE_ANSWERS, signal, every, work));
    }
}
