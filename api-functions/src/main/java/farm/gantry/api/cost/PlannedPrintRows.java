package farm.gantry.api.cost;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.cost.CostEstimates;
import farm.gantry.cost.CostRates;
import farm.gantry.cost.PrintRates;
import farm.gantry.store.StoreSettings;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The prints that are still to come, and what estimates of their costs need. */
@Singleton
final class PlannedPrintRows {
    /** Selects for each linked part of SKUs how often its file is printed per SKU, and the seconds of all these prints. */
    private static final String OF_SKUS = """
            select l."skuId", l.quantity * file.prints, l.quantity * file.seconds, costs.grams, costs.cents,
              p."slicingEstimate" is not null and coalesce(costs.weighed, true)
            from farm."linkedPart" l
            join farm.part p on p."storeId" = l."storeId" and p.id = l."partId"
            cross join lateral (
              select case json_typeof(p."slicingEstimate" -> 'plates') when 'array' then p."slicingEstimate" -> 'plates' else '[]' end
                as plates, coalesce(l.extensions #> '{3mf,plateQuantities}', '{}') as quantities) f
            cross join lateral (
              select sum((f.quantities ->> (s.plate ->> 'plateId'))::integer) as prints,
                sum((f.quantities ->> (s.plate ->> 'plateId'))::integer
                  * (s.plate ->> 'estimatedPrintTimeSeconds')::float8) as seconds
              from json_array_elements(f.plates) as s(plate)) chosen
            cross join lateral (
              select coalesce(chosen.prints, greatest(1, json_array_length(f.plates))) as prints,
                coalesce(chosen.seconds, (p."slicingEstimate" ->> 'estimatedPrintTimeSeconds')::float8, 0) as seconds) file
            left join (
              select c."linkedPartId", sum(c.quantity * c.grams) as grams, sum(c.cents) as cents,
                bool_and(c.grams is not null) as weighed
              from farm.filament_costs(?, ?) c group by 1) costs on costs."linkedPartId" = l.id
            where l."storeId" = ? and l."skuId" = any(?) and l.quantity > 0""";

    private final Table<StoreSettings> settings;
    private final InstantSource clock;

    PlannedPrintRows(Tables tables, InstantSource clock) {
        this.settings = tables.of(StoreSettings.class);
        this.clock = clock;
    }

    /** A job that is to be printed, or was completed without that a printer reported it. */
    record PlannedJob(
            String jobId,
            @Nullable String orderItemId,
            boolean isOver,
            boolean isWeighed,
            List<String> printerIds,
            double seconds,
            double grams,
            double filamentCents) {
        CostEstimates.PlannedPrint print(boolean opensOrder) {
            return new CostEstimates.PlannedPrint(printerIds, seconds, filamentCents, opensOrder);
        }
    }

    List<PlannedJob> ofOrder(Tx tx, String orderId) {
        return jobs(tx, "\"orderId\"", orderId);
    }

    List<PlannedJob> ofJob(Tx tx, String jobId) {
        return jobs(tx, "id", jobId);
    }

    private static List<PlannedJob> jobs(Tx tx, String column, String id) {
        return tx.list(
                """
                select j.id, j."orderItemId", j.status = 'Completed', j."estimatedGrams" is not null,
                  coalesce(j."assignedPrinterId", ltrim(j."requiredPrinterTags" ->> 'printer.id', '|&='), ''),
                  coalesce(j."estimatedSeconds", 0), coalesce(j."estimatedGrams", 0),
                  coalesce(j."estimatedGrams", 0) / 1000 * farm.price_of_plate(j."storeId", j."partBuildId",
                    coalesce(j.extensions #>> '{3mf,plateId}', ''), j."materialAssignments")::float8
                from farm."printJob" j
                where j."storeId" = ? and j.%s = ? and j.status not in ('Failed', 'Cancelled')
                  and not (j.status = 'Completed' and exists (
                    select from farm."printAttempt" a
                    where a."storeId" = j."storeId" and a."printJobId" = j.id and a.attempt = j.attempt))
                order by j."queueOrder", j.id""".formatted(column),
                rows -> new PlannedJob(
                        rows.getString(1),
                        rows.getString(2),
                        rows.getBoolean(3),
                        rows.getBoolean(4),
                        Arrays.stream(rows.getString(5).split("\\|"))
                                .filter(printer -> !printer.isEmpty())
                                .toList(),
                        rows.getDouble(6),
                        rows.getDouble(7),
                        rows.getDouble(8)),
                tx.store().value(),
                id);
    }

    /** The prints of one linked part for one SKU; they are taken to be alike. */
    record PlannedPart(int prints, double seconds, double grams, double filamentCents, boolean isWeighed) {
        CostEstimates.PlannedPrint print(boolean opensOrder) {
            return new CostEstimates.PlannedPrint(List.of(), seconds / prints, filamentCents / prints, opensOrder);
        }
    }

    /** SKU → the prints of its linked parts. */
    Map<String, List<PlannedPart>> ofSkus(Tx tx, String[] skus) {
        String store = tx.store().value();
        return tx.group(
                OF_SKUS,
                rows -> new PlannedPart(
                        Math.max(1, rows.getInt(2)),
                        rows.getDouble(3),
                        rows.getDouble(4),
                        rows.getDouble(5),
                        rows.getBoolean(6)),
                store,
                skus,
                store,
                skus);
    }

    /** Returns estimates at the rates of today. */
    CostEstimates loadEstimates(Tx tx) {
        StoreSettings store = settings.find(tx, tx.store().value()).orElseThrow();
        List<CostEstimates.PricedPrinter> printers = tx.list(
                "select id, \"modelName\", \"hourlyRate\", enabled from farm.printer where \"storeId\" = ?",
                rows -> new CostEstimates.PricedPrinter(
                        rows.getString(1), rows.getString(2), rows.getObject(3, Double.class), rows.getBoolean(4)),
                tx.store().value());
        PrintRates rates = new PrintRates(
                store.costRates() == null ? CostRates.NOTHING : store.costRates(),
                null,
                0,
                store.currency(),
                ZoneId.of(store.timezone()));
        return new CostEstimates(rates, printers, clock.instant());
    }
}
