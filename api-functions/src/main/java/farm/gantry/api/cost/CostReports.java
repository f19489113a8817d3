package farm.gantry.api.cost;

import farm.gantry.Permission;
import farm.gantry.RecordBuilder;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.query.TimeSpan;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.cost.Cost;
import farm.gantry.cost.CostBasis;
import farm.gantry.cost.Costing;
import farm.gantry.job.PrintJob;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What prints really cost: of a job, and summed over a time. */
@Controller
@Blocking
final class CostReports {
    private final Table<PrintJob> jobs;
    private final CostRows rows;
    private final OrderCostRows orders;
    private final Database database;
    private final InstantSource clock;

    CostReports(Tables tables, CostRows rows, OrderCostRows orders, Database database, InstantSource clock) {
        this.jobs = tables.of(PrintJob.class);
        this.rows = rows;
        this.orders = orders;
        this.database = database;
        this.clock = clock;
    }

    /**
     * What a job cost in all its attempts, in cents of the store's currency; of one that is not printed yet, what it is
     * estimated at, its filament aside. {@code scrapCents} is the part of it that went into attempts that failed.
     * {@code isComplete} is false where the filament of an attempt was not weighed: grams and cents leave it out.
     */
    @Serdeable
    record JobCost(
            String printJobId,
            String currency,
            int prints,
            double grams,
            double hours,
            double filamentCents,
            double machineCents,
            double energyCents,
            double labourCents,
            double scrapCents,
            double totalCents,
            boolean isComplete,
            CostBasis basis) {}

    /**
     * What the prints of a group cost that ended in the time; those of no SKU, order or integration have a null
     * {@code key}. {@code priceCents} is what its orders were sold for as a whole, where that is in the store's currency,
     * and {@code marginCents} what is left of it, also for each {@code marginPerHourCents} of printing; both are null but for
     * orders and integrations. {@code isComplete} is false where the filament of a print was not weighed: grams, cents and margin
     * leave it out.
     */
    @Serdeable
    record CostGroup(
            @Nullable String key,
            @Nullable String label,
            int prints,
            int scrapPrints,
            double grams,
            double hours,
            double filamentCents,
            double machineCents,
            double energyCents,
            double labourCents,
            double scrapCents,
            double totalCents,
            boolean isComplete,
            @Nullable Long priceCents,
            @Nullable Double marginCents,
            @Nullable Double marginPerHourCents) {}

    @Serdeable
    record CostReport(Instant from, Instant to, CostRows.Grouping groupBy, String currency, List<CostGroup> groups) {}

    /** What a job cost, and whether that is measured or assumed. */
    @Get("/v1/print-jobs/{id}/cost")
    @RequiresPermission(Permission.QUEUE_VIEW)
    JobCost ofJob(Caller caller, String id) {
        Resources.checked(id);
        return database.in(caller, tx -> {
            PrintJob job = jobs.find(tx, id).orElseThrow(() -> ProblemException.notFound("print job"));
            Costing costing = orders.costing(tx);
            List<CostRows.Costed> prints = rows.ofJob(tx, id);
            boolean isOver = job.status().isFinished();
            double seconds = job.estimatedSeconds() == null ? 0 : job.estimatedSeconds();
            Sum sum = sum(costing, prints);
            Cost cost = isOver ? sum.cost() : sum.cost().plus(costing.estimate(1, seconds, 0));
            return with(RecordBuilder.of(JobCost.class), sum, cost)
                    .with("printJobId", id)
                    .with("currency", OrderCostRows.currency(tx))
                    .with(
                            "basis",
                            CostBasis.of(
                                    costing.rates(),
                                    prints.stream()
                                            .map(CostRows.Costed::isMeasured)
                                            .toList(),
                                    prints.stream().anyMatch(CostRows.Costed::isRated),
                                    isOver))
                    .build();
        });
    }

    /**
     * What the prints cost that ended between {@code from} and {@code to}, at most 366 days and by default the last 30, by
     * day (in the store's time zone), printer, part, SKU, order or integration.
     */
    @Get("/v1/reports/costs")
    @RequiresPermission({Permission.ORDER_VIEW, Permission.QUEUE_VIEW})
    CostReport costs(
            Caller caller,
            @QueryValue @Nullable Instant from,
            @QueryValue @Nullable Instant to,
            @QueryValue CostRows.@Nullable Grouping groupBy) {
        TimeSpan span = TimeSpan.ofOneYear(from, to, clock.instant());
        CostRows.Grouping grouping = groupBy == null ? CostRows.Grouping.day : groupBy;
        return database.in(caller, tx -> {
            Map<Optional<String>, List<CostRows.Costed>> groups = new LinkedHashMap<>();
            rows.prints(tx, span.from(), span.to(), grouping)
                    .forEach(print -> groups.computeIfAbsent(Optional.ofNullable(print.key()), _ -> new ArrayList<>())
                            .add(print));
            Costing costing = orders.costing(tx);
            return new CostReport(
                    span.from(),
                    span.to(),
                    grouping,
                    OrderCostRows.currency(tx),
                    groups.values().stream()
                            .map(prints -> group(costing, grouping, prints))
                            .toList());
        });
    }

    private static <R extends Record> RecordBuilder<R> with(RecordBuilder<R> record, Sum sum, Cost cost) {
        return record.with("prints", sum.prints())
                .with("grams", sum.grams())
                .with("hours", sum.hours())
                .with("filamentCents", cost.filamentCents())
                .with("machineCents", cost.machineCents())
                .with("energyCents", cost.energyCents())
                .with("labourCents", cost.labourCents())
                .with("scrapCents", cost.scrapCents())
                .with("totalCents", cost.totalCents())
                .with("isComplete", sum.isComplete());
    }

    private record Sum(Cost cost, int prints, int scrap, double grams, double hours, boolean isComplete) {}

    private static Sum sum(Costing costing, List<CostRows.Costed> prints) {
        return new Sum(
                prints.stream().map(each -> costing.of(each.print())).reduce(Cost.NOTHING, Cost::plus),
                prints.size(),
                (int) prints.stream().filter(each -> each.print().scrap() == 1).count(),
                prints.stream().mapToDouble(CostRows.Costed::grams).sum(),
                prints.stream().mapToDouble(each -> each.print().hours()).sum(),
                prints.stream().allMatch(CostRows.Costed::isWeighed));
    }

    private static CostGroup group(Costing costing, CostRows.Grouping grouping, List<CostRows.Costed> prints) {
        Sum sum = sum(costing, prints);
        Cost cost = sum.cost();
        Long price = grouping.isOfOrders() ? price(prints) : null;
        Double margin = price == null ? null : Double.valueOf(price - cost.totalCents());
        return with(RecordBuilder.of(CostGroup.class), sum, cost)
                .with("key", prints.getFirst().key())
                .with("label", prints.getFirst().label())
                .with("scrapPrints", sum.scrap())
                .with("priceCents", price)
                .with("marginCents", margin)
                .with(
                        "marginPerHourCents",
                        margin == null || sum.hours() == 0 ? null : Double.valueOf(margin / sum.hours()))
                .build();
    }

    /** The prices of the orders, each once; null where none has one. */
    private static @Nullable Long price(List<CostRows.Costed> prints) {
        Map<String, Long> prices = new HashMap<>();
        prints.forEach(print -> {
            if (print.orderId() != null && print.orderPrice() != null) {
                prices.put(print.orderId(), print.orderPrice());
            }
        });
        return prices.isEmpty()
                ? null
                : Long.valueOf(
                        prices.values().stream().mapToLong(Long::longValue).sum());
    }
}
