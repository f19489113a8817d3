package farm.gantry.api.main.function;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import farm.gantry.Id;
import farm.gantry.api.database.SnapStartPreparation;
import farm.gantry.api.queue.Wakeups;
import farm.gantry.api.schedule.Scheduler;
import io.micronaut.context.ApplicationContext;

/** Runs a scheduling round for each store in the event. A database lock serialises the rounds of one store. */
public final class ScheduleFunction implements RequestHandler<SQSEvent, SQSBatchResponse> {
    private final Scheduler scheduler;

    /** Used by Lambda. */
    public ScheduleFunction() {
        this(FunctionContext.start());
    }

    public ScheduleFunction(ApplicationContext context) {
        this.scheduler = context.getBean(Scheduler.class);
        SnapStartPreparation.rehearse(context, () -> scheduler.runRound(Wakeups.parseStore(Id.next())));
    }

    @Override
    public SQSBatchResponse handleRequest(SQSEvent event, Context context) {
        return new SqsMessages(event).handleEachStore(scheduler::runRound);
    }
}
