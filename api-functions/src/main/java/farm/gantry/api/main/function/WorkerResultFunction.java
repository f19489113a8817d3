package farm.gantry.api.main.function;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import farm.gantry.Id;
import farm.gantry.api.database.SnapStartPreparation;
import farm.gantry.api.part.PartIngest;
import farm.gantry.api.queue.ResultMessages;
import farm.gantry.api.queue.SliceResultHandler;
import io.micronaut.context.ApplicationContext;

/** Applies results of the worker: ingest stages of parts, in the order of each run, and slices. */
public final class WorkerResultFunction implements RequestHandler<SQSEvent, SQSBatchResponse> {
    private final ResultMessages results;
    private final PartIngest parts;
    private final SliceResultHandler slices;

    /** Used by Lambda. */
    public WorkerResultFunction() {
        this(FunctionContext.start());
    }

    public WorkerResultFunction(ApplicationContext context) {
        this.results = context.getBean(ResultMessages.class);
        this.parts = context.getBean(PartIngest.class);
        this.slices = context.getBean(SliceResultHandler.class);
        SnapStartPreparation.rehearse(context, () -> apply(reportOfUnknownPart()));
    }

    private static String reportOfUnknownPart() {
        return """
                [{"storeId": "%s", "partId": "%s", "workflowKey": "", "stage": {"key": "fetch", "status": "running"}}]""".formatted(Id.next(), Id.next());
    }

    @Override
    public SQSBatchResponse handleRequest(SQSEvent event, Context context) {
        return new SqsMessages(event).handleEachMessage(this::apply);
    }

    private void apply(String message) {
        results.apply(message, parts, slices);
    }
}
