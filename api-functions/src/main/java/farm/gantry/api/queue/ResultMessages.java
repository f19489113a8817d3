package farm.gantry.api.queue;

import farm.gantry.StoreId;
import farm.gantry.wire.SliceAnswer;
import farm.gantry.wire.StageReport;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.ObjectMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/** Reads the workers' results from messages, whichever queues these came by. */
@Singleton
public final class ResultMessages {
    static final Argument<List<StageReport>> REPORTS = Argument.listOf(StageReport.class);
    private static final Argument<SliceAnswer> ANSWER = Argument.of(SliceAnswer.class);

    private final ObjectMapper mapper;

    ResultMessages(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    /** Applies a message of either queue on the API's side: stage reports come as a list, an answer alone. */
    public void apply(String body, IngestReportHandler reports, SliceResultHandler slices) {
        if (body.startsWith("[")) {
            reports.apply(read(body, REPORTS));
        } else {
            SliceAnswer answer = read(body, ANSWER);
            slices.apply(new StoreId(answer.storeId()), answer);
        }
    }

    private <T> T read(String body, Argument<T> type) {
        try {
            return Objects.requireNonNull(mapper.readValue(body, type));
        } catch (IOException e) {
            throw new UncheckedIOException("a queued answer cannot be read", e);
        }
    }
}
