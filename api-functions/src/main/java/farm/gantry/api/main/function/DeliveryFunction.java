package farm.gantry.api.main.function;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import farm.gantry.Id;
import farm.gantry.StoreId;
import farm.gantry.api.database.SnapStartPreparation;
import farm.gantry.api.queue.Wakeups;
import farm.gantry.api.webhook.ChannelDeliveries;
import farm.gantry.api.webhook.WebhookDeliveries;
import io.micronaut.context.ApplicationContext;
import java.time.Duration;
import java.time.Instant;

/**
 * Delivers the webhooks and the messages to notification channels of each store in the event. Deliveries that another
 * invocation has claimed are skipped.
 */
public final class DeliveryFunction implements RequestHandler<SQSEvent, SQSBatchResponse> {
    /** Maximum time of one delivery attempt; no attempt starts later than this before the timeout of the function. */
    private static final Duration MAX_ATTEMPT_TIME = Duration.ofMinutes(1);

    private final WebhookDeliveries deliveries;
    private final ChannelDeliveries messages;

    /** Used by Lambda. */
    public DeliveryFunction() {
        this(FunctionContext.start());
    }

    public DeliveryFunction(ApplicationContext context) {
        this.deliveries = context.getBean(WebhookDeliveries.class);
        this.messages = context.getBean(ChannelDeliveries.class);
        SnapStartPreparation.rehearse(
                context,
                () -> deliver(Wakeups.parseStore(Id.next()), Instant.now().plus(MAX_ATTEMPT_TIME)));
    }

    @Override
    public SQSBatchResponse handleRequest(SQSEvent event, Context context) {
        Instant until =
                Instant.now().plusMillis(context.getRemainingTimeInMillis()).minus(MAX_ATTEMPT_TIME);
        return new SqsMessages(event).handleEachStore(store -> deliver(store, until));
    }

    private void deliver(StoreId store, Instant until) throws InterruptedException {
        messages.deliver(store, until);
        deliveries.deliver(store, until);
    }
}
