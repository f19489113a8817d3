package farm.gantry.api.job.lifecycle;

import farm.gantry.api.database.Tx;
import farm.gantry.job.PrintJob;
import farm.gantry.schedule.LoadedSpools;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Filament of each attempt of a job by slot: reserved on the slot's spool while the attempt runs, then used. */
@Singleton
public final class FilamentUseRows {

    /** A slot's share of an attempt's filament; {@code instanceId} is the spool, null if unknown. */
    public record FilamentUse(
            String jobId,
            int attempt,
            PrintJob.Slot slot,
            @Nullable String instanceId,
            double share) {}

    /** Reserves the filament of attempts; existing reservations are left unchanged. */
    public void reserve(Tx tx, Collection<FilamentUse> uses) {
        if (!uses.isEmpty()) {
            tx.update(
                    """
                    insert into farm."filamentUse"
                      ("storeId", "printJobId", attempt, "amsIndex", "slotIndex", "instanceId", share)
                    select ?, u.* from unnest(
                      ?::text[], ?::text[]::integer[], ?::text[]::integer[], ?::text[]::integer[], ?::text[], ?::text[]::float8[]) u
                    on conflict do nothing""",
                    tx.store().value(),
                    texts(uses, FilamentUse::jobId),
                    texts(uses, FilamentUse::attempt),
                    texts(uses, use -> use.slot().amsIndex()),
                    texts(uses, use -> use.slot().slotIndex()),
                    texts(uses, FilamentUse::instanceId),
                    texts(uses, FilamentUse::share));
        }
    }

    private static @Nullable String[] texts(Collection<FilamentUse> uses, Function<FilamentUse, @Nullable Object> member) {
        return uses.stream()
                .map(member)
                .map(value -> value == null ? null : value.toString())
                .toArray(String[]::new);
    }

    /** Releases the unused reservations of an attempt. */
    public void release(Tx tx, String jobId, int attempt) {
        tx.update(
                "delete from farm.\"filamentUse\" where \"storeId\" = ? and \"printJobId\" = ? and attempt = ?"
                        + " and \"usedGrams\" is null",
                tx.store().value(),
                jobId,
                attempt);
    }

    /** Converts an attempt's reservations into use, once, at the cost of the spools; returns the use of each spool. */
    public List<FilamentUse> recordUse(Tx tx, String jobId, int attempt, double grams) {
        return tx.list(
                """
                update farm."filamentUse" u set "usedGrams" = u.share * ?::float8, "usedAt" = now(), "pricePer1000g" = (
                  select coalesce(i."pricePer1000g", v."pricePer1000g", m."pricePer1000g")
                  from farm."materialInstance" i
                  left join farm."materialVariant" v on v."storeId" = i."storeId" and v.id = i."variantId"
                  left join farm.material m on m."storeId" = i."storeId" and m.id = i."materialId"
                  where i."storeId" = u."storeId" and i.id = u."instanceId")
                where u."storeId" = ? and u."printJobId" = ? and u.attempt = ? and u."usedGrams" is null
                returning u."amsIndex", u."slotIndex", u."instanceId", u.share""",
                rows -> new FilamentUse(
                        jobId,
                        attempt,
                        new PrintJob.Slot(rows.getInt(1), rows.getInt(2)),
                        rows.getString(3),
                        rows.getDouble(4)),
                Double.toString(grams),
                tx.store().value(),
                jobId,
                attempt);
    }

