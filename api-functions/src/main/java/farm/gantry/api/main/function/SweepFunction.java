package farm.gantry.api.main.function;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import farm.gantry.api.link.AgentWatchdog;
import farm.gantry.api.promise.PromiseUpdater;
import farm.gantry.api.queue.OutboxRelay;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.webhook.WebhookDeliveries;
import io.micronaut.context.ApplicationContext;
import java.util.Map;

/** Once a minute: finds lost agents, and whatever lost wakeups were for; wakes other functions for the work. */
public final class SweepFunction implements RequestHandler<Map<String, Object>, String> {
    private final PeriodicTasks chores;

    /** As Lambda makes it. */
    public SweepFunction() {
        this(FunctionContext.start());
    }

    public SweepFunction(ApplicationContext context) {
        this.chores = new PeriodicTasks()
                .with("the watch on agents", context.getBean(AgentWatchdog.class)::checkTimeouts)
                .with("scheduling", context.getBean(Scheduler.class)::triggerAll)
                .with("webhooks", context.getBean(WebhookDeliveries.class)::wakeDue)
                .with("the outbox", context.getBean(OutboxRelay.class)::relay)
                // Last, for of many large stores it may take longer than the function may.
                .with("promises", context.getBean(PromiseUpdater.class)::planAll);
    }

    @Override
    public String handleRequest(Map<String, Object> event, Context context) {
        chores.runAll();
        return "swept";
    }
}
