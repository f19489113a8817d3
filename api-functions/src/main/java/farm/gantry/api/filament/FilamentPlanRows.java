package farm.gantry.api.filament;

import farm.gantry.api.database.Tx;
import farm.gantry.filament.PlannedSpool;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the data of filament plans: spools, their past use, and how long printers are busy. */
@Singleton
public final class FilamentPlanRows {
    /** The days over which use is averaged. */
    private static final int DAYS = 28;

    /** A spool as people call it; {@code isLoaded} is whether it is in a printer's slot. */
    public record StoredSpool(PlannedSpool roll, String name, boolean isLoaded) {}

    /** Returns all spools, without the grams reserved by active jobs. */
    public List<StoredSpool> spools(Tx tx) {
        return tx.list(
                """
                select i.id, i."variantId", i."materialId", i."materialType",
                  greatest(0, i."remainingGrams" - public."reservedGrams"(i)), coalesce(i.name, i.identifier, ''),
                  exists (select from farm."printerSlot" s where s."storeId" = i."storeId" and s."instanceId" = i.id)
                from farm."materialInstance" i where i."storeId" = ? order by i."createdAt", i.id""",
                rows -> new StoredSpool(
                        new PlannedSpool(
                                rows.getString(1),
                                rows.getString(2),
                                rows.getString(3),
                                rows.getString(4),
                                rows.getObject(5, Double.class)),
                        rows.getString(6),
                        rows.getBoolean(7)),
                tx.store().value());
    }

    /** Printer → the seconds until it is done with its job, by estimate. */
    public Map<String, Long> busySeconds(Tx tx) {
        return tx.map("""
                select "assignedPrinterId", greatest(0, coalesce("estimatedSeconds", 0)
                  - coalesce(extract(epoch from now() - "printingStartedAt"), 0))::bigint
                from farm."printJob" where "storeId" = ? and "assignedPrinterId" is not null and status in (
                  'Assigned', 'Slicing', 'Sliced', 'Finalizing', 'Waiting-for-approval', 'Ready-for-printer',
                  'Sending-to-printer', 'Printing', 'Paused')""", rows -> rows.getLong(2), tx.store().value());
    }

    /** Job → the seconds that it is estimated to take, of those that wait. */
    public Map<String, Long> seconds(Tx tx) {
        return tx.map(
                "select id, coalesce(\"estimatedSeconds\", 0) from farm.\"printJob\""
                        + " where \"storeId\" = ? and status = 'Pending'",
                rows -> rows.getLong(2),
                tx.store().value());
    }

    /** Filament → the grams left of it on all spools. */
    public Map<PlannedSpool, Double> stock(Tx tx) {
        return grams(tx, """
                select "variantId", "materialId", "materialType", sum(coalesce("remainingGrams", 0))
                from farm."materialInstance" where "storeId" = ? group by 1, 2, 3""");
    }

    /** Filament → the grams that jobs under way will take of it. */
    public Map<PlannedSpool, Double> reserved(Tx tx) {
        return grams(tx, """
                select "variantId", "materialId", "materialType", sum(public."reservedGrams"(i))
                from farm."materialInstance" i where "storeId" = ? group by 1, 2, 3
                having sum(public."reservedGrams"(i)) > 0""");
    }

    /**
     * Returns, of each filament, the grams used a day on average of the last four weeks, or since the first print that was counted,
     * but of no less than a week: a single day says little of the next.
     */
    public Map<PlannedSpool, Double> usedPerDay(Tx tx) {
        return grams(tx, """
                select i."variantId", i."materialId", i."materialType", sum(u."usedGrams") / least(%1$d, greatest(7, extract(
                  epoch from now() - (select min("usedAt") from farm."filamentUse" f where f."storeId" = i."storeId")) / 86400))
                from farm."filamentUse" u
                join farm."materialInstance" i on i."storeId" = u."storeId" and i.id = u."instanceId"
                where i."storeId" = ? and u."usedAt" > now() - interval '%1$d days' group by i."storeId", 1, 2, 3""".formatted(DAYS));
    }

    private static Map<PlannedSpool, Double> grams(Tx tx, String sql) {
        Map<PlannedSpool, Double> grams = new HashMap<>();
        tx.list(
                        sql,
                        rows -> Map.entry(roll(rows), rows.getDouble(4)),
                        tx.store().value())
                .forEach(entry -> grams.put(entry.getKey(), entry.getValue()));
        return grams;
    }

    /** The variants that the store knows. */
    public List<PlannedSpool> variants(Tx tx) {
        return tx.list("""
                select v.id, v."materialId", m.type from farm."materialVariant" v
                join farm.material m on m."storeId" = v."storeId" and m.id = v."materialId"
                where v."storeId" = ? order by v."createdAt", v.id""", FilamentPlanRows::roll, tx.store().value());
    }

    private static PlannedSpool roll(ResultSet rows) throws SQLException {
        return new PlannedSpool(null, rows.getString(1), rows.getString(2), rows.getString(3), null);
    }
}
