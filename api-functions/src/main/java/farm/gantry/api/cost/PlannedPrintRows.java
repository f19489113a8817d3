package farm.gantry.api.cost;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.api.query.ListQuery;
import farm.gantry.cost.CostEstimates;
import farm.gantry.cost.CostRates;
import farm.gantry.cost.PrintRates;
import farm.gantry.part.PrintTags;
import farm.gantry.printer.Printer;
import farm.gantry.store.StoreSettings;
import io.micronaut.core.type.Argument;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads planned prints and the data for estimating their costs. */
@Singleton
final class PlannedPrintRows {
    /** Selects for each linked part of SKUs how often its file is printed per SKU, and the seconds of all these prints. */
    private static final String OF_SKUS = """
            select l."skuId", l.quantity * file.prints, l.quantity * file.seconds, costs.grams, costs.cents,
              p."slicingEstimate" is not null and coalesce(costs.weighed, true), coalesce(p."printTags"::text, '{}')
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

    private static final Argument<PrintTags> TAGS = Argument.of(PrintTags.class);

    private final Table<StoreSettings> settings;
    private final Table<Printer> printers;
    private final JsonCodec json;
    private final InstantSource clock;

    PlannedPrintRows(Tables tables, JsonCodec json, InstantSource clock) {
        this.settings = tables.of(StoreSettings.class);
        this.printers = tables.of(Printer.class);
        this.json = json;
        this.clock = clock;
    }

    /** A job that is not finished, or that a person marked as completed without a report of the printer. */
    record PlannedJob(
            String jobId,
            @Nullable String orderItemId,
            boolean isOver,
            boolean isWeighed,
            CostEstimates.Place place,
            double seconds,
            double grams,
            double filamentCents) {
        CostEstimates.PlannedPrint print(boolean opensOrder) {
            return new CostEstimates.PlannedPrint(place, seconds, filamentCents, opensOrder);
        }
    }

    /** Returns the planned jobs of an order; the first one opens the order if none of its prints has ended. */
    List<PlannedJob> ofOrder(Tx tx, String orderId) {
        return jobs(tx, "\"orderId\"", orderId);
    }

    List<PlannedJob> ofJob(Tx tx, String jobId) {
        return jobs(tx, "id", jobId);
    }

    private List<PlannedJob> jobs(Tx tx, String column, String id) {
        return tx.list(
                """
                select j.id, j."orderItemId", j.status = 'Completed', j."estimatedGrams" is not null,
                  j."assignedPrinterId", coalesce(j."requiredPrinterTags"::text, '{}'),
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
                        new CostEstimates.Place(rows.getString(5), tags(rows.getString(6))),
                        rows.getDouble(7),
                        rows.getDouble(8),
                        rows.getDouble(9)),
                tx.store().value(),
                id);
    }

    /** The prints of one linked part per unit of a SKU; they are assumed to be equal. */
    record PlannedPart(
            int prints, double seconds, double grams, double filamentCents, boolean isWeighed, PrintTags tags) {
        CostEstimates.PlannedPrint print(boolean opensOrder) {
            return new CostEstimates.PlannedPrint(
                    new CostEstimates.Place(null, tags), seconds / prints, filamentCents / prints, opensOrder);
        }
    }

    /** Returns the planned prints by SKU id. */
    Map<String, List<PlannedPart>> ofSkus(Tx tx, String[] skus) {
        String store = tx.store().value();
        return tx.group(
                OF_SKUS,
                rows -> new PlannedPart(
                        Math.max(1, rows.getInt(2)),
                        rows.getDouble(3),
                        rows.getDouble(4),
                        rows.getDouble(5),
                        rows.getBoolean(6),
                        tags(rows.getString(7))),
                store,
                skus,
                store,
                skus);
    }

    /** Returns an estimator at today's rates. */
    CostEstimates loadEstimates(Tx tx) {
        StoreSettings store = settings.find(tx, tx.store().value()).orElseThrow();
        PrintRates rates = new PrintRates(
                store.costRates() == null ? CostRates.NOTHING : store.costRates(),
                null,
                0,
                store.currency(),
                ZoneId.of(store.timezone()));
        return new CostEstimates(rates, printers.find(tx, ListQuery.all(printers.columns())), clock.instant());
    }

    private PrintTags tags(String text) {
        return json.read(text, TAGS);
    }
}
