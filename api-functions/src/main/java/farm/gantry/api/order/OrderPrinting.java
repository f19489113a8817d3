package farm.gantry.api.order;

import farm.gantry.api.builds.OrderItemBuilds;
import farm.gantry.api.database.Change;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.job.lifecycle.JobCancellation;
import farm.gantry.api.job.lifecycle.OrderProgress;
import farm.gantry.api.job.lifecycle.OrderRows;
import farm.gantry.api.job.lifecycle.OrderRows.ItemJob;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.builds.BuildPlan;
import farm.gantry.job.JobStatus;
import farm.gantry.order.Order;
import farm.gantry.order.OrderItem;
import farm.gantry.order.OrderItem.Piece;
import farm.gantry.order.OrderItem.ProcessedStatus;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Queues the jobs that orders still need: for each piece, as many jobs are waiting, printing and completed as are needed. Missing jobs are
 * queued. Surplus or outdated jobs are cancelled unless they are at a printer. It is idempotent.
 */
@Singleton
public final class OrderPrinting {
    /** The jobs that were queued and cancelled for an order. Items with problems were not changed. */
    @Serdeable
    public record OrderPrintResult(String orderId, int queued, int cancelled, List<ItemProblem> problems) {}

    /** Why an item could not be printed. */
    @Serdeable
    public record ItemProblem(String orderItemId, String message) {}

    private final Table<Order> orders;
    private final Table<OrderItem> items;
    private final ItemResolver resolver;
    private final OrderItemBuilds builds;
    private final OrderRows rows;
    private final JobCancellation cancellation;
    private final OrderProgress progress;
    private final Scheduler scheduler;

    OrderPrinting(
            Tables tables,
            ItemResolver resolver,
            OrderItemBuilds builds,
            OrderRows rows,
            JobCancellation cancellation,
            OrderProgress progress,
            Scheduler scheduler) {
        this.orders = tables.of(Order.class);
        this.items = tables.of(OrderItem.class);
        this.resolver = resolver;
        this.builds = builds;
        this.rows = rows;
        this.cancellation = cancellation;
        this.progress = progress;
        this.scheduler = scheduler;
    }

    /** Prints the open orders among these, or only their items of some SKUs. Closed orders do not change. */
    public List<OrderPrintResult> print(
            Tx tx, Collection<String> orderIds, @Nullable Set<String> skuIds, OrderItemBuilds.QueuePlacement place) {
        rows.lock(tx, orderIds);
        Map<String, Order> open = new LinkedHashMap<>(orders.findAll(tx, orderIds));
        open.values().removeIf(order -> order.status() != Order.Status.open);
        List<OrderItem> requested = loadItems(tx, open.keySet()).stream()
                .filter(item -> skuIds == null || (item.skuId() != null && skuIds.contains(item.skuId())))
                .toList();
        // Completed items keep their pieces, even if their SKU has changed since.
        Set<String> done = rows.findDone(
                tx,
                requested.stream()
                        .filter(item -> !item.ignored())
                        .map(OrderItem::id)
                        .toList());
        Map<String, String> problems = new HashMap<>();
        List<OrderItem> wanted = requested.stream()
                .filter(item -> !item.ignored() && !done.contains(item.id()))
                .peek(item -> {
                    if (item.resolutionNote() != null) {
                        problems.put(item.id(), item.resolutionNote().message());
                    }
                })
                .filter(item -> item.skuId() != null)
                .toList();
        Map<String, BuildPlan> plans =
                builds.plan(tx, wanted, place, (item, reason) -> problems.put(item.id(), reason));
        List<OrderItem> printable = withoutProblems(requested, problems);
        Map<String, List<Piece>> pieces = new HashMap<>();
        printable.forEach(
                item -> pieces.put(item.id(), requiredPieces(item, plans.get(item.id()), done.contains(item.id()))));

        List<ItemJob> jobs = loadJobs(tx, printable);
        Map<String, String> excess = findSurplusJobs(jobs, pieces);
        List<OrderItemBuilds.MissingPieces> lacks = findMissingPieces(
                printable,
                pieces,
                plans,
                jobs.stream().filter(job -> !excess.containsKey(job.id())).toList());
        // Checked before anything is cancelled, so that an order that is too large keeps its jobs.
        OrderItemBuilds.checkCount(lacks);
        List<String> gone = cancellation.cancelNotStarted(tx, excess.keySet());
        if (gone.size() < excess.size()) { // the others were sent to a printer meanwhile
            lacks = findMissingPieces(printable, pieces, plans, loadJobs(tx, printable));
        }
        Map<String, Integer> cancelled = gone.stream().collect(Collectors.toMap(excess::get, _ -> 1, Integer::sum));
        Map<String, Integer> queued = queue(tx, lacks, place, problems);
        List<OrderItem> fitting = withoutProblems(printable, problems);
        saveProcessedPieces(tx, fitting, pieces);
        Set<String> printed = fitting.stream().map(OrderItem::orderId).collect(Collectors.toSet());
        List<String> firstPrinted = open.values().stream()
                .filter(order -> order.processedAt() == null && printed.contains(order.id()))
                .map(Order::id)
                .toList();
        orders.changeAll(tx, firstPrinted, new Change<Order>().set(Order::processedAt, Resources.now()));
        progress.closeIfDone(tx, open.keySet());
        tx.onceAfterCommit(this, () -> scheduler.trigger(tx.store()));
        Map<String, List<OrderItem>> askedOf = requested.stream().collect(Collectors.groupingBy(OrderItem::orderId));
        return open.keySet().stream()
                .map(orderId ->
                        resultOf(orderId, askedOf.getOrDefault(orderId, List.of()), queued, cancelled, problems))
                .toList();
    }

