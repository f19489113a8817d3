package farm.gantry.api.cost;

import farm.gantry.RecordBuilder;
import farm.gantry.api.database.Tx;
import farm.gantry.cost.Cost;
import farm.gantry.cost.CostBasis;
import farm.gantry.cost.CostEstimates;
import farm.gantry.cost.PrintRates;
import farm.gantry.order.Order;
import farm.gantry.order.OrderItem;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Calculates what orders cost: their prints, those that are still to come, and the cost components of their SKUs. */
@Singleton
public final class OrderCostRows {
    private final CostRows rows;
    private final PlannedPrintRows planned;

    OrderCostRows(CostRows rows, PlannedPrintRows planned) {
        this.rows = rows;
        this.planned = planned;
    }

    public OrderCost calculate(Tx tx, Order order, List<OrderItem> items) {
        String[] skus = items.stream()
                .map(OrderItem::skuId)
                .filter(Objects::nonNull)
                .distinct()
                .toArray(String[]::new);
        List<CostRows.GroupedPrint> prints = rows.ofOrder(tx, order.id());
        List<PlannedPrintRows.PlannedJob> jobs = planned.ofOrder(tx, order.id());
        Map<String, List<PlannedPrintRows.PlannedPart>> parts = planned.ofSkus(tx, skus);
        CostEstimates estimates = planned.loadEstimates(tx);
        Set<String> queued = Stream.concat(
                        prints.stream().map(CostRows.GroupedPrint::key),
                        jobs.stream().map(PlannedPrintRows.PlannedJob::orderItemId))
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        List<OrderItem> unqueued = items.stream()
                .filter(item -> !item.ignored() && !queued.contains(item.id()) && parts.containsKey(item.skuId()))
                .toList();
        boolean isOver = unqueued.isEmpty() && jobs.stream().allMatch(PlannedPrintRows.PlannedJob::isOver);
        String currency =
                isOver && jobs.isEmpty() && !prints.isEmpty() ? prints.getLast().currency() : estimates.currency();

        Map<Optional<String>, CostSum> sums = new LinkedHashMap<>();
        prints.forEach(
                print -> sums.merge(Optional.ofNullable(print.key()), CostSum.ofPrint(print, currency), CostSum::plus));
        boolean isOpened = !prints.isEmpty();
        for (PlannedPrintRows.PlannedJob job : jobs) {
            sums.merge(Optional.ofNullable(job.orderItemId()), CostSum.ofPrint(job, estimates, !isOpened), CostSum::plus);
            isOpened = true;
        }
        for (OrderItem item : unqueued) {
            for (PlannedPrintRows.PlannedPart part : parts.getOrDefault(item.skuId(), List.of())) {
                CostSum sum = CostSum.ofPrint(part, estimates, item.quantity(), !isOpened);
                sums.merge(Optional.of(item.id()), sum, CostSum::plus);
                isOpened = true;
            }
        }
        List<PrintRates> counted = prints.stream()
                .filter(print -> print.currency().equals(currency))
                .map(print -> print.print().rates())
                .toList();
        CostBasis basis = CostBasis.of(
                isOver && !counted.isEmpty()
                        ? counted
                        : Stream.concat(counted.stream(), estimates.rates().stream())
                                .toList(),
                prints.stream().map(CostRows.GroupedPrint::isMeasured).toList(),
                isOver);
        return order(order, currency, price(order, items), itemCosts(tx, items, skus, sums), sums.values(), basis);
    }

    /** The costs of the items, then of those that are deleted. */
    private static List<ItemCost> itemCosts(
            Tx tx, List<OrderItem> items, String[] skus, Map<Optional<String>, CostSum> sums) {
        Map<String, Double> components = tx.map(
                "select \"skuId\", sum(cents) from farm.component_costs(?, ?) group by 1",
                rows -> rows.getDouble(2),
                tx.store().value(),
                skus);
        List<ItemCost> costs = new ArrayList<>();
        TreeSet<String> deleted = new TreeSet<>();
        sums.keySet().forEach(id -> id.ifPresent(deleted::add));
        for (OrderItem item : items) {
            deleted.remove(item.id());
            costs.add(cost(
                    item.id(),
                    item.skuId(),
                    sums.getOrDefault(Optional.of(item.id()), CostSum.NOTHING),
                    (item.ignored() ? 0 : item.quantity()) * components.getOrDefault(item.skuId(), 0.0)));
        }
        deleted.forEach(id -> costs.add(cost(id, null, sums.getOrDefault(Optional.of(id), CostSum.NOTHING), 0)));
        return costs;
    }

    private static ItemCost cost(String id, @Nullable String skuId, CostSum sum, double components) {
        return new ItemCost(
                id,
                skuId,
                sum.grams(),
                (long) sum.seconds(),
                sum.cost().filamentCents(),
                components,
                sum.isEstimated(),
                sum.isComplete());
    }

    /** The order's price, or that of its items where it has none. */
    private static @Nullable Long price(Order order, List<OrderItem> items) {
        List<Long> prices =
                items.stream().map(OrderItem::price).filter(Objects::nonNull).toList();
        return order.price() != null || prices.isEmpty()
                ? order.price()
                : Long.valueOf(prices.stream().mapToLong(Long::longValue).sum());
    }

    private static OrderCost order(
            Order order,
            String currency,
            @Nullable Long price,
            List<ItemCost> items,
            Collection<CostSum> sums,
            CostBasis basis) {
        CostSum sum = sums.stream().reduce(CostSum.NOTHING, CostSum::plus);
        Cost cost = sum.cost();
        double components = items.stream().mapToDouble(ItemCost::componentCents).sum();
        long total = Math.round(cost.totalCents() + components);
        boolean isComparable =
                price != null && (order.currency() == null || order.currency().equals(currency));
        Long margin = price != null && isComparable ? Long.valueOf(price - total) : null;
        return RecordBuilder.of(OrderCost.class)
                .with("orderId", order.id())
                .with("currency", currency)
                .with("price", price)
                .with("grams", sum.grams())
                .with("seconds", (long) sum.seconds())
                .with("filamentCents", cost.filamentCents())
                .with("componentCents", components)
                .with("machineCents", cost.machineCents())
                .with("energyCents", cost.energyCents())
                .with("labourCents", cost.labourCents())
                .with("scrapCents", cost.scrapCents())
                .with("totalCents", total)
                .with("marginCents", margin)
                .with("marginPerHourCents", CostSum.perHour(margin == null ? null : margin.doubleValue(), sum.hours()))
                .with("estimated", sum.isEstimated())
                .with("isComplete", sum.isComplete())
                .with("basis", basis)
                .with("items", items)
                .build();
    }
}
