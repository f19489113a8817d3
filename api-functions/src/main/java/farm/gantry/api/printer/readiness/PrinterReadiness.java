package farm.gantry.api.printer.readiness;

import farm.gantry.api.database.Change;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Fault;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.webhook.Webhooks;
import farm.gantry.job.PrintJob;
import farm.gantry.notification.EventName;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState;
import farm.gantry.schedule.BedState;
import farm.gantry.schedule.PrinterCondition;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Changes the readiness of printers. A printer is ready if it is online, idle and has a bed that was confirmed to be
 * clear.
 */
@Singleton
public final class PrinterReadiness {

    private final Table<Printer> printers;
    private final Table<PrintJob> jobs;
    private final PrinterConditionRows conditions;
    private final PrinterStateRows states;
    private final BedClearing bedClearing;
    private final BedEvents bedEvents;
    private final Webhooks webhooks;
    private final InstantSource clock;

    PrinterReadiness(
            Tables tables,
            PrinterConditionRows conditions,
            PrinterStateRows states,
            BedClearing bedClearing,
            BedEvents bedEvents,
            Webhooks webhooks,
            InstantSource clock) {
        this.printers = tables.of(Printer.class);
        this.jobs = tables.of(PrintJob.class);
        this.conditions = conditions;
        this.states = states;
        this.bedClearing = bedClearing;
        this.bedEvents = bedEvents;
        this.webhooks = webhooks;
        this.clock = clock;
    }

    /**
     * Sets whether the beds are clear, as confirmed by a person. Throws, with nothing changed, if a printer is not
     * idle. For an unreachable printer the confirmation is stored; it takes effect if the next report shows that the
     * printer stayed idle.
     */
    public void setReady(Tx tx, List<Printer> confirmed, boolean ready) {
        List<String> ids = confirmed.stream().map(Printer::id).toList();
        if (!ready) {
            bedEvents.observe(tx, ids);
            printers.changeAll(tx, ids, PrinterConditionRows.toChange(BedState.USED));
            return;
        }
        Map<String, PrinterState> seen = states.find(tx, ids);
        checkIdle(tx, confirmed, seen);
        Map<String, Change<Printer>> cleared = new LinkedHashMap<>();
        for (Printer printer : confirmed) {
            BedState bed = BedState.cleared(currentState(printer, seen.get(printer.id())), clock.instant());
            cleared.put(printer.id(), PrinterConditionRows.toChange(bed));
        }
        conditions.recordClearedBeds(tx, ids, clock.instant());
        printers.changeAll(tx, cleared);
        conditions.clearHold(tx, ids);
        webhooks.resolve(tx, EventName.onBedNeedsClearing, ids);
    }

    private void checkIdle(Tx tx, List<Printer> confirmed, Map<String, PrinterState> seen) {
        Set<String> atWork =
                conditions.findPrinting(tx, confirmed.stream().map(Printer::id).toList());
        List<Fault> refused = new ArrayList<>();
        for (int i = 0; i < confirmed.size(); i++) {
            Printer printer = confirmed.get(i);
            PrinterState state = currentState(printer, seen.get(printer.id()));
            BedState.Refusal refusal = atWork.contains(printer.id())
                    ? new BedState.Refusal("printing", "print job " + printer.printingJobId() + " has not ended there")
                    : state == null ? null : BedState.findRefusal(state);
            if (refusal != null) {
                refused.add(new Fault(
                        "ids[" + i + "]",
                        refusal.code(),
                        "printer " + printer.id() + " (" + printer.name() + "): " + refusal.message()));
            }
        }
        if (!refused.isEmpty()) {
            throw new ProblemException(new Problem.PrintersUnable("be confirmed as ready", refused));
        }
    }

    private static @Nullable PrinterState currentState(Printer printer, @Nullable PrinterState last) {
        return last == null || printer.isOnline() ? last : last.asOffline();
    }

    private void saveBed(Tx tx, String printerId, BedState bed) {
        bedEvents.observe(tx, List.of(printerId));
        printers.change(tx, printerId, PrinterConditionRows.toChange(bed));
    }

    private void saveBed(Tx tx, String printerId, UnaryOperator<BedState> change) {
        BedState bed = conditions.lockBed(tx, printerId);
        BedState after = change.apply(bed);
        if (!after.equals(bed)) {
            saveBed(tx, printerId, after);
        }
    }

    /** Marks the bed as used. */
    public void markBedUsed(Tx tx, String printerId) {
        saveBed(tx, printerId, _ -> BedState.USED);
    }

    /** Sends the printer no jobs for a while after it refused one. */
    public void holdBack(Tx tx, String printerId, String reason) {
        conditions.holdBack(
                tx,
                printerId,
                reason,
                states.find(tx, printerId).map(PrinterState::status).orElse(null),
                clock.instant());
    }

