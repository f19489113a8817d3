package farm.gantry.api.schedule;

import farm.gantry.api.deliver.Webhooks;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.notification.EventName;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is on the printers' beds, and whether they may be trusted to be clear. */
@Singleton
public final class Beds {
    private final Table<Printer> printers;
    private final Clearings clearings;
    private final Webhooks webhooks;

    Beds(Tables tables, Clearings clearings, Webhooks webhooks) {
        this.printers = tables.of(Printer.class);
        this.clearings = clearings;
        this.webhooks = webhooks;
    }

    /** Whether the job, which has the printer but was not sent yet, may go there. */
    static boolean mayStart(Printer printer, String jobId) {
        return jobId.equals(printer.printingJobId())
                && printer.enabled()
                && printer.isOnline()
                && printer.confirmedReady()
                && !printer.isInMaintenance()
                && printer.proxyClientId() != null;
    }

    /** Takes the printer from a job that never came to it; its bed is as it was. */
    public void giveBack(Tx tx, String printerId, String jobId) {
        Map<String, @Nullable Object> free = new HashMap<>();
        free.put("printingJobId", null);
        printers.change(tx, printerId, Map.of("printingJobId", jobId), free);
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
        boolean goesOn = printer.continuousPrint() && succeeded;
        Integer left = printer.continuousRemainingJobs();
        Integer after = left == null ? null : Integer.valueOf(Math.max(0, left - 1));
        if (goesOn) {
            changes.put("continuousRemainingJobs", after);
        }
        printers.change(tx, printerId, Map.of(), changes);
        if (goesOn && after != null && after == 0) {
            clearings.stop(tx, printerId, "its limit of jobs is reached");
        } else if (goesOn) {
            clearings.begin(tx, printer);
        } else if (printer.continuousPrint()) {
            clearings.stop(tx, printerId, "its last job did not succeed");
        }
    }

    /** Something happened that nobody here asked for: the bed must be looked at. */
    public void distrust(Tx tx, String printerId, String reason) {
        printers.change(tx, printerId, Map.of(), Map.of("confirmedReady", false));
        clearings.stop(tx, printerId, reason);
    }

    /** The printer itself is out of sight, which is more than an outage of its agent's link. */
    public void lose(Tx tx, String printerId) {
        reach(tx, printerId, false);
        clearings.stop(tx, printerId, "the printer was lost from sight");
    }

    /**
     * Takes over what a report says of reach and business; tells subscribers when the printer comes or goes.
     *
     * @return whether it is news
     */
    public boolean observe(Tx tx, Printer printer, PrinterState state) {
        boolean busy = state.status().isBusy();
        boolean turned =
                printers.change(tx, printer.id(), Map.of("isBusy", Boolean.toString(!busy)), Map.of("isBusy", busy));
        return reach(tx, printer.id(), state.connection() == PrinterState.Connection.online) || turned;
    }

    /** Says whether the printer can be reached, and answers whether that is news. */
    public boolean reach(Tx tx, String printerId, boolean online) {
        boolean changed = printers.change(
                tx, printerId, Map.of("isOnline", Boolean.toString(!online)), Map.of("isOnline", online));
        if (changed) {
            webhooks.emit(tx, online ? EventName.onPrinterOnline : EventName.onPrinterOffline, printerId, null);
        }
        return changed;
    }
}
