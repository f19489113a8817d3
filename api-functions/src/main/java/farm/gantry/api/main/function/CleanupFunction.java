package farm.gantry.api.main.function;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import farm.gantry.api.audit.AuditRetention;
import farm.gantry.api.file.FileCleanup;
import farm.gantry.api.integration.InboundDeliveries;
import farm.gantry.api.stream.EventStreamRoutes;
import farm.gantry.api.webhook.WebhookDeliveries;
import io.micronaut.context.ApplicationContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** Hourly: deletes data past its retention, and unused files. Staged uploads expire by a rule of the bucket. */
public final class CleanupFunction implements RequestHandler<Map<String, Object>, String> {
    /** In hours: each part's folder is looked into once a month, and what is left of parts that are gone is found at once. */
    private static final int CLEANUP_SHARES = 30 * 24;

    private final PeriodicTasks chores;

    /** As Lambda makes it. */
    public CleanupFunction() {
        this(FunctionContext.start());
    }

    public CleanupFunction(ApplicationContext context) {
        FileCleanup files = context.getBean(FileCleanup.class);
        this.chores = new PeriodicTasks()
                .with("forgetting webhook deliveries", context.getBean(WebhookDeliveries.class)::deleteOld)
                .with("forgetting signed deliveries", context.getBean(InboundDeliveries.class)::deleteOld)
                .with("forgetting the audit log", context.getBean(AuditRetention.class)::deleteExpired)
                .with("forgetting moves of jobs", context.getBean(EventStreamRoutes.class)::deleteOldChanges)
                .with(
                        "deleting files",
                        () -> files.cleanUpShare(
                                Duration.between(Instant.EPOCH, Instant.now()).toHours(), CLEANUP_SHARES));
    }

    @Override
    public String handleRequest(Map<String, Object> event, Context context) {
        chores.runAll();
        return "cleaned";
    }
}
