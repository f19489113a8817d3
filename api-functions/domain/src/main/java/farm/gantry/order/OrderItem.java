package farm.gantry.order;

import farm.gantry.Computed;
import farm.gantry.CreateOnly;
import farm.gantry.Default;
import farm.gantry.ComputedDefault;
import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.RecordBuilder;
import farm.gantry.References;
import farm.gantry.Resource;
import farm.gantry.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * So many of a SKU in an order. {@code externalSku} is the shop's text for the SKU, from which {@code skuId} is found where it
 * is not given, with the {@code optionValueIds} that it chooses, to which {@code personalization} is the buyer's own text; {@code resolutionNote} tells why it was not. {@code inputs} are
 * the values of the SKU's parameters,
 * {@code skuConfig} says more of single linked parts, by their ids, as {@code linkedPartConfigs} of a build do. An
 * {@code ignored} item is not printed. It is processed once its jobs are queued as it stands; {@code pieces} are the plates
 * that one of it took then. {@code price} is of all of them, in hundredths of the order's currency.
 */
@Serdeable
@Resource(table = "orderItem", view = Permission.ORDER_VIEW)
public record OrderItem(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,

        @References(value = "order", inverse = "items", onDelete = References.OnDelete.CASCADE)
        @CreateOnly
        @ComputedDefault
        @Pattern(regexp = Id.PATTERN)
        String orderId,

        @References("sku") @Nullable @Pattern(regexp = Id.PATTERN)
        String skuId,

        @Default("1") @Min(1) @Max(MAX_COUNT) int quantity,
        @Default("[]") List<@Pattern(regexp = Id.PATTERN) String> optionValueIds,
        @Nullable @Size(max = 2000) String personalization,
        @Default("{}") Map<String, Object> inputs,
        @Nullable @Size(max = 500) String externalSku,
        @Nullable @Size(max = 500) String externalId,
        @Nullable String title,
        @Nullable @PositiveOrZero @Max(Order.MAX_PRICE) Long price,
        @SystemSet @Default("\"unprocessed\"") ProcessedStatus processedStatus,
        @Default("false") boolean ignored,
        @Nullable Map<@Pattern(regexp = Id.PATTERN) String, Object> skuConfig,
        @SystemSet @Nullable ResolutionNote resolutionNote,
        @SystemSet @Nullable List<Piece> pieces,
        @Computed @SystemSet @Default(Progress.NONE) Progress progress) {
    public static final int MAX_COUNT = 10_000;

    /** The item of that SKU, with these options chosen, or without one for the reason of the note. */
    public OrderItem withSku(@Nullable String found, List<String> chosen, @Nullable ResolutionNote note) {
        return RecordBuilder.copyOf(this)
                .with(OrderItem::skuId, found)
                .with(OrderItem::optionValueIds, chosen)
                .with(OrderItem::resolutionNote, note)
                .build();
    }

    /** Returns a copy with other values. */
    public OrderItem withInputs(Map<String, Object> otherInputs, @Nullable Map<String, Object> otherConfig) {
        return RecordBuilder.copyOf(this)
                .with(OrderItem::inputs, otherInputs)
                .with(OrderItem::skuConfig, otherConfig)
                .build();
    }

    public OrderItem asIgnored() {
        return RecordBuilder.copyOf(this).with(OrderItem::ignored, true).build();
    }

    /** The item as one that is yet to be queued as it stands. */
    public OrderItem asUnprocessed() {
        return RecordBuilder.copyOf(this)
                .with(OrderItem::processedStatus, ProcessedStatus.unprocessed)
                .build();
    }

    /** Returns whether each one of both is printed alike. */
    public boolean isPrintedAs(OrderItem other) {
        return Objects.equals(skuId, other.skuId)
                && optionValueIds.equals(other.optionValueIds)
                && Objects.equals(personalization, other.personalization)
                && inputs.equals(other.inputs)
                && Objects.equals(skuConfig, other.skuConfig);
    }

    /**
     * Returns whether this item asks for pieces that the stored item, null if there was none, did not ask for. An item without
     * an external id is replaced by each delivery, and an item whose SKU is resolved only now was asked for before.
     */
    public boolean asksForMoreThan(@Nullable OrderItem before) {
        if (ignored) {
            return false;
        }
        if (before == null) {
            return externalId != null || externalSku != null || skuId != null;
        }
        return before.ignored || quantity > before.quantity || (before.skuId != null && !isPrintedAs(before));
    }

    @Serdeable
    public enum ProcessedStatus {
        unprocessed,
        processed
    }

    /** Why an item's SKU is not known; {@code retriable} once SKUs or options were edited. */
    @Serdeable
    public record ResolutionNote(Type type, String message, boolean retriable, Instant occurredAt) {
        @Serdeable
        public enum Type {
            sku_not_found,
            ambiguous_match
        }
    }

    /** The number of jobs of a linked part's plate, or of a linked part without plates, in one unit of the item. */
    @Serdeable
    public record Piece(String linkedPartId, @Nullable Integer plateId, int copies) {}
}