    /** Ends holds of the printers on a person's request. */
    public void endHolds(Tx tx, Collection<String> printerIds) {
        conditions.clearHold(tx, printerIds);
    }

    /** Marks the bed as used and ends a hold, when a job of the farm started. */
    public void onPrintStarted(Tx tx, String printerId) {
        markBedUsed(tx, printerId);
        conditions.clearHold(tx, List.of(printerId));
    }

    /** Frees the printer of a job that never reached it; the bed is unchanged. */
    public void unassign(Tx tx, String printerId, String jobId) {
        if (printers.change(tx, printerId, freedPrinter().when(Printer::printingJobId, jobId))) {
            bedEvents.emitIfWaiting(tx, List.of(printerId), null);
        }
    }

    private static Change<Printer> freedPrinter() {
        return new Change<Printer>().set(Printer::printingJobId, null);
    }

    /** Frees the printers of jobs that never reached them. The jobs must still name their printers. */
    public void unassignAll(Tx tx, List<PrintJob> jobs) {
        Set<String> ids = jobs.stream().map(PrintJob::id).collect(Collectors.toSet());
        List<String> taken = printers
                .lockAll(
                        tx,
                        jobs.stream()
                                .flatMap(job -> Stream.ofNullable(job.assignedPrinterId()))
                                .toList())
                .values()
                .stream()
                .filter(printer -> printer.printingJobId() != null && ids.contains(printer.printingJobId()))
                .map(Printer::id)
                .toList();
        printers.changeAll(tx, taken, freedPrinter());
        bedEvents.emitIfWaiting(tx, taken, null);
    }

    /** Frees the printer of a job that did not succeed; its bed counts as used. */
    public void release(Tx tx, String printerId, String jobId, @Nullable Long printedSeconds) {
        release(tx, printerId, jobId, null, printedSeconds);
    }

    /**
     * Frees the printer of a job that ended. The bed counts as used until a person, or continuous printing after a
     * success, makes the printer ready. {@code succeeded} is the sequence of the agent's event that reported the
     * success, or null.
     */
    public void release(
            Tx tx, String printerId, String jobId, @Nullable Long succeeded, @Nullable Long printedSeconds) {
        Printer printer = printers.lock(tx, printerId).orElse(null);
        if (printer == null || !jobId.equals(printer.printingJobId())) {
            return;
        }
        Change<Printer> released = freedPrinter().setAll(PrinterConditionRows.toChange(BedState.USED));
        if (printedSeconds != null) {
            released.set(Printer::lastPrintedAt, Resources.now())
                    .set(Printer::lifetimeJobCount, printer.lifetimeJobCount() + 1)
                    .set(Printer::lifetimePrintHours, printer.lifetimePrintHours() + printedSeconds / 3600.0);
        }
        bedEvents.emitIfWaiting(tx, List.of(printerId), jobId);
        if (!printer.continuousPrint() || succeeded == null) {
            printers.change(tx, printerId, released);
            bedClearing.disableContinuousPrint(tx, printerId, "its last job did not succeed");
        } else {
            Integer left = printer.continuousRemainingJobs();
            Integer after = left == null ? null : Integer.valueOf(Math.max(0, left - 1));
            printers.change(tx, printerId, released.set(Printer::continuousRemainingJobs, after));
            if (after != null && after == 0) {
                bedClearing.disableContinuousPrint(tx, printerId, "its limit of jobs is reached");
            } else {
                bedClearing.start(tx, printer, succeeded);
            }
        }
    }

    /** Handles a use of the printer outside the farm: its bed must be checked. */
    public void onUnexpectedUse(Tx tx, String printerId, String reason) {
        markBedUsed(tx, printerId);
        bedClearing.disableContinuousPrint(tx, printerId, reason);
    }

    /**
     * Handles the replacement of the machine or its agent: the printer is offline until its first report, its bed must
     * be checked, and stops of cancelled jobs are no longer awaited.
     */
    public void onReplaced(Tx tx, String printerId, String reason) {
        setOnline(tx, printerId, false);
        onUnexpectedUse(tx, printerId, reason);
        printers.find(tx, printerId)
                .flatMap(printer -> Optional.ofNullable(printer.printingJobId()))
                .filter(jobId -> jobs.find(tx, jobId)
                        .filter(job -> job.status().isActive())
                        .isEmpty())
                .ifPresent(jobId -> unassign(tx, printerId, jobId));
    }

