package farm.gantry.api.queue;

import farm.gantry.StoreId;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.api.store.QueueMessages;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.SliceAnswer;
import farm.gantry.wire.StageReport;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;

/** Passes results through queues, from a worker in another process to the API. */
@Bean(typed = QueuedResults.class)
@Singleton
@Requires(missingProperty = "gantry.aws.queue-prefix")
public final class QueuedResults implements IngestReportHandler, SliceResultHandler {
    private final QueueMessages messages;
    private final JsonCodec json;
    private final ResultMessages results;

    QueuedResults(QueueMessages messages, JsonCodec json, ResultMessages results) {
        this.messages = messages;
        this.json = json;
        this.results = results;
    }

    /** Only the API can tell; in this process every request is worked on. */
    @Override
    public boolean isWanted(IngestRequest request) {
        return true;
    }

    @Override
    public void apply(List<StageReport> reports) {
        messages.add(
                Queues.STAGE_REPORTS, reports.getFirst().workflowKey(), json.write(ResultMessages.REPORTS, reports));
    }

    @Override
    public void apply(StoreId store, SliceAnswer answer) {
        messages.add(Queues.SLICE_ANSWERS, null, json.write(answer));
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
