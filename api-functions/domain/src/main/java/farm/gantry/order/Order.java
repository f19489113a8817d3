package farm.gantry.order;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.RecordBuilder;
import farm.gantry.annotation.Computed;
import farm.gantry.annotation.ComputedDefault;
import farm.gantry.annotation.CreateOnly;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.OnRequest;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A customer's order. {@code price} is in hundredths of {@code currency}, also for yen; a null currency means the store's. {@code
 * externalId} is the sender's id of the order, unique within an integration. {@code externalUpdatedAt} is when it was changed there; a
 * delivery with an earlier time changes nothing. {@code source} is the integration's market, or manual. {@code promisedAt}, {@code
 * promisedBy} and {@code late} are those of {@code GET /v1/orders/{id}/promise}. A cancelled order is closed. {@code processedAt} is when
 * its items were first queued.
 */
@Serdeable
@Resource(table = "order", view = Permission.ORDER_VIEW)
public record Order(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        @ComputedDefault @Size(max = 500) String orderNumber,
        @CreateOnly @Nullable @ComputedDefault Source source,
        @SystemSet @Default("\"open\"") Status status,
        @SystemSet @Nullable Instant closedAt,
        @SystemSet @Nullable Instant cancelledAt,

        @References(value = "customer", inverse = "orders") @Nullable @Pattern(regexp = Id.PATTERN)
        String customerId,

        @References(value = "integration", onDelete = References.OnDelete.SET_NULL)
        @CreateOnly
        @Nullable
        @Pattern(regexp = Id.PATTERN)
        String integrationId,

        @Nullable @PositiveOrZero @Max(Order.MAX_PRICE) Long price,

        @Nullable
        @Pattern(regexp = "[A-Z]{3}", message = "must be a currency code of three capital letters, such as EUR")
        String currency,

        @CreateOnly @Nullable @Size(min = 1, max = 500) String externalId,
        @Nullable String externalUrl,
        @Nullable Instant externalUpdatedAt,
        @Nullable String note,
        @Nullable Instant deadline,
        @SystemSet @Nullable Instant processedAt,
        @Default("{}") Map<String, Object> customMetadata,
        @Computed @SystemSet @Default(Progress.NONE) Progress progress,
        @OnRequest @Computed @SystemSet @Nullable Instant promisedAt,
        @OnRequest @Computed @SystemSet @Nullable Instant promisedBy,
        @OnRequest @Computed @SystemSet @Nullable Boolean late) {

    /** The maximum price of an order or an item, in cents; sums of it fit into a long. */
    public static final long MAX_PRICE = 1_000_000_000_000_000L;

    /** Returns this order without its cancellation. */
    public Order asNotCancelled() {
        return RecordBuilder.copyOf(this).with(Order::cancelledAt, null).build();
    }

    public Order withCustomer(@Nullable String customer) {
        return RecordBuilder.copyOf(this).with(Order::customerId, customer).build();
    }

    /** The source of an order. */
    @Serdeable
    public enum Source {
        manual,
        market1,
        market2,
        market3,
        market4,
        market5,
        market6
    }

    @Serdeable
    public enum Status {
        open,
        closed
    }
}
