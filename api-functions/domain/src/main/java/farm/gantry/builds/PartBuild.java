package farm.gantry.builds;

import com.fasterxml.jackson.annotation.JsonProperty;
import farm.gantry.Permission;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import farm.gantry.job.Priority;
import farm.gantry.material.Assignment;
import farm.gantry.part.Part;
import farm.gantry.part.PrintTags;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request to print a number of copies of a part, with a snapshot of the part at that time. {@code plateQuantities} maps a plate id to the
 * copies of that plate per copy of the part. {@code parameters} are the values that replace the part's own, {@code materials} the allowed
 * materials by filament index.
 */
@Serdeable
@Resource(table = "partBuild", view = Permission.QUEUE_VIEW)
public record PartBuild(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,

        @References(value = "part", onDelete = References.OnDelete.KEEP_ID) @SystemSet
        String partId,

        @SystemSet String partName,

        @References(value = "sku", onDelete = References.OnDelete.KEEP_ID) @SystemSet @Nullable
        String skuId,

        @References(value = "skuBuild", inverse = "partBuilds") @SystemSet @Nullable
        String skuBuildId,

        @References(value = "linkedPart", onDelete = References.OnDelete.KEEP_ID) @SystemSet @Nullable
        String linkedPartId,

        @References(value = "order", onDelete = References.OnDelete.KEEP_ID) @SystemSet @Nullable
        String orderId,

        @References(value = "orderItem", onDelete = References.OnDelete.KEEP_ID) @SystemSet @Nullable
        String orderItemId,

        @Nullable String label,
        @SystemSet int quantity,
        @SystemSet @Default("100") @Priority int priority,
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

    /** The status of a build, derived from its jobs. */
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
        cancelled;

        /** Returns the value that JSON and the database contain. */
        public String wireName() {
            return this == SENDING_TO_PRINTER ? "sending-to-printer" : name();
        }

        /** Returns the status of a build made of builds: the most advanced unfinished status, or the worst final one. */
        public static Status ofBuilds(Set<Status> builds) {
            for (Status status : List.of(printing, SENDING_TO_PRINTER, preparing, fulfilling)) {
                if (builds.contains(status)) {
                    return status;
                }
            }
            if (builds.contains(queued)) {
                return builds.contains(success) ? fulfilling : queued;
            }
            return builds.contains(error) ? error : builds.contains(cancelled) ? cancelled : success;
        }
    }
}