    /**
     * Moves reservations in slots to the new spool, or to none. A print that has started keeps counting for its spool.
     * {@code places} are slots by printer.
     */
    public void replaceSpool(Tx tx, Map<String, List<PrintJob.Slot>> places, @Nullable String instanceId) {
        if (places.isEmpty()) {
            return;
        }
        List<String> printers = new ArrayList<>();
        List<PrintJob.Slot> slots = new ArrayList<>();
        places.forEach((printer, its) -> its.forEach(slot -> {
            printers.add(printer);
            slots.add(slot);
        }));
        tx.update(
                """
                update farm."filamentUse" u set "instanceId" = ?
                from farm."printJob" j
                join unnest(?::text[], ?::text[]::integer[], ?::text[]::integer[]) p(printer, ams, slot) on j."assignedPrinterId" = p.printer
                where u."storeId" = ? and u."usedGrams" is null and u."amsIndex" = p.ams and u."slotIndex" = p.slot
                  and j."storeId" = u."storeId" and j.id = u."printJobId" and j.attempt = u.attempt
                  and (j.status in ('Assigned', 'Slicing', 'Sliced', 'Finalizing', 'Waiting-for-approval', 'Ready-for-printer')
                       or j.status in ('Sending-to-printer', 'Printing', 'Paused') and u."instanceId" is null)""",
                instanceId,
                printers.toArray(String[]::new),
                slots.stream().map(slot -> String.valueOf(slot.amsIndex())).toArray(String[]::new),
                slots.stream().map(slot -> String.valueOf(slot.slotIndex())).toArray(String[]::new),
                tx.store().value());
    }

    /** Returns whether a job may be printing on the printer. */
    public boolean isPrinting(Tx tx, String printerId) {
        return tx.query(
                "select from farm.\"printJob\" where \"storeId\" = ? and \"assignedPrinterId\" = ?"
                        + " and status in ('Sending-to-printer', 'Printing', 'Paused')",
                ResultSet::next,
                tx.store().value(),
                printerId);
    }

    /** Slot of the printer → its spool. */
    public Map<PrintJob.Slot, String> findSpoolIds(Tx tx, String printerId) {
        Map<PrintJob.Slot, String> instances = new HashMap<>();
        tx.list(
                        """
                        select "amsIndex", "slotIndex", "instanceId" from farm."printerSlot"
                        where "storeId" = ? and "printerId" = ? and "instanceId" is not null""",
                        rows -> Map.entry(new PrintJob.Slot(rows.getInt(1), rows.getInt(2)), rows.getString(3)),
                        tx.store().value(),
                        printerId)
                .forEach(row -> instances.put(row.getKey(), row.getValue()));
        return instances;
    }

    /** Printer → spools in its slots. The job's own reservations count as free. */
    public Map<String, Map<PrintJob.Slot, LoadedSpools.Spool>> findSpools(Tx tx, @Nullable String jobId) {
        Map<String, Map<PrintJob.Slot, LoadedSpools.Spool>> spools = new HashMap<>();
        tx.list(
                        """
                        with reserved as (
                          select u."instanceId", sum(u.share * j."estimatedGrams") as grams
                          from farm."printJob" j
                          join farm."filamentUse" u on u."storeId" = j."storeId" and u."printJobId" = j.id
                            and u.attempt = j.attempt and u."usedGrams" is null
                          where j."storeId" = ? and j.id <> ? and j.status in (
                            'Assigned', 'Slicing', 'Sliced', 'Finalizing', 'Waiting-for-approval', 'Ready-for-printer',
                            'Sending-to-printer', 'Printing', 'Paused')
                          group by 1)
                        select s."printerId", s."amsIndex", s."slotIndex", i.id, i."remainingGrams", coalesce(r.grams, 0)
                        from farm."printerSlot" s
                        join farm."materialInstance" i on i."storeId" = s."storeId" and i.id = s."instanceId"
                        left join reserved r on r."instanceId" = i.id
                        where s."storeId" = ?""",
                        rows -> Map.entry(
                                rows.getString(1),
                                Map.entry(
                                        new PrintJob.Slot(rows.getInt(2), rows.getInt(3)),
                                        new LoadedSpools.Spool(
                                                rows.getString(4),
                                                rows.getObject(5, Double.class),
                                                rows.getDouble(6)))),
                        tx.store().value(),
                        jobId == null ? "" : jobId,
                        tx.store().value())
                .forEach(row -> spools.computeIfAbsent(row.getKey(), _ -> new HashMap<>())
                        .put(row.getValue().getKey(), row.getValue().getValue()));
        return spools;
    }
}
