package farm.gantry.api.cost;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.api.query.ListQuery;
import farm.gantry.cost.CostCorrection;
import farm.gantry.cost.CostRates;
import farm.gantry.cost.CostedPrint;
import farm.gantry.cost.PrintRates;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The prints that ended, with what they used and the rates that they keep. */
@Singleton
public final class CostRows {
    private static final String EVER = "-infinity";
    private static final String ALWAYS = "infinity";
    private static final Argument<CostRates> RATES = Argument.of(CostRates.class);

    /** The grouping of a cost report. */
    @Serdeable
    public enum Grouping {
        day("to_char(a.\"endedAt\" at time zone s.timezone, 'YYYY-MM-DD')", "null::text"),
        printer(
                "a.\"printerId\"",
                "(select name from farm.printer x where x.\"storeId\" = s.\"storeId\" and x.id = a.\"printerId\")"),
        part("j.\"partId\"", "j.\"partName\""),
        sku("j.\"skuId\"", "j.\"skuName\""),
        order("j.\"orderId\"", "o.\"orderNumber\""),
        integration(
                "o.\"integrationId\"",
                "(select name from farm.integration x where x.\"storeId\" = s.\"storeId\" and x.id = o.\"integrationId\")");

        private final String key;
        private final String label;

        Grouping(String key, String label) {
            this.key = key;
            this.label = label;
        }

        /** Returns whether what is sold can be held against what it cost. */
        public boolean hasPrices() {
            return this == order || this == integration;
        }
    }

    /**
     * A print in its group; {@code orderPrice} is that of its order, null without one in the currency of the print. {@code isWeighed} is
     * false where neither its printer, its spools nor its file say how much filament it used: its grams are 0 then. {@code seconds} is
     * its time as its printer counted it.
     */
    public record GroupedPrint(
            @Nullable String key,
            @Nullable String label,
            @Nullable String orderId,
            @Nullable Long orderPrice,
            double grams,
            double seconds,
            boolean isMeasured,
            boolean isWeighed,
            CostedPrint print) {
        String currency() {
            return print.rates().currency();
        }
    }

    private final JsonCodec json;
    private final Table<CostCorrection> corrections;

    CostRows(JsonCodec json, Tables tables) {
        this.json = json;
        this.corrections = tables.of(CostCorrection.class);
    }

    /** The prints that ended between the times, those of a group together. */
    public List<GroupedPrint> prints(Tx tx, Instant from, Instant to, Grouping grouping) {
        String select = select(grouping.key, grouping.label) + " order by 1 nulls last, a.\"endedAt\"";
        return prints(tx, select, from.toString(), to.toString(), "", "");
    }

    /** Returns all prints of an order; their keys are its items. */
    public List<GroupedPrint> ofOrder(Tx tx, String orderId) {
        String select = select("j.\"orderItemId\"", "null::text") + " order by a.\"endedAt\"";
        return prints(tx, select, EVER, ALWAYS, orderId, "");
    }

    /** Returns all prints of a job, one per attempt. */
    public List<GroupedPrint> ofJob(Tx tx, String jobId) {
        String select = select("null::text", "null::text") + " order by a.\"endedAt\"";
        return prints(tx, select, EVER, ALWAYS, "", jobId);
    }

    private List<GroupedPrint> prints(Tx tx, String select, String from, String to, String orderId, String jobId) {
        String store = tx.store().value();
        List<CostCorrection> corrected = corrections.find(tx, ListQuery.all(corrections.columns())).stream()
                .sorted(Comparator.comparing(CostCorrection::createdAt).thenComparing(CostCorrection::id))
                .toList();
        Map<String, CostRates> read = new HashMap<>();
        return tx.list(
                select, rows -> toGroupedPrint(rows, rates(rows, corrected, read)), store, from, to, orderId, jobId, store);
    }

    private static String select(String key, String label) {
        return """
                select %s, %s, o.id, case when coalesce(o.currency, a.currency) = a.currency then coalesce(o.price, (
                    select sum(i.price) from farm."orderItem" i where i."storeId" = o."storeId" and i."orderId" = o.id)) end,
                  c.grams, c.measured, a."modelName", a."startedAt", a."endedAt", c."spoolCents", c."unpricedGrams", c.changes,
                  c."opensOrder",
                  case when a.status <> 'Completed' then 1
                    else coalesce(a.rejected::double precision / nullif(coalesce(a.good, 1) + a.rejected, 0), 0) end as scrap,
                  coalesce(a.grams, j."estimatedGrams") is not null or exists (
                    select from farm."filamentUse" u
                    where u."storeId" = s."storeId" and u."printJobId" = c."printJobId" and u.attempt = c.attempt
                      and u."usedGrams" is not null) as weighed,
                  coalesce(case when j.attempt = a.attempt then j."actualSeconds" end,
                    extract(epoch from a."endedAt" - a."startedAt")) as seconds,
                  a."printerId", coalesce(a."costRates"::text, '') as "costRates", a."hourlyRate",
                  coalesce(a."pricePer1000g", 0) as "pricePer1000g", coalesce(a.currency, s.currency) as currency,
                  coalesce(a.timezone, s.timezone) as timezone
                from farm.costed_prints(?, ?::timestamptz, ?::timestamptz, ?, ?) c
                join farm.store s on s."storeId" = ?
                join farm."printJob" j on j."storeId" = s."storeId" and j.id = c."printJobId"
                join farm."printAttempt" a on a."storeId" = s."storeId" and a."printJobId" = c."printJobId" and a.attempt = c.attempt
                left join farm."order" o on o."storeId" = s."storeId" and o.id = j."orderId\"""".formatted(key, label);
    }

    /** The rates that the print keeps, corrected. Most prints share theirs, so that each text is read once. */
    private PrintRates rates(ResultSet rows, List<CostCorrection> corrected, Map<String, CostRates> read)
            throws SQLException {
        String text = rows.getString("costRates");
        PrintRates rates = new PrintRates(
                text.isEmpty() ? CostRates.NOTHING : read.computeIfAbsent(text, each -> json.read(each, RATES)),
                rows.getObject("hourlyRate", Double.class),
                rows.getDouble("pricePer1000g"),
                rows.getString("currency"),
                ZoneId.of(rows.getString("timezone")));
        for (CostCorrection correction : corrected) {
            rates = correction.applyTo(rates, rows.getString("printerId"), instant(rows, "endedAt"));
        }
        return rates;
    }

    private static Instant instant(ResultSet rows, String column) throws SQLException {
        return rows.getObject(column, OffsetDateTime.class).toInstant();
    }

    private static GroupedPrint toGroupedPrint(ResultSet rows, PrintRates rates) throws SQLException {
        return new GroupedPrint(
                rows.getString(1),
                rows.getString(2),
                rows.getString(3),
                rows.getObject(4) == null ? null : Long.valueOf(rows.getLong(4)),
                rows.getDouble("grams"),
                rows.getDouble("seconds"),
                rows.getBoolean("measured"),
                rows.getBoolean("weighed"),
                new CostedPrint(
                        rates,
                        rows.getString("modelName"),
                        instant(rows, "startedAt"),
                        instant(rows, "endedAt"),
                        rows.getDouble("spoolCents"),
                        rows.getDouble("unpricedGrams"),
                        rows.getInt("changes"),
                        rows.getBoolean("opensOrder"),
                        rows.getDouble("scrap")));
    }
}
