package farm.gantry.api.queue;

import farm.gantry.StoreId;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.wire.SliceAnswer;
import farm.gantry.wire.StageReport;
import io.micronaut.core.type.Argument;
import jakarta.inject.Singleton;
import java.util.List;

/** Reads the workers' results from messages, whichever queues these came by. */
@Singleton
public final class ResultMessages {
    static final Argument<List<StageReport>> REPORTS = Argument.listOf(StageReport.class);
    private static final Argument<SliceAnswer> ANSWER = Argument.of(SliceAnswer.class);

    private final JsonCodec json;

    ResultMessages(JsonCodec json) {
        this.json = json;
    }

    /** Applies a message of either queue on the API's side: stage reports come as a list, an answer alone. */
    public void apply(String body, IngestReportHandler reports, SliceResultHandler slices) {
        if (body.startsWith("[")) {
            reports.apply(json.read(body, REPORTS));
        } else {
            SliceAnswer answer = json.read(body, ANSWER);
            slices.apply(new StoreId(answer.storeId()), answer);
        }
    }
}
