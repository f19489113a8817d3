package farm.gantry.api.schedule;

import farm.gantry.api.deliver.Webhooks;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.job.Matching;
import farm.gantry.notification.EventName;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is on the printers' beds, and whether they may be trusted to be clear. */
@Singleton
public final class Beds {
    private final Table<Printer> printers;
    private final Webhooks webhooks;

    Beds(Tables tables, Webhooks webhooks) {
        this.printers = tables.of(Printer.class);
        this.webhooks = webhooks;
    }

    /** The printer as it is now, held until the transaction ends; empty when it takes no work any more. */
    Optional<Printer> hold(Tx tx, Printer printer) {
        return printers.lock(tx, printer.id())
                .filter(held -> Matching.whyIdle(held).isEmpty());
    }

    void take(Tx tx, Printer printer, String jobId) {
        printers.change(tx, printer.id(), Map.of(), Map.of("printingJobId", jobId));
    }

    /**
     * The job is over and no longer the printer's. The bed holds what was printed: only a person, or continuous
     * printing after a success, makes the printer ready again.
     */
    public void release(Tx tx, String printerId, String jobId, boolean succeeded, @Nullable Long printedSeconds) {
        Printer printer = printers.lock(tx, printerId).orElse(null);
        if (printer == null || !jobId.equals(printer.printingJobId())) {
            return;
        }
        Map<String, @Nullable Object> changes = new HashMap<>();
        changes.put("printingJobId", null);
        changes.put("confirmedReady", false);
        if (printedSeconds != null) {
            changes.put("lastPrintedAt", Resources.now());
            changes.put("lifetimeJobCount", printer.lifetimeJobCount() + 1);
            changes.put("lifetimePrintHours", printer.lifetimePrintHours() + printedSeconds / 3600.0);
        }
        Integer left = printer.continuousRemainingJobs();
        if (printer.continuousPrint() && succeeded && left != null) {
            changes.put("continuousRemainingJobs", Math.max(0, left - 1));
        }
        printers.change(tx, printerId, Map.of(), changes);
        if (printer.continuousPrint() && !succeeded) {
            distrust(tx, printerId);
        }
    }

    /** Something happened that nobody here asked for: the bed must be looked at. */
    public void distrust(Tx tx, String printerId) {
        Printer printer = printers.lock(tx, printerId).orElseThrow();
        printers.change(tx, printerId, Map.of(), Map.of("confirmedReady", false, "continuousPrint", false));
        if (printer.continuousPrint()) {
            webhooks.emit(tx, EventName.onPrinterContinuousPrintDisabled, printerId, null);
        }
    }

    /** Takes over what a report says of reach and business; tells subscribers when the printer comes or goes. */
    public void observe(Tx tx, Printer printer, PrinterState state) {
        boolean busy = state.status().isBusy();
        printers.change(tx, printer.id(), Map.of("isBusy", Boolean.toString(!busy)), Map.of("isBusy", busy));
        reach(tx, printer.id(), state.connection() == PrinterState.Connection.online);
    }

    public void reach(Tx tx, String printerId, boolean online) {
        boolean changed = printers.change(
                tx, printerId, Map.of("isOnline", Boolean.toString(!online)), Map.of("isOnline", online));
        if (changed) {
            webhooks.emit(tx, online ? EventName.onPrinterOnline : EventName.onPrinterOffline, printerId, null);
        }
    }
}
