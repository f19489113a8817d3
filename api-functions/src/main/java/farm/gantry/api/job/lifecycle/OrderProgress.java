package farm.gantry.api.job.lifecycle;

import farm.gantry.api.database.Change;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.webhook.Webhooks;
import farm.gantry.job.PrintJob;
import farm.gantry.notification.EventName;
import farm.gantry.order.Order;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** Updates orders when their jobs end, determines what they lack, and closes completed ones. */
@Singleton
public final class OrderProgress {
    private final Table<Order> orders;
    private final OrderRows rows;
    private final Webhooks webhooks;

    OrderProgress(Tables tables, OrderRows rows, Webhooks webhooks) {
        this.orders = tables.of(Order.class);
        this.rows = rows;
        this.webhooks = webhooks;
    }

    /** Locks the order of a job, after the job and before its builds. */
    void lock(Tx tx, PrintJob job) {
        lock(tx, List.of(job));
    }

    void lock(Tx tx, Collection<PrintJob> jobs) {
        Set<String> ids =
                jobs.stream().map(PrintJob::orderId).filter(Objects::nonNull).collect(Collectors.toSet());
        if (!ids.isEmpty()) {
            rows.lock(tx, ids);
        }
    }

    /** Returns whether the job's order is cancelled, or the order or its item is deleted; holds until the transaction ends. */
    boolean isWithdrawn(Tx tx, PrintJob job) {
        lock(tx, job);
        return rows.isWithdrawn(tx, job);
    }

    /**
     * Returns whether printing the job again makes a piece that its order lacks or, without an order, that no other job makes.
     */
    boolean isLacking(Tx tx, PrintJob job) {
        return !findLacking(tx, List.of(job)).isEmpty();
    }

    /**
     * Returns the jobs whose pieces are lacking. Jobs of items are counted as if all before them are printed again;
     * others are judged independently.
     */
    List<PrintJob> findLacking(Tx tx, List<PrintJob> jobs) {
        lock(tx, jobs);
        Map<Boolean, List<PrintJob>> ofItem =
                jobs.stream().collect(Collectors.partitioningBy(job -> job.orderItemId() != null));
        Set<String> lacking = rows.findLacking(tx, ofItem.getOrDefault(true, List.of()));
        Set<String> replaced = rows.findReplaced(tx, ofItem.getOrDefault(false, List.of()));
        return jobs.stream()
                .filter(job -> job.orderItemId() == null ? !replaced.contains(job.id()) : lacking.contains(job.id()))
                .toList();
    }

    /** Closes the locked order if it is open, all its items are printed and it closes automatically. */
    public void closeIfDone(Tx tx, String orderId) {
        closeIfDone(tx, List.of(orderId));
    }

    public void closeIfDone(Tx tx, Collection<String> orderIds) {
        if (!orderIds.isEmpty()) {
            close(tx, rows.findClosable(tx, orderIds));
        }
    }

    /**
     * Reopens closed orders; what they lack is queued when they are printed. Throws a conflict if their prints were deleted,
     * because then it is not known what they lack.
     */
    public void reopen(Tx tx, Collection<String> orderIds) {
        List<String> deleted = rows.findWithDeletedPrints(tx, orderIds);
        if (!deleted.isEmpty()) {
            throw ProblemException.conflict(
                    "the prints of these orders were deleted after their retention, so that it is not"
                            + " known what they lack; create new orders: " + String.join(", ", deleted));
        }
        Change<Order> opened = new Change<Order>()
                .when(Order::status, Order.Status.closed)
                .set(Order::status, Order.Status.open)
                .set(Order::closedAt, null)
                .set(Order::cancelledAt, null);
        orders.changeAll(tx, orderIds, opened);
    }

    /** Reopens a closed order that lacks something, unless it was cancelled or its prints were deleted. */
    public void reopenUnlessCancelled(Tx tx, String orderId) {
        orders.find(tx, orderId)
                .filter(order -> order.cancelledAt() == null
                        && rows.findWithDeletedPrints(tx, List.of(orderId)).isEmpty())
                .ifPresent(_ -> reopen(tx, List.of(orderId)));
    }

    /** Closes the open ones of the orders. */
    public void close(Tx tx, Collection<String> orderIds) {
        Set<String> closed = orders.changeAll(
                tx,
                orderIds,
                new Change<Order>()
                        .when(Order::status, Order.Status.open)
                        .set(Order::status, Order.Status.closed)
                        .set(Order::closedAt, Resources.now()));
        webhooks.emitOrders(
                tx,
                EventName.onOrderClosed,
                orderIds.stream().filter(closed::contains).toList());
    }
}
