package farm.gantry.api.cost;

import farm.gantry.RecordBuilder;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.cost.Cost;
import farm.gantry.cost.CostBasis;
import farm.gantry.cost.CostRates;
import farm.gantry.cost.Costing;
import farm.gantry.order.Order;
import farm.gantry.order.OrderItem;
import farm.gantry.store.StoreSettings;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What orders cost: the filament and time that their jobs used, and the cost components of their SKUs. */
@Singleton
public final class OrderCostRows {
    /**
     * What an order costs, in cents of the store's currency, with what is left of its price; that is null where there is no
     * price in that currency. {@code marginPerHourCents} is that for each hour of printing. {@code scrapCents} is the part of
     * the others that went into failed pieces, and {@code basis} says of each figure whether it was measured. {@code grams} and {@code seconds} are those of jobs that ended as their printers counted them, failed
     * ones included, and the estimates of others. {@code estimated} tells whether any of it is an estimate still.
     * {@code isComplete} is false where the weight of a filament is unknown: grams, cents and margin leave it out.
     */
    @Serdeable
    public record OrderCost(
            String orderId,
            String currency,
            @Nullable Long price,
            double grams,
            long seconds,
            double filamentCents,
            double componentCents,
            double machineCents,
            double energyCents,
            double labourCents,
            double scrapCents,
            long totalCents,
            @Nullable Long marginCents,
            @Nullable Double marginPerHourCents,
            boolean estimated,
            boolean isComplete,
            CostBasis basis,
            List<ItemCost> items) {}

    /** What one item costs. Of one that is not queued yet it is what its SKU is estimated at. */
    @Serdeable
    public record ItemCost(
            String orderItemId,
            @Nullable String skuId,
            double grams,
            long seconds,
            double filamentCents,
            double componentCents,
            boolean estimated,
            boolean isComplete) {}

    private record Used(double grams, long seconds, double cents, boolean estimated, boolean isComplete) {
        static final Used NOTHING = new Used(0, 0, 0, false, true);

        Used and(Used other) {
            return new Used(
                    grams + other.grams,
                    seconds + other.seconds,
                    cents + other.cents,
                    estimated || other.estimated,
                    isComplete && other.isComplete);
        }

        Used times(int quantity) {
            return new Used(grams * quantity, seconds * quantity, cents * quantity, estimated, isComplete);
        }
    }

    /**
     * What is used of a job: as it was counted, or what was taken from its spools, or nothing of one that ended without
     * either, or as estimated; what earlier attempts took is added. It costs what its spools did, or what its choices do.
     */
    private static final String OF_JOBS = """
            with used as (
              select j."orderItemId", j."partBuildId", coalesce(j.extensions #>> '{3mf,plateId}', '') as plate,
                     min(j."materialAssignments"::text)::json as choices,
                     sum(coalesce(j."actualGrams", spools.grams, case when j.status not in ('Failed', 'Cancelled')
                                                                      then j."estimatedGrams" end, 0)
                         + coalesce(spools.before, 0)) as grams,
                     sum(coalesce(spools.priced, 0)) as priced, sum(coalesce(spools.cents, 0)) as cents,
                     sum(coalesce(j."actualSeconds", case when j.status not in ('Failed', 'Cancelled')
                                                          then j."estimatedSeconds" end, 0)) as seconds,
                     bool_or(j."actualGrams" is null
                             and (j.status not in ('Failed', 'Cancelled') or j."printingStartedAt" is not null)) as estimated,
                     bool_and(coalesce(j."actualGrams", spools.grams, j."estimatedGrams") is not null
                              or (j.status in ('Failed', 'Cancelled') and j."printingStartedAt" is null)) as complete
              from farm."printJob" j left join lateral (
                select sum(u."usedGrams") filter (where u.attempt = j.attempt) as grams,
                       sum(u."usedGrams") filter (where u.attempt < j.attempt) as before,
                       sum(u."usedGrams") filter (where u."pricePer1000g" is not null) as priced,
                       sum(u."usedGrams" * u."pricePer1000g") / 1000 as cents
                from farm."filamentUse" u
                where u."storeId" = j."storeId" and u."printJobId" = j.id and u."usedGrams" is not null) spools on true
              where j."storeId" = ? and j."orderId" = ? and j."orderItemId" is not null
              group by 1, 2, 3)
            select u."orderItemId", u.grams, u.seconds, u.estimated, u.cents + greatest(0, u.grams - u.priced)
              * farm.price_of_plate(b."storeId", b.id, u.plate, u.choices)::float8 / 1000, u.complete
            from used u join farm."partBuild" b on b."storeId" = ? and b.id = u."partBuildId\"""";

    private static final String OF_SKUS = """
            select f."skuId", sum(f.quantity * f.grams), 0, true, sum(f.cents), bool_and(f.grams is not null)
            from farm.filament_costs(?, ?) f group by 1
            union all
            select l."skuId", 0, sum(l.quantity * (p."slicingEstimate" ->> 'estimatedPrintTimeSeconds')::numeric), true, 0,
              bool_and(p."slicingEstimate" is not null or l.quantity = 0)
            from farm."linkedPart" l join farm.part p on p."storeId" = l."storeId" and p.id = l."partId"
            where l."storeId" = ? and l."skuId" = any(?) group by 1""";

    private final CostRows rows;
    private final Table<StoreSettings> settings;

    OrderCostRows(CostRows rows, Tables tables) {
        this.rows = rows;
        this.settings = tables.of(StoreSettings.class);
    }

