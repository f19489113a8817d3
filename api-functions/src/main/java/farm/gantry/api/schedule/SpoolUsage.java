package farm.gantry.api.schedule;

import farm.gantry.api.deliver.Webhooks;
import farm.gantry.api.query.Filter;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.Operator;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.builds.PartBuild;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.material.MaterialInstance;
import farm.gantry.notification.EventName;
import farm.gantry.part.SlicingEstimate;
import farm.gantry.printer.PrinterSlot;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Deducts the filament that prints used from the spools in their slots. */
@Singleton
public final class SpoolUsage {
    private final Table<PrinterSlot> slots;
    private final Table<MaterialInstance> instances;
    private final Table<PartBuild> builds;
    private final Webhooks webhooks;

    SpoolUsage(Tables tables, Webhooks webhooks) {
        this.slots = tables.of(PrinterSlot.class);
        this.instances = tables.of(MaterialInstance.class);
        this.builds = tables.of(PartBuild.class);
        this.webhooks = webhooks;
    }

    /**
     * Takes the grams of a job that is over from its spools: what the printer counted, or else what was estimated of a
     * print that ran to its end.
     */
    public void record(Tx tx, String printerId, PrintJob job) {
        Double grams = job.actualGrams() == null && job.status() == JobStatus.Completed
                ? job.estimatedGrams()
                : job.actualGrams();
        Map<String, PrintJob.Slot> mapping = job.materialMapping();
        if (grams == null || grams <= 0 || mapping == null || mapping.isEmpty()) {
            return;
        }
        Map<PrintJob.Slot, String> spools = spools(tx, printerId);
        Map<String, Double> used = new LinkedHashMap<>();
        shares(tx, job, mapping).forEach((slot, share) -> {
            String spool = spools.get(slot);
            if (spool != null) {
                used.merge(spool, share * grams, Double::sum);
            }
        });
        List<Map<String, ?>> usage = new ArrayList<>();
        used.forEach((spool, taken) -> instances.lock(tx, spool).ifPresent(instance -> {
            Map<String, @Nullable Object> told = new HashMap<>();
            if (instance.remainingGrams() != null) {
                double left = Math.max(0, instance.remainingGrams() - taken);
                instances.change(tx, spool, Map.of(), Map.of("remainingGrams", left));
                told.put("remainingGrams", left);
            }
            told.put("instanceId", spool);
            told.put("grams", taken);
            usage.add(told);
        }));
        if (!usage.isEmpty()) {
            webhooks.emit(tx, EventName.onMaterialUsageRecorded, printerId, job.id(), Map.of("materialUsage", usage));
        }
    }

    private Map<PrintJob.Slot, String> spools(Tx tx, String printerId) {
        Map<PrintJob.Slot, String> spools = new HashMap<>();
        slots.find(
                        tx,
                        ListQuery.all(slots.columns())
                                .where(Filter.of(slots.columns().get("printerId"), Operator.eq, printerId)))
                .forEach(slot -> {
                    if (slot.instanceId() != null) {
                        spools.put(new PrintJob.Slot(slot.amsIndex(), slot.slotIndex()), slot.instanceId());
                    }
                });
        return spools;
    }

    /** Slot → its share of the whole by the estimated grams; equal shares without an estimate. */
    private Map<PrintJob.Slot, Double> shares(Tx tx, PrintJob job, Map<String, PrintJob.Slot> mapping) {
        Map<Integer, Double> estimated = estimated(tx, job);
        estimated.keySet().removeIf(index -> !mapping.containsKey(String.valueOf(index)));
        if (estimated.isEmpty()) {
            mapping.keySet().forEach(index -> estimated.put(Integer.valueOf(index), 1.0));
        }
        double whole =
                estimated.values().stream().mapToDouble(Double::doubleValue).sum();
        Map<PrintJob.Slot, Double> shares = new LinkedHashMap<>();
        estimated.forEach((index, grams) -> {
            PrintJob.Slot slot = mapping.get(String.valueOf(index));
            if (slot != null) {
                shares.merge(slot, grams / whole, Double::sum);
            }
        });
        return shares;
    }

    /** Filament index → grams of the job's plate. */
    private Map<Integer, Double> estimated(Tx tx, PrintJob job) {
        Integer plateId =
                job.extensions() == null ? null : job.extensions().threeMf().plateId();
        Map<Integer, Double> estimated = new TreeMap<>();
        Optional<SlicingEstimate> estimate =
                builds.find(tx, job.partBuildId()).map(build -> build.partCopy().slicingEstimate());
        estimate.flatMap(all -> Stream.ofNullable(all.plates())
                        .flatMap(List::stream)
                        .filter(plate -> plateId != null && plate.plateId() == plateId)
                        .findFirst()
                        .map(SlicingEstimate.Plate::materials))
                .or(() -> estimate.map(SlicingEstimate::materials))
                .ifPresent(materials -> materials.stream()
                        .filter(material -> material.usedGrams() > 0)
                        .forEach(material -> estimated.merge(material.index(), material.usedGrams(), Double::sum)));
        return estimated;
    }
}
