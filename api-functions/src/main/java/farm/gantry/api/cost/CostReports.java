package farm.gantry.api.cost;

import farm.gantry.Permission;
import farm.gantry.RecordBuilder;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.query.TimeSpan;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.cost.Cost;
import farm.gantry.cost.CostBasis;
import farm.gantry.cost.CostEstimates;
import farm.gantry.cost.PrintRates;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Costs of prints: of a job, and summed over a period. */
@Controller
@Blocking
final class CostReports {
    private final Table<PrintJob> jobs;
    private final CostRows rows;
    private final PlannedPrintRows planned;
    private final Database database;
    private final InstantSource clock;

    CostReports(Tables tables, CostRows rows, PlannedPrintRows planned, Database database, InstantSource clock) {
        this.jobs = tables.of(PrintJob.class);
        this.rows = rows;
        this.planned = planned;
        this.database = database;
        this.clock = clock;
    }

    /**
     * The cost of all attempts of a job, in cents of {@code currency}: the store's, or for a finished job the currency of its last attempt.
     * Finished attempts use the rates of their time; an unfinished one is estimated at today's rates as if it started now. {@code prints}
     * counts finished attempts, {@code scrapCents} is the part of the cost spent on failed ones. {@code isComplete} is false if the
     * filament of an attempt was not weighed or it was counted in another currency; grams and cents omit it.
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
     * The cost of a group of prints that ended in the period, at the rates of their time. Prints without a SKU, order or integration have a
     * null {@code key}. Prints in different currencies form different groups of one key. {@code priceCents} is the total price of its
     * orders, if in the group's currency; {@code marginCents} is the price less the cost, {@code marginPerHourCents} the margin per hour of
     * printing, from start to end. All three are only set for orders and integrations. {@code isComplete} is false if the filament of a
     * print was not weighed; grams, cents and margin omit it.
     */
    @Serdeable
    record CostGroup(
            @Nullable String key,
            @Nullable String label,
            String currency,
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

    /** A cost report of a period; {@code currency} is the store's current one. */
    @Serdeable
    record CostReport(Instant from, Instant to, CostRows.Grouping groupBy, String currency, List<CostGroup> groups) {}

    /** Returns the cost of a job. {@code basis} tells which figures are measured. */
    @Get("/v1/print-jobs/{id}/cost")
    @RequiresPermission(Permission.QUEUE_VIEW)
    JobCost ofJob(Caller caller, String id) {
        Resources.parseId(id);
        return database.in(caller, tx -> {
            PrintJob job = jobs.find(tx, id).orElseThrow(() -> ProblemException.notFound("print job"));
            List<CostRows.GroupedPrint> prints = rows.ofJob(tx, id);
            List<PlannedPrintRows.PlannedJob> toCome = planned.ofJob(tx, id);
            CostEstimates estimates = planned.loadEstimates(tx);
            String currency =
                    toCome.isEmpty() && !prints.isEmpty() ? prints.getLast().currency() : estimates.currency();
            boolean isOver = toCome.stream().allMatch(PlannedPrintRows.PlannedJob::isOver);
            CostSum sum = Stream.concat(
                            prints.stream().map(print -> CostSum.ofPrint(print, currency)),
                            toCome.stream().map(print -> CostSum.ofPrint(print, estimates, opensOrder(tx, job))))
                    .reduce(CostSum.NOTHING, CostSum::plus);
            List<PrintRates> rates =
                    prints.stream().map(print -> print.print().rates()).toList();
            return with(RecordBuilder.of(JobCost.class), sum)
                    .with("printJobId", id)
                    .with("currency", currency)
                    .with(
                            "basis",
                            CostBasis.of(
                                    toCome.isEmpty() && !rates.isEmpty()
                                            ? rates
                                            : Stream.concat(rates.stream(), estimates.rates().stream())
                                                    .toList(),
                                    prints.stream()
                                            .map(CostRows.GroupedPrint::isMeasured)
                                            .toList(),
                                    isOver))
                    .build();
        });
    }

    private boolean opensOrder(Tx tx, PrintJob job) {
        String order = job.orderId();
        return order != null
                && rows.ofOrder(tx, order).isEmpty()
                && planned.ofOrder(tx, order).stream()
                        .limit(1)
                        .anyMatch(first -> first.jobId().equals(job.id()));
    }

    /**
     * Returns the cost of prints in a period. It counts prints that ended between {@code from} and {@code to}, at most
     * 366 days and by default the last 30, and groups them by day (in the store's time zone), printer, part, SKU, order
     * or integration.
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
        return database.read(caller, tx -> {
            Map<GroupKey, List<CostRows.GroupedPrint>> groups = new LinkedHashMap<>();
            rows.prints(tx, span.from(), span.to(), grouping)
                    .forEach(print -> groups.computeIfAbsent(
                                    new GroupKey(print.key(), print.currency()), _ -> new ArrayList<>())
                            .add(print));
            return new CostReport(
                    span.from(),
                    span.to(),
                    grouping,
                    planned.loadEstimates(tx).currency(),
                    groups.entrySet().stream()
                            .map(group -> group(grouping, group.getKey(), group.getValue()))
                            .toList());
        });
    }

    private record GroupKey(@Nullable String key, String currency) {}

    private static <R extends Record> RecordBuilder<R> with(RecordBuilder<R> record, CostSum sum) {
        Cost cost = sum.cost();
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

    private static CostGroup group(CostRows.Grouping grouping, GroupKey key, List<CostRows.GroupedPrint> prints) {
        CostSum sum = prints.stream()
                .map(print -> CostSum.ofPrint(print, key.currency()))
                .reduce(CostSum.NOTHING, CostSum::plus);
        Long price = grouping.hasPrices() ? sumPrices(prints) : null;
        Double margin = price == null ? null : Double.valueOf(price - sum.cost().totalCents());
        return with(RecordBuilder.of(CostGroup.class), sum)
                .with("key", key.key())
                .with("label", prints.getFirst().label())
                .with("currency", key.currency())
                .with("scrapPrints", sum.scrapPrints())
                .with("priceCents", price)
                .with("marginCents", margin)
                .with("marginPerHourCents", CostSum.perHour(margin, sum.hours()))
                .build();
    }

    /** Returns the sum of the orders' prices, each counted once; null if none has a price. */
    private static @Nullable Long sumPrices(List<CostRows.GroupedPrint> prints) {
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