    /** Returns the items of the orders, after resolving missing SKUs again. */
    private List<OrderItem> loadItems(Tx tx, Collection<String> orderIds) {
        List<OrderItem> stored = items.find(tx, ListQuery.all(items.columns(), OrderItem::orderId, orderIds));
        List<OrderItem> unknown = stored.stream()
                .filter(item -> item.skuId() == null && !item.ignored())
                .toList();
        Map<String, OrderItem> resolved = resolver.resolve(tx, unknown).stream()
                .filter(item -> item.skuId() != null)
                .collect(Collectors.toMap(OrderItem::id, item -> item));
        resolved.values()
                .forEach(item -> items.change(
                        tx,
                        item.id(),
                        new Change<OrderItem>()
                                .set(OrderItem::skuId, item.skuId())
                                .set(OrderItem::optionValueIds, item.optionValueIds())
                                .set(OrderItem::resolutionNote, null)));
        return stored.stream()
                .map(item -> resolved.getOrDefault(item.id(), item))
                .toList();
    }

    private static OrderPrintResult resultOf(
            String orderId,
            List<OrderItem> requested,
            Map<String, Integer> queued,
            Map<String, Integer> cancelled,
            Map<String, String> problems) {
        List<String> ids = requested.stream().map(OrderItem::id).toList();
        return new OrderPrintResult(
                orderId,
                ids.stream().mapToInt(id -> queued.getOrDefault(id, 0)).sum(),
                ids.stream().mapToInt(id -> cancelled.getOrDefault(id, 0)).sum(),
                ids.stream()
                        .filter(problems::containsKey)
                        .map(id -> new ItemProblem(id, Objects.requireNonNull(problems.get(id))))
                        .toList());
    }

    /** Returns the estimate of a whole item; of a completed item, the actual use. */
    private static List<Piece> requiredPieces(OrderItem item, @Nullable BuildPlan plan, boolean isDone) {
        if (!isDone) {
            return plan == null ? List.of() : OrderItemBuilds.pieces(plan);
        }
        return Objects.requireNonNullElse(item.pieces(), List.<Piece>of()).stream()
                .map(piece -> new Piece(piece.linkedPartId(), piece.plateId(), piece.copies() * item.quantity()))
                .toList();
    }

    private List<ItemJob> loadJobs(Tx tx, List<OrderItem> printable) {
        return rows.findJobs(tx, printable.stream().map(OrderItem::id).toList());
    }

    private static Map<String, List<ItemJob>> byItem(List<ItemJob> jobs) {
        return jobs.stream().collect(Collectors.groupingBy(ItemJob::orderItemId));
    }

