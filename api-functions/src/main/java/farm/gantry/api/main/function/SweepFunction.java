package farm.gantry.api.main.function;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import farm.gantry.api.aws.SweepMarks;
import farm.gantry.api.link.AgentPresence;
import farm.gantry.api.link.AgentRows;
import farm.gantry.api.link.AgentWatchdog;
import farm.gantry.api.promise.PromiseUpdater;
import farm.gantry.api.queue.OutboxRelay;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.webhook.ChannelDeliveries;
import farm.gantry.api.webhook.WebhookDeliveries;
import io.micronaut.context.ApplicationContext;
import java.util.Map;
import java.util.Optional;

/**
 * Runs every minute: detects unreachable agents, and finds work whose wakeup message was lost. Wakes the functions that
 * do the work. If marks in DynamoDB say that there is nothing to do, the database is not read, so that it may pause.
 */
public final class SweepFunction implements RequestHandler<Map<String, Object>, String> {
    private final PeriodicTasks chores;
    private final Optional<SweepMarks> marks;
    private final AgentRows agents;

    /** Used by Lambda. */
    public SweepFunction() {
        this(FunctionContext.start());
    }

    public SweepFunction(ApplicationContext context) {
        this.marks = context.findBean(SweepMarks.class);
        this.agents = context.getBean(AgentRows.class);
        this.chores = new PeriodicTasks()
                .with("checking for unreachable agents", context.getBean(AgentWatchdog.class)::checkTimeouts)
                .withContext("metrics of agents", call -> AgentPresenceMetrics.publish(agents.countPresence(), call))
                .with("scheduling", context.getBean(Scheduler.class)::triggerAll)
                .with("webhooks", context.getBean(WebhookDeliveries.class)::wakeDue)
                .with("notification channels", context.getBean(ChannelDeliveries.class)::wakeDue)
                .with("the outbox", context.getBean(OutboxRelay.class)::relay)
                // Runs last, because with many large stores it may exceed the timeout of the function.
                .with("promises", context.getBean(PromiseUpdater.class)::planAll);
    }

    @Override
    public String handleRequest(Map<String, Object> event, Context context) {
        SweepMarks.Plan plan = marks.map(SweepMarks::plan).orElse(null);
        AgentPresence idlePresence = plan == null ? null : plan.idlePresence();
        if (idlePresence != null) {
            AgentPresenceMetrics.publish(idlePresence, context);
            return "idle";
        }
        chores.runAll(context);
        if (plan != null) {
            marks.get().record(plan, agents.countPresence());
        }
        return "swept";
    }
}
