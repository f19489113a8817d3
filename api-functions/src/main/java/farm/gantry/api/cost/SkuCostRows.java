package farm.gantry.api.cost;

import farm.gantry.api.database.AdvisoryLock;
import farm.gantry.api.database.ResultReader;
import farm.gantry.api.database.Tx;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What SKUs cost. Their totals are refreshed last in each transaction that changes an input, one such transaction at a
 * time, so that none counts what another is about to change.
 */
@Singleton
public final class SkuCostRows {

    /** Refreshes SKUs after a change of them, their linked parts or costs. */
    public void refresh(Tx tx, Collection<String> skuIds) {
        String[] ids = skuIds.stream().distinct().sorted().toArray(String[]::new);
        if (ids.length > 0) {
            tx.lockExclusive(AdvisoryLock.COSTS);
            updateTotals(tx, ids);
        }
    }

    /** Refreshes the SKUs of parts whose grams or materials changed. */
    public void refreshOfParts(Tx tx, Collection<String> partIds) {
        tx.lockExclusive(AdvisoryLock.COSTS);
        updateTotals(
                tx,
                ids(
                        tx,
                        "select distinct \"skuId\" from farm.\"linkedPart\" where \"storeId\"=? and \"partId\"=any(?)"
                                + " and \"skuId\" is not null order by 1",
                        tx.store().value(),
                        partIds.toArray(String[]::new)));
    }

    /** Refreshes all SKUs after a change of a price. */
    public void refreshAll(Tx tx) {
        tx.lockExclusive(AdvisoryLock.COSTS);
        updateTotals(
                tx,
                ids(
                        tx,
                        "select id from farm.sku where \"storeId\"=? order by 1",
                        tx.store().value()));
    }

    private static String[] ids(Tx tx, String sql, Object... values) {
        return tx.texts(sql, values).toArray(String[]::new);
    }

    /**
     * Whole cents, of the sum, up to the most that JSON's readers keep exact (2⁵³ − 1); a SKU whose total stays the same
     * is not touched.
     */
    private static void updateTotals(Tx tx, String[] ids) {
        String store = tx.store().value();
        tx.update("""
                update farm.sku s set "totalCogs" = sums.cents, "updatedAt" = greatest(now(), s."updatedAt" + interval '1 ms')
                from (select wanted.id, least(round(coalesce(sum(costs.cents), 0)), 9007199254740991)::bigint
                          as cents
                      from unnest(?::text[]) wanted(id)
                      left join (select "skuId", cents from farm.filament_costs(?, ?)
                                 union all select "skuId", cents from farm.component_costs(?, ?)) costs
                        on costs."skuId" = wanted.id
                      group by wanted.id) sums
                where s."storeId" = ? and s.id = sums.id and s."totalCogs" <> sums.cents""", ids, store, ids, store, ids, store);
    }

    public CostBreakdown breakdown(Tx tx, String skuId, long totalCogs) {
        List<CostBreakdown.Filament> filaments = readLines(tx, "filament_costs", skuId, SkuCostRows::filament);
        List<CostBreakdown.Component> components = readLines(tx, "component_costs", skuId, SkuCostRows::component);
        return new CostBreakdown(
                skuId,
                totalCogs,
                filaments.stream()
                        .map(CostBreakdown.Filament::cents)
                        .filter(Objects::nonNull)
                        .mapToDouble(Double::doubleValue)
                        .sum(),
                components.stream().mapToDouble(CostBreakdown.Component::cents).sum(),
                filaments.stream().noneMatch(filament -> filament.cents() == null)
                        && !hasPartWithoutEstimate(tx, skuId),
                filaments,
                components);
    }

    private static boolean hasPartWithoutEstimate(Tx tx, String skuId) {
        return tx.one("""
                select exists (
                  select from farm."linkedPart" l join farm.part p on p."storeId" = l."storeId" and p.id = l."partId"
                  where l."storeId" = ? and l."skuId" = ? and l.quantity > 0 and p."slicingEstimate" is null)""", rows -> rows.getBoolean(1), tx.store().value(), skuId);
    }

    private static <T> List<T> readLines(Tx tx, String function, String skuId, ResultReader<T> reading) {
        return tx.list(
                "select * from farm." + function + "(?, array[?])",
                reading,
                tx.store().value(),
                skuId);
    }

    private static CostBreakdown.Filament filament(ResultSet row) throws SQLException {
        return new CostBreakdown.Filament(
                row.getString("linkedPartId"),
                row.getString("partId"),
                row.getString("label"),
                row.getInt("quantity"),
                row.getInt("index"),
                row.getString("materialType"),
                number(row, "grams"),
                number(row, "pricePer1000g"),
                number(row, "cents"));
    }

    private static @Nullable Double number(ResultSet row, String column) throws SQLException {
        BigDecimal number = row.getBigDecimal(column);
        return number == null ? null : number.doubleValue();
    }

    private static CostBreakdown.Component component(ResultSet row) throws SQLException {
        return new CostBreakdown.Component(
                row.getString("skuCostId"),
                row.getString("costComponentId"),
                row.getString("name"),
                row.getString("type"),
                row.getString("unit"),
                row.getDouble("rate"),
                row.getDouble("quantity"),
                row.getDouble("cents"));
    }
}
