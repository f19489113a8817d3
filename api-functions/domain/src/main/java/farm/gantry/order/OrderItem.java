package farm.gantry.order;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.RecordBuilder;
import farm.gantry.annotation.Computed;
import farm.gantry.annotation.ComputedDefault;
import farm.gantry.annotation.CreateOnly;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
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
 * A line of an order: a SKU and a quantity. {@code externalSku} is the shop's text for the SKU. If {@code skuId} is not given, the SKU and
 * the chosen {@code optionValueIds} are resolved from that text; {@code resolutionNote} says why this failed. {@code personalization} is
 * the buyer's text. {@code inputs} are the values of the SKU's parameters; {@code skuConfig} has options of single linked parts by their
 * ids, as {@code linkedPartConfigs} of a build. An {@code ignored} item is not printed. The item is processed once its jobs are queued in
 * its current form; {@code pieces} are the plates per unit at that time. {@code price} is for the whole quantity, in hundredths of the
 * order's currency.
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

    /** Returns the item with that SKU and these options, or without a SKU and with a note of the reason. */
    public OrderItem withSku(@Nullable String found, List<String> chosen, @Nullable ResolutionNote note) {
        return RecordBuilder.copyOf(this)
                .with(OrderItem::skuId, found)
                .with(OrderItem::optionValueIds, chosen)
                .with(OrderItem::resolutionNote, note)
                .build();
    }

    /** Returns a copy with changed fields. */
    public OrderItem withInputs(Map<String, Object> otherInputs, @Nullable Map<String, Object> otherConfig) {
        return RecordBuilder.copyOf(this)
                .with(OrderItem::inputs, otherInputs)
                .with(OrderItem::skuConfig, otherConfig)
                .build();
    }

    public OrderItem asIgnored() {
        return RecordBuilder.copyOf(this).with(OrderItem::ignored, true).build();
    }

    /** Returns the item marked as not yet queued in its current form. */
    public OrderItem asUnprocessed() {
        return RecordBuilder.copyOf(this)
                .with(OrderItem::processedStatus, ProcessedStatus.unprocessed)
                .build();
    }

    /** Returns whether one unit of each item is printed in the same way. */
    public boolean isPrintedAs(OrderItem other) {
        return Objects.equals(skuId, other.skuId)
                && optionValueIds.equals(other.optionValueIds)
                && Objects.equals(personalization, other.personalization)
                && inputs.equals(other.inputs)
                && Objects.equals(skuConfig, other.skuConfig);
    }

    /**
     * Returns whether this item requires pieces that the stored item, null if there was none, did not. It does not if the stored item is
     * equal except that its SKU was not resolved yet. A new item that names no SKU requires no pieces.
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

    /** The reason why the SKU of an item is unknown; if {@code retriable}, it is resolved again after SKUs or options are edited. */
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
