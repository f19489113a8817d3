package farm.gantry.api.queue;

import farm.gantry.StoreId;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.wire.SliceResult;
import farm.gantry.wire.StageReport;
import io.micronaut.core.type.Argument;
import jakarta.inject.Singleton;
import java.util.List;

/** Parses the workers' results from messages of either queue. */
@Singleton
public final class ResultMessages {
    static final Argument<List<StageReport>> REPORTS = Argument.listOf(StageReport.class);
    private static final Argument<SliceResult> ANSWER = Argument.of(SliceResult.class);

    private final JsonCodec json;

    ResultMessages(JsonCodec json) {
        this.json = json;
    }

    /** Applies a message on the API's side: stage reports are a list, a slice result is a single object. */
    public void apply(String body, IngestReportHandler reports, SliceResultHandler slices) {
        if (body.startsWith("[")) {
            reports.apply(json.read(body, REPORTS));
        } else {
            SliceResult answer = json.read(body, ANSWER);
            slices.apply(new StoreId(answer.storeId()), answer);
        }
    }
}
