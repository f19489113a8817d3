package farm.gantry.api.queue;

import farm.gantry.api.store.Outbox;
import farm.gantry.ingest.worker.DeadLetter;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.SliceRequest;
import io.micronaut.context.BeanProvider;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.ObjectMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Fails the part or the slice whose request no queue takes, as the worker fails one that it cannot read. */
@Singleton
public final class RefusedRequests {
    private final ObjectMapper mapper;
    /** These send requests themselves, by way of whoever calls this. */
    private final BeanProvider<IngestReportHandler> reports;

    private final BeanProvider<SliceResultHandler> slices;

    RefusedRequests(
            ObjectMapper mapper, BeanProvider<IngestReportHandler> reports, BeanProvider<SliceResultHandler> slices) {
        this.mapper = mapper;
        this.reports = reports;
        this.slices = slices;
    }

    /** May be called again for the same message. */
    public void fail(Outbox.Message message, String reason) {
        if (message.queue().equals(Queues.SLICE)) {
            slices.get().apply(message.store(), DeadLetter.refused(read(message, SliceRequest.class), reason));
        } else if (Stream.of(Lane.values()).map(Lane::queue).anyMatch(message.queue()::equals)) {
            reports.get().apply(List.of(DeadLetter.refused(read(message, IngestRequest.class), reason)));
        }
    }

    private <T> T read(Outbox.Message message, Class<T> type) {
        try {
            return Objects.requireNonNull(mapper.readValue(message.body(), Argument.of(type)));
        } catch (IOException e) {
            throw new UncheckedIOException("a queued request cannot be read", e);
        }
    }
}
