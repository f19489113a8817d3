package farm.gantry.api.cost;

import farm.gantry.api.database.Tx;
import farm.gantry.cost.Print;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The prints that ended, with what they used. */
@Singleton
public final class CostRows {
    private static final String EVER = "-infinity";
    private static final String ALWAYS = "infinity";
    private static final String UNGROUPED = select("null::text", "null::text");

    /** What prints are summed by. */
    @Serdeable
    public enum Grouping {
        day("to_char(c.\"endedAt\" at time zone s.timezone, 'YYYY-MM-DD')", "null::text"),
        printer(
                "c.\"printerId\"",
                "(select name from farm.printer x where x.\"storeId\" = s.\"storeId\" and x.id = c.\"printerId\")"),
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

        /** Whether what is sold can be held against what it cost. */
        public boolean isOfOrders() {
            return this == order || this == integration;
        }
    }

    /**
     * A print in its group; {@code orderPrice} is that of its order, null without one in the store's currency. {@code isWeighed} is
     * false where neither its printer, its spools nor its file say how much filament it used: its grams are 0 then.
     */
    public record Costed(
            @Nullable String key,
            @Nullable String label,
            @Nullable String orderId,
            @Nullable Long orderPrice,
            double grams,
            boolean isMeasured,
            boolean isWeighed,
            Print print) {

        /** Whether its printer has a rate of its own. */
        public boolean isRated() {
            return print.hourCents() != null;
        }
    }

    /** The prints that ended between the times, those of a group together. */
    public List<Costed> prints(Tx tx, Instant from, Instant to, Grouping grouping) {
        String select = select(grouping.key, grouping.label) + " order by 1 nulls last, c.\"endedAt\"";
        return prints(tx, select, from.toString(), to.toString(), "", "");
    }

    /** All prints of an order. */
    public List<Costed> ofOrder(Tx tx, String orderId) {
        return prints(tx, UNGROUPED, EVER, ALWAYS, orderId, "");
    }

    /** All prints of a job, one for each attempt. */
    public List<Costed> ofJob(Tx tx, String jobId) {
        return prints(tx, UNGROUPED, EVER, ALWAYS, "", jobId);
    }

    private static List<Costed> prints(Tx tx, String select, String from, String to, String orderId, String jobId) {
        String store = tx.store().value();
        return tx.list(select, CostRows::read, store, from, to, orderId, jobId, store);
    }

    private static String select(String key, String label) {
        return """
                select %s, %s, o.id, case when coalesce(o.currency, s.currency) = s.currency then coalesce(o.price, (
                    select sum(i.price) from farm."orderItem" i where i."storeId" = o."storeId" and i."orderId" = o.id)) end,
                  c.grams, c.measured, c."modelName", c."hourlyRate", c."startedAt", c."endedAt", c.cents, c.changes,
                  c."opensOrder",
                  case when c.scrap then 1 else coalesce(a.rejected::double precision / nullif(coalesce(a.good, 1) + a.rejected, 0), 0) end,
                  coalesce(a.grams, j."estimatedGrams") is not null or exists (
                    select from farm."filamentUse" u
                    where u."storeId" = s."storeId" and u."printJobId" = c."printJobId" and u.attempt = c.attempt
                      and u."usedGrams" is not null)
                from farm.costed_prints(?, ?::timestamptz, ?::timestamptz, ?, ?) c
                join farm.store s on s."storeId" = ?
                join farm."printJob" j on j."storeId" = s."storeId" and j.id = c."printJobId"
                join farm."printAttempt" a on a."storeId" = s."storeId" and a."printJobId" = c."printJobId" and a.attempt = c.attempt
                left join farm."order" o on o."storeId" = s."storeId" and o.id = j."orderId\"""".formatted(key, label);
    }

    private static Costed read(ResultSet rows) throws SQLException {
        return new Costed(
                rows.getString(1),
                rows.getString(2),
                rows.getString(3),
                rows.getObject(4) == null ? null : Long.valueOf(rows.getLong(4)),
                rows.getDouble(5),
                rows.getBoolean(6),
                rows.getBoolean(15),
                new Print(
                        rows.getString(7),
                        rows.getObject(8, Double.class),
                        rows.getObject(9, OffsetDateTime.class).toInstant(),
                        rows.getObject(10, OffsetDateTime.class).toInstant(),
                        rows.getDouble(11),
                        rows.getInt(12),
                        rows.getBoolean(13),
                        rows.getDouble(14)));
    }

    /** How many jobs of an order are not over, and how long they are estimated to print. */
    public record Outstanding(int jobs, double seconds) {}

    public Outstanding outstanding(Tx tx, String orderId) {
        return tx.one(
                """
                select count(*), coalesce(sum("estimatedSeconds"), 0) from farm."printJob"
                where "storeId" = ? and "orderId" = ? and status not in ('Completed', 'Failed', 'Cancelled')""",
                rows -> new Outstanding(rows.getInt(1), rows.getDouble(2)),
                tx.store().value(),
                orderId);
    }
}
