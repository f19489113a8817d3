package farm.gantry.api.queue;

import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.SliceRequest;
import farm.gantry.wire.SliceResult;
import farm.gantry.wire.StageReport;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;

/** Sends results through queues, from a worker in another process to the API. */
@Bean(typed = QueuedResultSender.class)
@Singleton
@Requires(missingProperty = "gantry.aws.queue-prefix")
public final class QueuedResultSender implements IngestReportHandler, SliceResultHandler {
    private static final List<String> RESULTS = List.of(QueueNames.STAGE_REPORTS, QueueNames.SLICE_ANSWERS);

    private final Database database;
    private final SliceRows rows;
    private final QueueMessageRows messages;
    private final JsonCodec json;
    private final ResultMessages results;

    QueuedResultSender(
            Database database, SliceRows rows, QueueMessageRows messages, JsonCodec json, ResultMessages results) {
        this.database = database;
        this.rows = rows;
        this.messages = messages;
        this.json = json;
        this.results = results;
    }

    /** Always true: only the API knows whether the run is still needed. */
    @Override
    public boolean isWanted(IngestRequest request) {
        return true;
    }

    @Override
    public void apply(List<StageReport> reports) {
        messages.add(
                QueueNames.STAGE_REPORTS,
                reports.getFirst().workflowKey(),
                json.write(ResultMessages.REPORTS, reports));
    }

    /** Skips slices of cancelled jobs and duplicates, so that they do not delay the others. */
    @Override
    public boolean isWanted(StoreId store, SliceRequest request) {
        return database.in(store, tx -> rows.isWanted(tx, request.sliceId()));
    }

    @Override
    public void apply(StoreId store, SliceResult answer) {
        messages.add(QueueNames.SLICE_ANSWERS, null, json.write(answer));
    }

    /** Consumes the workers' results on the API's side; one process asks for results at the interval. */
    public List<WorkLoop> start(
            QueueConsumer consumer,
            Signal signal,
            Duration every,
            WorkLease lease,
            IngestReportHandler reports,
            SliceResultHandler slices) {
        QueueConsumer.MessageHandler work = message -> results.apply(message.body(), reports, slices);
        return List.of(
                WorkLoop.start("queue-poll", new Signal(), every, lease, () -> consumer.poll(RESULTS, signal)),
                consumer.start(QueueNames.STAGE_REPORTS, signal, work),
                consumer.start(QueueNames.SLICE_ANSWERS, signal, work));
    }
}
