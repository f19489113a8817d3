package farm.gantry.api.job.lifecycle;

import farm.gantry.api.audit.AuditRows;
import farm.gantry.api.database.Change;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.job.PrintJob;
import farm.gantry.material.MaterialInstance;
import farm.gantry.printer.PrinterState;
import farm.gantry.schedule.LoadedSpools;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Corrects the remaining weight of spools from the tags that printers read. */
@Singleton
public final class SpoolWeights {
    private final Table<MaterialInstance> instances;
    private final FilamentUseRows uses;
    private final AuditRows audit;

    SpoolWeights(Tables tables, FilamentUseRows uses, AuditRows audit) {
        this.instances = tables.of(MaterialInstance.class);
        this.uses = uses;
        this.audit = audit;
    }

    /**
     * Ignores printers with a running print: the print is deducted when it ends, but the tag's value already includes
     * it.
     */
    public void onReport(Tx tx, String printerId, PrinterState state) {
        List<PrinterState.FilamentSlot> readings = state.filamentSlots().stream()
                .filter(slot -> slot.loaded() && slot.remainingGrams() != null)
                .toList();
        if (readings.isEmpty() || state.isPrinting() || uses.isPrinting(tx, printerId)) {
            return;
        }
        Map<PrintJob.Slot, String> spools = uses.findSpoolIds(tx, printerId);
        for (PrinterState.FilamentSlot slot : readings) {
            String spool = spools.get(new PrintJob.Slot(slot.amsIndex(), slot.slotIndex()));
            if (spool != null) {
                correctWeight(tx, printerId, spool, slot);
            }
        }
    }

    private void correctWeight(Tx tx, String printerId, String spoolId, PrinterState.FilamentSlot slot) {
        double grams = Objects.requireNonNull(slot.remainingGrams());
        instances
                .lock(tx, spoolId)
                .filter(spool -> isOfType(spool, slot) && LoadedSpools.isCorrection(grams, spool.remainingGrams()))
                .ifPresent(spool -> {
                    instances.change(
                            tx, spoolId, new Change<MaterialInstance>().set(MaterialInstance::remainingGrams, grams));
                    audit.recordPrinterChange(
                            tx,
                            instances.columns().table(),
                            spoolId,
                            printerId,
                            formatGrams(spool.remainingGrams()),
                            formatGrams(grams));
                });
    }

    /** Formats a weight for the audit log, without a fraction if it is whole. */
    private static String formatGrams(@Nullable Double grams) {
        String number = grams == null
                ? "null"
                : BigDecimal.valueOf(grams).stripTrailingZeros().toPlainString();
        return "{\"remainingGrams\":" + number + "}";
    }

    /** Returns whether the slot's type is the spool's; otherwise another spool was inserted without being recorded. */
    private static boolean isOfType(MaterialInstance spool, PrinterState.FilamentSlot slot) {
        return spool.materialType() == null
                || slot.materialType() == null
                || spool.materialType().equalsIgnoreCase(slot.materialType());
    }
}
