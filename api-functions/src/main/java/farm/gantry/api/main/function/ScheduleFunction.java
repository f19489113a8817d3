package farm.gantry.api.main.function;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import farm.gantry.api.schedule.Scheduler;
import io.micronaut.context.ApplicationContext;

/** Runs a scheduling round of each store that the event names; rounds of one store wait for each other in the database. */
public final class ScheduleFunction implements RequestHandler<SQSEvent, SQSBatchResponse> {
    private final Scheduler scheduler;

    /** As Lambda makes it. */
    public ScheduleFunction() {
        this(FunctionContext.start());
    }

    public ScheduleFunction(ApplicationContext context) {
        this.scheduler = context.getBean(Scheduler.class);
    }

    @Override
    public SQSBatchResponse handleRequest(SQSEvent event, Context context) {
        return new SqsMessages(event).handleEachStore(scheduler::runRound);
    }
}
