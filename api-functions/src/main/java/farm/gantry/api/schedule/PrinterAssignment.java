package farm.gantry.api.schedule;

import farm.gantry.api.database.Change;
import farm.gantry.api.job.lifecycle.FilamentUseRows;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.schedule.PlacementPlanner;
import farm.gantry.schedule.LoadedSpools;
import farm.gantry.store.StoreSettings;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A waiting job, locked, that gets a printer: as it is with it but for its status, and what changes of it for that. Nothing is
 * stored yet.
 */
record PrinterAssignment(
        PlacementPlanner.Placement placement, PrintJob job, JobStatus.Transition next, Change<PrintJob> change) {

    static PrinterAssignment of(
            PlacementPlanner.Placement placement, PrintJob waiting, StoreSettings settings, Instant now) {
        boolean isSliced = placement.job().requirement().needsSlicing();
        Map<String, PrintJob.Slot> mapping = new LinkedHashMap<>();
        placement.materialMapping().forEach((index, slot) -> mapping.put(String.valueOf(index), slot));
        Change<PrintJob> change = new Change<PrintJob>()
                .set(PrintJob::assignedPrinterId, placement.printer().printer().id())
                .set(PrintJob::assignmentStartedAt, now)
                .set(PrintJob::errorMessage, null)
                .set(PrintJob::assignmentCompletedAt, isSliced ? null : now)
                .set(PrintJob::materialMapping, mapping);
        if (isSliced) {
            change.set(PrintJob::filesToPrint, List.of());
        }
        JobStatus.Transition next = isSliced
                ? JobStatus.Transition.SLICE
                : settings.requireApproval() ? JobStatus.Transition.AWAIT_APPROVAL : JobStatus.Transition.MAKE_READY;
        return new PrinterAssignment(placement, Change.applied(waiting, change), next, change);
    }

    String printerId() {
        return placement.printer().printer().id();
    }

    /** Job → what changes of it. */
    static Map<String, Change<PrintJob>> changes(Collection<PrinterAssignment> assignments) {
        return assignments.stream().collect(Collectors.toMap(each -> each.job().id(), PrinterAssignment::change));
    }

    /** The filament that is reserved for the job. */
    Stream<FilamentUseRows.FilamentUse> uses() {
        return placement.shares().entrySet().stream().map(share -> {
            LoadedSpools.Spool spool = placement.printer().spools().bySlot().get(share.getKey());
            return new FilamentUseRows.FilamentUse(
                    job.id(),
                    job.attempt(),
                    share.getKey(),
                    spool == null ? null : spool.instanceId(),
                    share.getValue());
        });
    }
}