    /** Requires a person to confirm the bed after an error, and emits an event. */
    public void onPrinterError(Tx tx, String printerId, String reason) {
        saveBed(tx, printerId, BedState::asUnconfirmed);
        bedClearing.disableContinuousPrint(tx, printerId, reason);
        webhooks.emit(tx, EventName.onPrinterHmsError, printerId, null, Map.of("reason", reason));
        // At the end, because reports in the message of the agent may be older than its event.
        tx.onAllBeforeCommit(
                EventName.onPrinterHmsError, List.of(printerId), ids -> conditions.setErrorOpen(tx, ids, true));
    }

    /**
     * Handles the loss of the printer's connection to its agent, which unlike a lost link of the agent disables
     * continuous printing.
     */
    public void onPrinterOffline(Tx tx, String printerId) {
        setOnline(tx, printerId, false);
        bedClearing.disableContinuousPrint(tx, printerId, "the printer became unreachable");
    }

    /**
     * Locks printers before their reports are stored. A person's confirmation, which reads the state of a locked
     * printer, then sees the report, or the report sees the confirmation.
     */
    public void lock(Tx tx, Collection<String> printerIds) {
        if (!printerIds.isEmpty()) {
            printers.lockWithoutReading(tx, printerIds);
        }
    }

    /**
     * Applies reported connections, activity and beds; emits an event when a printer goes online or offline.
     *
     * @return whether anything changed
     */
    public boolean onReports(Tx tx, SortedMap<String, PrinterState> states) {
        if (states.isEmpty()) {
            return false;
        }
        Map<String, PrinterConditionRows.Availability> conditionsById =
                conditions.findAvailabilities(tx, states.keySet(), clock.instant());
        boolean changed = false;
        for (Map.Entry<String, PrinterState> reported : states.entrySet()) {
            PrinterConditionRows.Availability before = conditionsById.get(reported.getKey());
            changed |= before != null && onReport(tx, reported.getKey(), before, reported.getValue());
        }
        return changed;
    }

    private boolean onReport(Tx tx, String printerId, PrinterConditionRows.Availability before, PrinterState state) {
        PrinterCondition condition = before.condition();
        boolean isBusy = state.status().isBusy();
        boolean isFit = state.status().isHealthy();
        boolean turned = isBusy != condition.isBusy() || isFit != condition.isFit();
        if (turned) {
            printers.change(
                    tx,
                    printerId,
                    new Change<Printer>().setColumn("isBusy", isBusy).setColumn("isFit", isFit));
        }
        if (before.isErrorOpen() && state.isWithoutFault()) {
            conditions.setErrorOpen(tx, List.of(printerId), false);
            webhooks.resolve(tx, EventName.onPrinterHmsError, List.of(printerId));
        }
        boolean isHoldOver = condition.heldBack() != null && conditions.endHold(tx, printerId, state.status());
        boolean isVerified = updateBed(tx, printerId, condition.bed(), state);
        boolean isOnline = state.connection() == PrinterState.Connection.online;
        boolean isReached = isOnline != before.isOnline() && setOnline(tx, printerId, isOnline);
        return turned || isHoldOver || isVerified || isReached;
    }

    /** Updates the bed from a state; returns whether it changed. */
    private boolean updateBed(Tx tx, String printerId, BedState before, PrinterState state) {
        if (before.equals(before.afterPrinterState(state, state.isPrinting(), clock.instant()))) {
            return false;
        }
        Printer printer = printers.lock(tx, printerId).orElseThrow();
        boolean isForeign = state.isPrinting() && !mayBePrinting(printer.printingJobId(), state);
        BedState bed = conditions.lockBed(tx, printerId);
        BedState after = bed.afterPrinterState(state, isForeign, clock.instant());
        if (after.equals(bed)) {
            return false;
        }
        saveBed(tx, printerId, after);
        if (isForeign) {
            bedClearing.disableContinuousPrint(tx, printerId, "it prints something that the farm did not start");
        }
        return true;
    }

    /** Whether the printer may be printing the assigned job. Some printers report the file name late. */
    private static boolean mayBePrinting(@Nullable String jobId, PrinterState state) {
        return jobId != null
                && (!state.hasFile()
                        || jobId.equals(Objects.requireNonNull(state.job()).jobId()));
    }

    /** Sets whether the printer is online; returns whether that changed. */
    public boolean setOnline(Tx tx, String printerId, boolean online) {
        boolean changed = printers.change(
                tx,
                printerId,
                new Change<Printer>().when(Printer::isOnline, !online).set(Printer::isOnline, online));
        if (changed) {
            webhooks.emit(tx, online ? EventName.onPrinterOnline : EventName.onPrinterOffline, printerId, null);
            if (online) {
                webhooks.resolve(tx, EventName.onPrinterOffline, List.of(printerId));
            }
        }
        return changed;
    }
}
