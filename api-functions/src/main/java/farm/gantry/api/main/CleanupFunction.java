package farm.gantry.api.main;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import farm.gantry.api.audit.AuditRetention;
import farm.gantry.api.deliver.WebhookDeliveries;
import farm.gantry.api.file.FileCleanup;
import farm.gantry.api.integration.Deliveries;
import farm.gantry.api.stream.Streams;
import io.micronaut.context.ApplicationContext;
import java.util.Map;

/** Once an hour: forgets what is kept for a time, and deletes files that nothing needs. Staged uploads are the bucket's. */
public final class CleanupFunction implements RequestHandler<Map<String, Object>, String> {
    private final Chores chores;

    /** As Lambda makes it. */
    public CleanupFunction() {
        this(FunctionContext.start());
    }

    public CleanupFunction(ApplicationContext context) {
        this.chores = new Chores()
                .with("forgetting webhook deliveries", context.getBean(WebhookDeliveries.class)::forget)
                .with("forgetting signed deliveries", context.getBean(Deliveries.class)::forget)
                .with("forgetting the audit log", context.getBean(AuditRetention.class)::forget)
                .with("forgetting moves of jobs", context.getBean(Streams.class)::forget)
                .with("deleting files", context.getBean(FileCleanup.class)::cleanUpAll);
    }

    @Override
    public String handleRequest(Map<String, Object> event, Context context) {
        chores.doAll();
        return "cleaned";
    }
}
