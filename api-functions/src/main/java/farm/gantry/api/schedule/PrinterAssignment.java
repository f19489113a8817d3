package farm.gantry.api.schedule;

import farm.gantry.RecordBuilder;
import farm.gantry.api.job.lifecycle.FilamentUseRows;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.schedule.PlacementPlanner;
import farm.gantry.schedule.Spools;
import farm.gantry.store.StoreSettings;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A waiting job, locked, that gets a printer: as it is with it but for its status, and what changes of it for that. Nothing is
 * stored yet.
 */
record PrinterAssignment(
        PlacementPlanner.Placement placement,
        PrintJob job,
        JobStatus.Move next,
        Map<String, @Nullable Object> changes) {

    static PrinterAssignment of(
            PlacementPlanner.Placement placement, PrintJob waiting, StoreSettings settings, Instant now) {
        boolean isSliced = placement.job().requirement().needsSlicing();
        Map<String, @Nullable Object> changes = new HashMap<>();
        changes.put("assignedPrinterId", placement.printer().printer().id());
        changes.put("assignmentStartedAt", now);
        changes.put("errorMessage", null);
        changes.put("assignmentCompletedAt", isSliced ? null : now);
        Map<String, PrintJob.Slot> mapping = new LinkedHashMap<>();
        placement.materialMapping().forEach((index, slot) -> mapping.put(String.valueOf(index), slot));
        changes.put("materialMapping", mapping);
        if (isSliced) {
            changes.put("filesToPrint", List.<PrintJob.FileToPrint>of());
        }
        RecordBuilder<PrintJob> assigned = RecordBuilder.copyOf(waiting);
        changes.forEach(assigned::with);
        JobStatus.Move next = isSliced
                ? JobStatus.Move.SLICE
                : settings.requireApproval() ? JobStatus.Move.AWAIT_APPROVAL : JobStatus.Move.MAKE_READY;
        return new PrinterAssignment(placement, assigned.build(), next, changes);
    }

    String printerId() {
        return placement.printer().printer().id();
    }

    /** Job → what changes of it. */
    static Map<String, Map<String, @Nullable Object>> changes(Collection<PrinterAssignment> assignments) {
        return assignments.stream().collect(Collectors.toMap(each -> each.job().id(), PrinterAssignment::changes));
    }

    /** The filament that is reserved for the job. */
    Stream<FilamentUseRows.Use> uses() {
        return placement.shares().entrySet().stream().map(share -> {
            Spools.Spool spool = placement.printer().spools().bySlot().get(share.getKey());
            return new FilamentUseRows.Use(
                    job.id(),
                    job.attempt(),
                    share.getKey(),
                    spool == null ? null : spool.instanceId(),
                    share.getValue());
        });
    }
}
