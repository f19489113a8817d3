package farm.gantry.store;

import farm.gantry.Computed;
import farm.gantry.Format;
import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.References;
import farm.gantry.Resource;
import farm.gantry.SystemSet;
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
 * A store's own record. What may wait (priority 1000) is printed only if {@code processLowPriorityJobs}; with
 * {@code requireApproval} a person looks at each job before it goes to its printer. {@code allowOtherModels} lets
 * G-code go to another model of printer than it was made for; {@code allowCheckOverride} lets a job whose tags name one printer or
 * one model be printed although its G-code prints beyond the bed, is too hot for the printer or extrudes nothing; with {@code requireSufficientMaterial}, as in
 * every new store, a job waits for a spool that has enough left for it, unless nobody knows what is left, or the job itself says
 * {@code allowInsufficientMaterial}. {@code slicer} is what jobs are sliced
 * with whose part does not say; null is whichever there is. {@code autoCloseOrders} closes orders whose items are all printed,
 * where their integration does not say; a piece of an order that fails is printed again up to {@code maxRetries} times.
 * With {@code deadlineFirst} the jobs of a priority get printers by the time at which they must begin for their orders' deadlines,
 * those without a deadline as if it were a week after they were queued. {@code workingHours} are what promises count with; null is
 * that somebody is always there. {@code costRates} say what is counted beside filament; null
 * counts nothing. While {@code queuePausedAt} is not null no job is given to a printer or started. {@code failurePolicy} is what is
 * done about prints that fail; null is nothing but {@code maxRetries}.
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

    /** Returns how often the farm prints a job again by itself if printers fail it. */
    public int maxRetriesOf(boolean isOfOrder) {
        return Math.max(isOfOrder ? maxRetries : 0, failurePolicy == null ? 0 : failurePolicy.retriesElsewhere());
    }
}
