package farm.gantry.api.job.lifecycle;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.webhook.Webhooks;
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

    /** Those of the jobs that are: of items if all before them are printed again too, others each by itself. */
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
        closeIfDone(tx, List.of(orderId));
    }

    /** The same of many orders. */
    public void closeIfDone(Tx tx, Collection<String> orderIds) {
        if (!orderIds.isEmpty()) {
            close(tx, rows.toClose(tx, orderIds));
        }
    }

    /** Opens closed orders again; what they lack then is queued when they are printed. */
    public void reopen(Tx tx, Collection<String> orderIds) {
        Map<String, @Nullable Object> opened = new HashMap<>();
        opened.put("status", Order.Status.open);
        opened.put("closedAt", null);
        opened.put("cancelledAt", null);
        orders.changeAll(tx, Map.of("status", Order.Status.closed), orderIds, opened);
    }

    /** Opens a closed order again that lacks something, unless it was cancelled. */
    public void reopenUnlessCancelled(Tx tx, String orderId) {
        orders.find(tx, orderId)
                .filter(order -> order.cancelledAt() == null)
                .ifPresent(_ -> reopen(tx, List.of(orderId)));
    }

    /** Closes those of the orders that are open. */
    public void close(Tx tx, Collection<String> orderIds) {
        Set<String> closed = orders.changeAll(
                tx,
                Map.of("status", Order.Status.open),
                orderIds,
                Map.of("status", Order.Status.closed, "closedAt", Resources.now()));
        webhooks.emitOrders(
                tx,
                EventName.onOrderClosed,
                orderIds.stream().filter(closed::contains).toList());
    }
}
