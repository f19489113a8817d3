package farm.gantry.store;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.annotation.Computed;
import farm.gantry.annotation.Format;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import farm.gantry.cost.CostRates;
import farm.gantry.part.PartMetadata;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a store. Low-priority jobs (priority 1000) are printed only if {@code processLowPriorityJobs} is true. With {@code
 * requireApproval}, a person must approve each job before it is sent to its printer. {@code allowOtherModels} allows G-code on another
 * printer model than it was made for. {@code allowCheckOverride} lets a job whose tags name one printer or one model be printed although
 * its G-code prints beyond the bed, is too hot for the printer or extrudes nothing. With {@code requireSufficientMaterial}, the default of
 * new stores, a job waits for a spool with enough filament, unless the amount is unknown or the job has {@code allowInsufficientMaterial}.
 * {@code slicer} is used for parts that name none; null means any. {@code autoCloseOrders} closes orders whose items are all printed,
 * unless their integration specifies it; a failed piece of an order is printed again up to {@code maxRetries} times. With {@code
 * deadlineFirst}, jobs of equal priority get printers by the latest time at which they must start to meet their orders' deadlines; jobs
 * without a deadline count as due a week after they were queued. {@code workingHours} are used for estimates; null means that somebody is
 * always there. {@code costRates} are the rates beyond filament; null means none. While {@code queuePausedAt} is not null, no job is
 * assigned or started. {@code failurePolicy} has further reactions to failed prints; null means only {@code maxRetries}.
 */
@Serdeable
@Resource(table = "store", view = Permission.SETTINGS_VIEW)
public record StoreSettings(
        @Computed @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        @NotBlank String name,
        @Format(Format.Kind.TIME_ZONE) String timezone,
        @Format(Format.Kind.CURRENCY) String currency,
        boolean processLowPriorityJobs,
        boolean requireApproval,
        boolean allowOtherModels,
        boolean allowCheckOverride,
        boolean requireSufficientMaterial,
        boolean autoCloseOrders,
        @Min(0) @Max(100) int maxRetries,
        boolean deadlineFirst,
        @Valid @Nullable WorkingHours workingHours,

        @References(value = "profile", type = "machine") @Nullable @Pattern(regexp = Id.PATTERN)
        String defaultMachineProfileId,

        @References(value = "profile", type = "process") @Nullable @Pattern(regexp = Id.PATTERN)
        String defaultProcessProfileId,

        @References(value = "profile", type = "filament") @Nullable @Pattern(regexp = Id.PATTERN)
        String defaultFilamentProfileId,

        PartMetadata.@Nullable Engine slicer,
        @Nullable @Valid CostRates costRates,
        @Nullable @Valid FailurePolicy failurePolicy,
        @SystemSet @Nullable Instant queuePausedAt,
        @SystemSet @Nullable String queuePausedReason) {

    /** Returns how often the farm automatically prints a job again after printers fail it. */
    public int maxRetriesOf(boolean isOfOrder) {
        return Math.max(isOfOrder ? maxRetries : 0, failurePolicy == null ? 0 : failurePolicy.retriesElsewhere());
    }
}
