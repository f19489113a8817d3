package farm.gantry.api.main.function;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import farm.gantry.api.audit.AuditRetention;
import farm.gantry.api.file.FileCleanup;
import farm.gantry.api.integration.InboundDeliveries;
import farm.gantry.api.job.JobRetention;
import farm.gantry.api.stream.EventStreamRoutes;
import farm.gantry.api.webhook.WebhookDeliveries;
import io.micronaut.context.ApplicationContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Runs hourly: deletes data past its retention and unused files. A lifecycle rule of the bucket deletes staged uploads.
 */
public final class CleanupFunction implements RequestHandler<Map<String, Object>, String> {
    /**
     * Number of hourly runs after which the folder of each existing part was cleaned up once. Folders of deleted parts
     * are cleaned up in every run.
     */
    private static final int CLEANUP_SHARES = 30 * 24;

    private final PeriodicTasks chores;

    /** Used by Lambda. */
    public CleanupFunction() {
        this(FunctionContext.start());
    }

    public CleanupFunction(ApplicationContext context) {
        FileCleanup files = context.getBean(FileCleanup.class);
        this.chores = new PeriodicTasks()
                .with("deleting old webhook deliveries", context.getBean(WebhookDeliveries.class)::deleteOld)
                .with("deleting old inbound deliveries", context.getBean(InboundDeliveries.class)::deleteOld)
                .with("deleting old audit log entries", context.getBean(AuditRetention.class)::deleteExpired)
                .with("deleting old jobs", context.getBean(JobRetention.class)::deleteExpired)
                .with("deleting old job transitions", context.getBean(EventStreamRoutes.class)::deleteOldChanges)
                .with(
                        "deleting files",
                        () -> files.cleanUpShare(
                                Duration.between(Instant.EPOCH, Instant.now()).toHours(), CLEANUP_SHARES));
    }

    @Override
    public String handleRequest(Map<String, Object> event, Context context) {
        chores.runAll(context);
        return "cleaned";
    }
}
