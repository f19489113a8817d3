package farm.gantry.builds;

import farm.gantry.Permission;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import farm.gantry.job.Priority;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request to print a number of SKUs. It has a part build for each linked part that is printed. {@code parameters} are the inputs that its
 * linked parts take by their bindings. Its status is derived from its part builds.
 */
@Serdeable
@Resource(table = "skuBuild", view = Permission.QUEUE_VIEW)
public record SkuBuild(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,

        @References(value = "sku", onDelete = References.OnDelete.KEEP_ID) @SystemSet
        String skuId,

        @SystemSet String skuName,

        @References(value = "order", onDelete = References.OnDelete.KEEP_ID) @SystemSet @Nullable
        String orderId,

        @References(value = "orderItem", onDelete = References.OnDelete.KEEP_ID) @SystemSet @Nullable
        String orderItemId,

        @SystemSet int quantity,
        @SystemSet @Default("100") @Priority int priority,
        @SystemSet @Default("{}") Map<String, Object> parameters,
        @SystemSet @Default("\"queued\"") PartBuild.Status status,
        @SystemSet @Nullable Instant startedAt,
        @SystemSet @Nullable Instant completedAt,
        @SystemSet @Nullable Instant cancelledAt,
        @SystemSet @Default("false") boolean dismissed) {}
