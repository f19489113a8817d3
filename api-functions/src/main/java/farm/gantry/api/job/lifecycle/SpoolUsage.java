package farm.gantry.api.job.lifecycle;

import farm.gantry.api.database.Change;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.printer.readiness.PrinterStateRows;
import farm.gantry.api.webhook.Webhooks;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.material.MaterialInstance;
import farm.gantry.notification.EventName;
import farm.gantry.printer.PrinterState;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Ends reservations of jobs on spools: deducts the used filament and releases the rest. */
@Singleton
final class SpoolUsage {
    /** Share of a spool's initial filament below which it is nearly used up. */
    private static final double LOW_SHARE = 0.1;
    /** Grams below which a spool of unknown initial weight is nearly used up. */
    private static final double LOW_GRAMS = 100;

    private final Table<MaterialInstance> instances;
    private final FilamentUseRows uses;
    private final PrinterStateRows states;
    private final Webhooks webhooks;

    SpoolUsage(Tables tables, FilamentUseRows uses, PrinterStateRows states, Webhooks webhooks) {
        this.instances = tables.of(MaterialInstance.class);
        this.uses = uses;
        this.states = states;
        this.webhooks = webhooks;
    }

    /** Ends an attempt's reservations when it ends, in the transaction of the job's transition. */
    void onTransition(Tx tx, PrintJob before, PrintJob after) {
        if (!before.status().isActive() || after.status().isActive()) {
            return;
        }
        double grams = before.status().isAtPrinter() && after.status().isFinished() ? usedGrams(tx, before, after) : 0;
        if (grams > 0) {
            deductFromSpools(tx, before, grams);
        } else {
            uses.release(tx, before.id(), before.attempt());
        }
    }

    /**
     * Returns the use that the printer counted, or else the estimate; for an incomplete print, the estimate's share of
     * what was printed.
     */
    private double usedGrams(Tx tx, PrintJob before, PrintJob after) {
        if (after.actualGrams() != null) {
            return after.actualGrams();
        }
        double estimate = after.estimatedGrams() == null ? 0 : after.estimatedGrams();
        return after.status() == JobStatus.Completed ? estimate : estimate * printedShare(tx, before, after);
    }

    private double printedShare(Tx tx, PrintJob before, PrintJob after) {
        if (before.status() == JobStatus.SENDING_TO_PRINTER) {
            return 0;
        }
        PrinterState state = before.assignedPrinterId() == null
                ? null
                : states.find(tx, before.assignedPrinterId()).orElse(null);
        PrinterState.Progress progress = state == null ? null : state.job();
        if (progress != null
                && before.id().equals(progress.jobId())
                && Objects.equals(before.attempt(), progress.attempt())) {
            return Math.clamp(progress.percent() / 100, 0, 1);
        }
        Long estimated = after.estimatedSeconds();
        Long printed = after.actualSeconds();
        return estimated == null || estimated <= 0 || printed == null
                ? 0
                : Math.clamp((double) printed / estimated, 0, 1);
    }

    private void deductFromSpools(Tx tx, PrintJob job, double grams) {
        Map<String, Double> taken = new TreeMap<>();
        uses.recordUse(tx, job.id(), job.attempt(), grams).forEach(use -> {
            if (use.instanceId() != null) {
                taken.merge(use.instanceId(), use.share() * grams, Double::sum);
            }
        });
        Map<String, MaterialInstance> spools = instances.lockAll(tx, taken.keySet());
        List<Map<String, ?>> usage = new ArrayList<>();
        spools.forEach((id, spool) -> {
            double gramsOfSpool = taken.getOrDefault(id, 0.0);
            Map<String, @Nullable Object> data = new HashMap<>();
            if (spool.remainingGrams() != null) {
                double left = Math.max(0, spool.remainingGrams() - gramsOfSpool);
                instances.change(tx, id, new Change<MaterialInstance>().set(MaterialInstance::remainingGrams, left));
                data.put("remainingGrams", left);
                emitIfLow(tx, job, spool, left);
            }
            data.put("instanceId", id);
            data.put("grams", gramsOfSpool);
            usage.add(data);
        });
        if (!usage.isEmpty()) {
            webhooks.emit(
                    tx,
                    EventName.onMaterialUsageRecorded,
                    job.assignedPrinterId(),
                    job.id(),
                    Map.of("materialUsage", usage));
        }
    }

    /** Emits an event when the spool becomes nearly or completely used up, once for each. */
    private void emitIfLow(Tx tx, PrintJob job, MaterialInstance spool, double left) {
        double before = Objects.requireNonNull(spool.remainingGrams());
        double low = spool.initialGrams() == null ? LOW_GRAMS : spool.initialGrams() * LOW_SHARE;
        boolean isRunOut = left == 0 && before > 0;
        if (isRunOut || (left < low && before >= low)) {
            Map<String, @Nullable Object> data = new HashMap<>();
            data.put("id", spool.id());
            data.put("name", spool.name());
            data.put("remainingGrams", left);
            webhooks.emit(
                    tx,
                    isRunOut ? EventName.onFilamentRunOut : EventName.onFilamentLow,
                    job.assignedPrinterId(),
                    job.id(),
                    Map.of("materialInstance", data));
        }
    }
}