    /** Returns the item id of each surplus job that is not at a printer, by job id. */
    private static Map<String, String> findSurplusJobs(List<ItemJob> jobs, Map<String, List<Piece>> pieces) {
        Map<String, String> excess = new LinkedHashMap<>();
        byItem(jobs).forEach((itemId, ofItem) -> {
            List<Piece> wanted = Objects.requireNonNull(pieces.get(itemId));
            Map<Boolean, List<ItemJob>> byUse = ofItem.stream()
                    .collect(Collectors.partitioningBy(job -> isOutdated(job) || piece(wanted, job) == null));
            Stream<ItemJob> tooMany = byUse.getOrDefault(false, List.of()).stream()
                    .collect(Collectors.groupingBy(job -> Objects.requireNonNull(piece(wanted, job))))
                    .entrySet()
                    .stream()
                    .flatMap(each -> each.getValue().stream()
                            .filter(OrderPrinting::isWaiting)
                            .sorted(Comparator.comparing(job -> job.status() != JobStatus.Pending))
                            .limit(Math.max(
                                    0, each.getValue().size() - each.getKey().copies())));
            Stream.concat(byUse.getOrDefault(true, List.of()).stream().filter(OrderPrinting::isWaiting), tooMany)
                    .forEach(job -> excess.put(job.id(), itemId));
        });
        return excess;
    }

    private static boolean isWaiting(ItemJob job) {
        return !job.status().isFinished() && !job.status().isAtPrinter();
    }

    private static boolean isOutdated(ItemJob job) {
        return job.outdated() && isWaiting(job);
    }

    private static @Nullable Piece piece(List<Piece> wanted, ItemJob job) {
        return wanted.stream()
                .filter(piece -> piece.linkedPartId().equals(job.linkedPartId()))
                .filter(piece -> piece.plateId() == null || piece.plateId().equals(job.plateId()))
                .findFirst()
                .orElse(null);
    }

    private static List<OrderItem> withoutProblems(List<OrderItem> items, Map<String, String> problems) {
        return items.stream().filter(item -> !problems.containsKey(item.id())).toList();
    }

    /** Returns the pieces that items still lack beside their existing jobs. */
    private static List<OrderItemBuilds.MissingPieces> findMissingPieces(
            List<OrderItem> printable,
            Map<String, List<Piece>> pieces,
            Map<String, BuildPlan> plans,
            List<ItemJob> jobs) {
        Map<String, List<ItemJob>> byItem = byItem(jobs);
        List<OrderItemBuilds.MissingPieces> lacks = new ArrayList<>();
        for (OrderItem item : printable) {
            List<Piece> wanted = Objects.requireNonNull(pieces.get(item.id()));
            Map<Piece, Long> there = byItem.getOrDefault(item.id(), List.of()).stream()
                    .map(job -> piece(wanted, job))
                    .filter(Objects::nonNull)
                    .collect(Collectors.groupingBy(piece -> piece, Collectors.counting()));
            List<Piece> lacking = wanted.stream()
                    .map(piece -> new Piece(
                            piece.linkedPartId(),
                            piece.plateId(),
                            Math.toIntExact(Math.max(0, piece.copies() - there.getOrDefault(piece, 0L)))))
                    .filter(piece -> piece.copies() > 0)
                    .toList();
            if (!lacking.isEmpty()) {
                lacks.add(
                        new OrderItemBuilds.MissingPieces(item, Objects.requireNonNull(plans.get(item.id())), lacking));
            }
        }
        return lacks;
    }

    /** Queues the missing pieces; returns the number of jobs by item id. */
    private Map<String, Integer> queue(
            Tx tx,
            List<OrderItemBuilds.MissingPieces> lacks,
            OrderItemBuilds.QueuePlacement place,
            Map<String, String> problems) {
        Map<String, Integer> queued = new HashMap<>();
        lacks.forEach(lack -> queued.put(lack.item().id(), lack.jobCount()));
        builds.queueMissing(tx, lacks, place, (item, reason) -> {
            problems.put(item.id(), reason);
            queued.remove(item.id());
        });
        return queued;
    }

    /** Stores the pieces per unit of each item, by which its progress is counted. */
    private void saveProcessedPieces(Tx tx, List<OrderItem> printable, Map<String, List<Piece>> pieces) {
        Map<String, Change<OrderItem>> changes = new LinkedHashMap<>();
        for (OrderItem item : printable) {
            List<Piece> ofOne = Objects.requireNonNull(pieces.get(item.id())).stream()
                    .map(piece -> new Piece(piece.linkedPartId(), piece.plateId(), piece.copies() / item.quantity()))
                    .toList();
            if (item.processedStatus() != ProcessedStatus.processed || !ofOne.equals(item.pieces())) {
                changes.put(
                        item.id(),
                        new Change<OrderItem>()
                                .set(OrderItem::processedStatus, ProcessedStatus.processed)
                                .set(OrderItem::pieces, ofOne));
            }
        }
        items.changeAll(tx, changes);
    }
}
