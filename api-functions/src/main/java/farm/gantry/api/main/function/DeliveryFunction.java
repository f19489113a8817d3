package farm.gantry.api.main.function;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import farm.gantry.api.webhook.WebhookDeliveries;
import io.micronaut.context.ApplicationContext;
import java.time.Duration;
import java.time.Instant;

/** Delivers the webhooks of each store that the event names; what others have claimed is left to them. */
public final class DeliveryFunction implements RequestHandler<SQSEvent, SQSBatchResponse> {
    /** More than an attempt takes. */
    private static final Duration MAX_ATTEMPT_TIME = Duration.ofMinutes(1);

    private final WebhookDeliveries deliveries;

    /** As Lambda makes it. */
    public DeliveryFunction() {
        this(FunctionContext.start());
    }

    public DeliveryFunction(ApplicationContext context) {
        this.deliveries = context.getBean(WebhookDeliveries.class);
    }

    @Override
    public SQSBatchResponse handleRequest(SQSEvent event, Context context) {
        Instant until =
                Instant.now().plusMillis(context.getRemainingTimeInMillis()).minus(MAX_ATTEMPT_TIME);
        return new SqsMessages(event).handleEachStore(store -> deliveries.deliver(store, until));
    }
}