    public OrderCost of(Tx tx, Order order, List<OrderItem> items) {
        String store = tx.store().value();
        String[] skus = items.stream()
                .map(OrderItem::skuId)
                .filter(Objects::nonNull)
                .distinct()
                .toArray(String[]::new);
        Map<String, Used> ofJobs = used(tx, OF_JOBS, store, order.id(), store);
        Map<String, Used> ofSkus = used(tx, OF_SKUS, store, skus, store, skus);
        Map<String, Double> components = tx.map(
                "select \"skuId\", sum(cents) from farm.component_costs(?, ?) group by 1",
                rows -> rows.getDouble(2),
                store,
                skus);
        List<ItemCost> costs = new ArrayList<>();
        TreeSet<String> deleted = new TreeSet<>(ofJobs.keySet());
        for (OrderItem item : items) {
            deleted.remove(item.id());
            int wanted = item.ignored() ? 0 : item.quantity();
            Used estimate = ofSkus.getOrDefault(item.skuId(), Used.NOTHING).times(wanted);
            costs.add(cost(
                    item.id(),
                    item.skuId(),
                    ofJobs.getOrDefault(item.id(), estimate),
                    wanted * components.getOrDefault(item.skuId(), 0.0)));
        }
        deleted.forEach(id -> costs.add(cost(id, null, ofJobs.getOrDefault(id, Used.NOTHING), 0)));
        List<CostRows.Costed> prints = rows.ofOrder(tx, order.id());
        CostRows.Outstanding outstanding = rows.outstanding(tx, order.id());
        Costing costing = costing(tx);
        double unqueued = items.stream()
                .filter(item -> !item.ignored() && !ofJobs.containsKey(item.id()))
                .mapToDouble(item -> ofSkus.getOrDefault(item.skuId(), Used.NOTHING)
                        .times(item.quantity())
                        .seconds())
                .sum();
        Cost more = prints.stream()
                .map(print -> costing.of(print.print()))
                .reduce(
                        costing.estimate(
                                outstanding.jobs(), outstanding.seconds() + unqueued, prints.isEmpty() ? 1 : 0),
                        Cost::plus);
        boolean isOver = outstanding.jobs() == 0 && unqueued == 0;
        return sum(
                order,
                currency(tx),
                price(order, items),
                costs,
                more,
                CostBasis.of(
                        costing.rates(),
                        prints.stream().map(CostRows.Costed::isMeasured).toList(),
                        prints.stream().anyMatch(CostRows.Costed::isRated),
                        isOver));
    }

    /** What the store counts, and in which time zone. */
    public Costing costing(Tx tx) {
        StoreSettings store = settings.find(tx, tx.store().value()).orElseThrow();
        return new Costing(
                store.costRates() == null ? CostRates.NOTHING : store.costRates(), ZoneId.of(store.timezone()));
    }

    private static Map<String, Used> used(Tx tx, String sql, Object... values) {
        Map<String, List<Used>> found = tx.group(
                sql,
                rows -> new Used(
                        rows.getDouble(2), rows.getLong(3), rows.getDouble(5), rows.getBoolean(4), rows.getBoolean(6)),
                values);
        Map<String, Used> used = new HashMap<>();
        found.forEach((id, lines) -> used.put(id, lines.stream().reduce(Used.NOTHING, Used::and)));
        return used;
    }

    private static ItemCost cost(String id, @Nullable String skuId, Used used, double components) {
        return new ItemCost(
                id, skuId, used.grams(), used.seconds(), used.cents(), components, used.estimated(), used.isComplete());
    }

    /** The currency of the store. */
    public static String currency(Tx tx) {
        return tx.texts(
                        "select currency from farm.store where \"storeId\"=?",
                        tx.store().value())
                .getFirst();
    }

    /** The order's price, or that of its items where it has none. */
    private static @Nullable Long price(Order order, List<OrderItem> items) {
        List<Long> prices =
                items.stream().map(OrderItem::price).filter(Objects::nonNull).toList();
        return order.price() != null || prices.isEmpty()
                ? order.price()
                : Long.valueOf(prices.stream().mapToLong(Long::longValue).sum());
    }

    private static OrderCost sum(
            Order order, String currency, @Nullable Long price, List<ItemCost> items, Cost more, CostBasis basis) {
        double filament = sum(items, ItemCost::filamentCents);
        double components = sum(items, ItemCost::componentCents);
        long total = Math.round(filament + components + more.machineCents() + more.energyCents() + more.labourCents());
        long seconds = items.stream().mapToLong(ItemCost::seconds).sum();
        boolean isComparable =
                price != null && (order.currency() == null || order.currency().equals(currency));
        Long margin = price != null && isComparable ? Long.valueOf(price - total) : null;
        return RecordBuilder.of(OrderCost.class)
                .with("orderId", order.id())
                .with("currency", currency)
                .with("price", price)
                .with("grams", sum(items, ItemCost::grams))
                .with("seconds", seconds)
                .with("filamentCents", filament)
                .with("componentCents", components)
                .with("machineCents", more.machineCents())
                .with("energyCents", more.energyCents())
                .with("labourCents", more.labourCents())
                .with("scrapCents", more.scrapCents())
                .with("totalCents", total)
                .with("marginCents", margin)
                .with(
                        "marginPerHourCents",
                        margin == null || seconds == 0 ? null : Double.valueOf(margin * 3600.0 / seconds))
                .with("estimated", items.stream().anyMatch(ItemCost::estimated))
                .with("isComplete", items.stream().allMatch(ItemCost::isComplete))
                .with("basis", basis)
                .with("items", items)
                .build();
    }

    private static double sum(List<ItemCost> items, ToDoubleFunction<ItemCost> member) {
        return items.stream().mapToDouble(member).sum();
    }
}
