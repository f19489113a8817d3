package farm.gantry.build;

import com.fasterxml.jackson.annotation.JsonProperty;
import farm.gantry.Default;
import farm.gantry.Permission;
import farm.gantry.References;
import farm.gantry.Resource;
import farm.gantry.SystemSet;
import farm.gantry.material.Assignment;
import farm.gantry.part.Part;
import farm.gantry.part.PrintTags;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * So many copies of a part to print, with the part as it was when they were asked for. {@code plateQuantities} is plate
 * id → copies of that plate in one copy of the part.
 */
@Serdeable
@Resource(table = "partBuild", view = Permission.QUEUE_VIEW)
public record PartBuild(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,

        @References(value = "part", onDelete = References.Deletion.FORGOTTEN) @SystemSet
        String partId,

        @SystemSet String partName,

        @References(value = "sku", onDelete = References.Deletion.FORGOTTEN) @SystemSet @Nullable
        String skuId,

        @SystemSet @Nullable String skuBuildId,

        @References(value = "linkedPart", onDelete = References.Deletion.FORGOTTEN) @SystemSet @Nullable
        String linkedPartId,

        @SystemSet @Nullable String orderId,
        @SystemSet @Nullable String orderItemId,
        @Nullable String label,
        @SystemSet int quantity,
        @SystemSet @Default("100") int priority,
        @SystemSet @Default("{}") Map<String, Object> parameters,
        @SystemSet @Nullable Map<String, Integer> plateQuantities,
        @SystemSet @Nullable Map<String, List<Assignment>> materials,
        @SystemSet @Default("{}") PrintTags requiredPrinterTags,
        @SystemSet Part partCopy,
        @SystemSet @Default("\"queued\"") Status status,
        @SystemSet @Nullable String errorMessage,
        @SystemSet @Nullable Instant startedAt,
        @SystemSet @Nullable Instant completedAt,
        @SystemSet @Nullable Instant cancelledAt,
        @SystemSet @Default("false") boolean dismissed) {

    @Serdeable
    public enum Status {
        pending,
        building,
        queued,
        fulfilling,
        preparing,
        @JsonProperty("sending-to-printer")
        SENDING_TO_PRINTER,
        printing,
        success,
        error,
        cancelled
    }
}
