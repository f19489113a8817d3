package farm.gantry.api.schedule;

import farm.gantry.api.store.AuditRows;
import farm.gantry.api.store.FilamentUseRows;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.job.PrintJob;
import farm.gantry.material.MaterialInstance;
import farm.gantry.printer.PrinterState;
import farm.gantry.schedule.Spools;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Corrects what is left on spools by what printers read from the spools' tags. */
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

    /** A print under way is counted when it ends; until then what the printer tells is already less. */
    public void onReport(Tx tx, String printerId, PrinterState state) {
        List<PrinterState.FilamentSlot> told = state.filamentSlots().stream()
                .filter(slot -> slot.loaded() && slot.remainingGrams() != null)
                .toList();
        if (told.isEmpty() || state.isPrinting() || uses.isPrinting(tx, printerId)) {
            return;
        }
        Map<PrintJob.Slot, String> spools = uses.instances(tx, printerId);
        for (PrinterState.FilamentSlot slot : told) {
            String spool = spools.get(new PrintJob.Slot(slot.amsIndex(), slot.slotIndex()));
            if (spool != null) {
                correct(tx, printerId, spool, slot);
            }
        }
    }

    private void correct(Tx tx, String printerId, String spoolId, PrinterState.FilamentSlot slot) {
        double grams = Objects.requireNonNull(slot.remainingGrams());
        instances
                .lock(tx, spoolId)
                .filter(spool -> isOfType(spool, slot) && Spools.corrects(grams, spool.remainingGrams()))
                .ifPresent(spool -> {
                    instances.change(tx, spoolId, Map.of(), Map.of("remainingGrams", grams));
                    audit.note(
                            tx,
                            instances.columns().table(),
                            spoolId,
                            printerId,
                            remaining(spool.remainingGrams()),
                            remaining(grams));
                });
    }

    /** A weight as the audit log shows it, without a fraction where it is whole. */
    private static String remaining(@Nullable Double grams) {
        String number = grams == null
                ? "null"
                : BigDecimal.valueOf(grams).stripTrailingZeros().toPlainString();
        return "{\"remainingGrams\":" + number + "}";
    }

    /** Another type in the slot than its spool has is another spool, of which nobody was told. */
    private static boolean isOfType(MaterialInstance spool, PrinterState.FilamentSlot slot) {
        return spool.materialType() == null
                || slot.materialType() == null
                || spool.materialType().equalsIgnoreCase(slot.materialType());
    }
}
