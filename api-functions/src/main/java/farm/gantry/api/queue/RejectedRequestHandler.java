package farm.gantry.api.queue;

import farm.gantry.api.json.JsonCodec;
import farm.gantry.ingest.worker.DeadLetter;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.SliceRequest;
import io.micronaut.context.BeanProvider;
import io.micronaut.core.type.Argument;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.stream.Stream;

/** Fails the part or the slice whose request the queue rejected, like a request that the worker cannot read. */
@Singleton
public final class RejectedRequestHandler {
    private static final Argument<SliceRequest> SLICE = Argument.of(SliceRequest.class);
    private static final Argument<IngestRequest> INGEST = Argument.of(IngestRequest.class);

    private final JsonCodec json;
    /** Injected lazily, because the handlers depend on this class to send requests. */
    private final BeanProvider<IngestReportHandler> reports;

    private final BeanProvider<SliceResultHandler> slices;

    RejectedRequestHandler(
            JsonCodec json, BeanProvider<IngestReportHandler> reports, BeanProvider<SliceResultHandler> slices) {
        this.json = json;
        this.reports = reports;
        this.slices = slices;
    }

    /** May be called more than once for a message. */
    public void fail(OutboxRows.Message message, String reason) {
        if (message.queue().equals(QueueNames.SLICE)) {
            slices.get().apply(message.store(), DeadLetter.refused(json.read(message.body(), SLICE), reason));
        } else if (Stream.of(IngestLane.values()).map(IngestLane::queue).anyMatch(message.queue()::equals)) {
            reports.get().apply(List.of(DeadLetter.refused(json.read(message.body(), INGEST), reason)));
        }
    }
}
