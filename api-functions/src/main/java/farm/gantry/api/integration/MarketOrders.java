package farm.gantry.api.integration;

import farm.gantry.Permission;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.order.NewOrder;
import farm.gantry.api.order.OrderResponse;
import farm.gantry.api.order.OrderIntake;
import farm.gantry.api.resource.JsonResponses;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.WithoutApiKey;
import farm.gantry.integration.Integration;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Orders from marketplaces. */
@Controller("/v1/integrations/{id}/orders")
@Blocking
final class MarketOrders {
    private static final Set<Integration.Type> MARKETS =
            EnumSet.range(Integration.Type.market1, Integration.Type.market6);

    private final SignatureVerifier requests;
    private final InboundDeliveries deliveries;
    private final OrderIntake intake;

    MarketOrders(SignatureVerifier requests, InboundDeliveries deliveries, OrderIntake intake) {
        this.requests = requests;
        this.deliveries = deliveries;
        this.intake = intake;
    }

    /**
     * Imports an order from a market. Does what {@code POST /v1/orders} does. Signed as Standard Webhooks are, by the
     * integration's secret: {@code webhook-signature} is {@code v1,} and the HMAC-SHA256, in base 64, of {@code
     * webhook-id}, {@code webhook-timestamp} (seconds, at most five minutes off) and the body, joined by dots. A {@code
     * webhook-id} that was done is answered as it was then. The integration's {@code autoPrint} queues the jobs with
     * the order; {@code cancelledAt} of the order cancels it. An item of quantity 0 was removed, and a text of nothing
     * is as none.
     */
    @Post
    @Status(HttpStatus.CREATED)
    @WithoutApiKey(SignatureVerifier.GUARD)
    HttpResponse<OrderResponse> arrive(
            String id,
            @Nullable @Header("webhook-id") String webhookId,
            @Nullable @Header("webhook-timestamp") String timestamp,
            @Nullable @Header("webhook-signature") String signatures,
            @Body @BodyType(NewOrder.class) byte[] body) {
        SignatureVerifier.Delivery delivery =
                requests.check(id, new SignatureVerifier.Signature(webhookId, timestamp, signatures), body);
        return JsonResponses.created(intake.runExclusively(
                delivery.body(),
                () -> deliveries.processOnce(delivery, MARKETS, (tx, integration, order) -> {
                    Caller market = new Caller(tx.store(), integration.id(), false, Set.of(Permission.ORDER_CREATE));
                    return intake.response(tx, market, intake.accept(tx, market, order, integration));
                })));
    }
}
