package farm.gantry.api.schedule;

import farm.gantry.api.deliver.Webhooks;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.store.OrderRows;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.job.PrintJob;
import farm.gantry.notification.EventName;
import farm.gantry.order.Order;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the ends of jobs do to the orders that they are for, and what those lack; orders that are done close. */
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

    /** Locks the order of a job that ends or comes back, after the job and before its builds. */
    void lock(Tx tx, PrintJob job) {
        lock(tx, List.of(job));
    }

    /** The same of many jobs. */
    void lock(Tx tx, Collection<PrintJob> jobs) {
        Set<String> ids =
                jobs.stream().map(PrintJob::orderId).filter(Objects::nonNull).collect(Collectors.toSet());
        if (!ids.isEmpty()) {
            rows.lock(tx, ids);
        }
    }

    /** Whether the job's order is cancelled, or it or the item is deleted; it stays so until the transaction ends. */
    boolean isWithdrawn(Tx tx, PrintJob job) {
        lock(tx, job);
        return rows.isWithdrawn(tx, job);
    }

    /** Whether the job, if it is printed again, is a piece that its order lacks; without an order, that no other job makes. */
    boolean isLacking(Tx tx, PrintJob job) {
        return !lacking(tx, List.of(job)).isEmpty();
    }

    /** Those of the jobs that are, each by itself. */
    List<PrintJob> lacking(Tx tx, List<PrintJob> jobs) {
        lock(tx, jobs);
        Map<Boolean, List<PrintJob>> ofItem =
                jobs.stream().collect(Collectors.partitioningBy(job -> job.orderItemId() != null));
        Set<String> lacking = rows.lacking(tx, ofItem.getOrDefault(true, List.of()));
        Set<String> replaced = rows.replaced(tx, ofItem.getOrDefault(false, List.of()));
        return jobs.stream()
                .filter(job -> job.orderItemId() == null ? !replaced.contains(job.id()) : lacking.contains(job.id()))
                .toList();
    }

    /** Closes the order if it is open, all its items are printed and it closes by itself; the order is locked. */
    public void closeIfDone(Tx tx, String orderId) {
        orders.find(tx, orderId)
                .filter(order -> order.status() == Order.Status.open)
                .filter(_ -> rows.closesByItself(tx, orderId) && rows.isDone(tx, orderId))
                .ifPresent(_ -> close(tx, orderId));
    }

    /** Opens a closed order again; what it lacks then is queued when it is printed. */
    public void reopen(Tx tx, String orderId) {
        Map<String, @Nullable Object> changes = new HashMap<>();
        changes.put("status", Order.Status.open);
        changes.put("closedAt", null);
        changes.put("cancelledAt", null);
        orders.change(tx, orderId, Map.of("status", Order.Status.closed), changes);
    }

    /** Opens a closed order again that lacks something, unless it was cancelled. */
    public void reopenUnlessCancelled(Tx tx, String orderId) {
        orders.find(tx, orderId).filter(order -> order.cancelledAt() == null).ifPresent(_ -> reopen(tx, orderId));
    }

    /** Closes an open order. */
    public void close(Tx tx, String orderId) {
        if (orders.change(
                tx,
                orderId,
                Map.of("status", Order.Status.open),
                Map.of("status", Order.Status.closed, "closedAt", Resources.now()))) {
            webhooks.emitOrder(tx, EventName.onOrderClosed, orderId);
        }
    }
}
