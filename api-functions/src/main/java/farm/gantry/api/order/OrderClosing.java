package farm.gantry.api.order;

import farm.gantry.api.database.Change;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.job.lifecycle.JobCancellation;
import farm.gantry.api.job.lifecycle.OrderProgress;
import farm.gantry.api.job.lifecycle.OrderRows;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.webhook.Webhooks;
import farm.gantry.notification.EventName;
import farm.gantry.order.Order;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** Closes, reopens and cancels orders, all of those named or none; what is so already is left as it is. */
@Singleton
public final class OrderClosing {
    private final Table<Order> orders;
    private final OrderRows rows;
    private final OrderProgress progress;
    private final JobCancellation cancellation;
    private final Webhooks webhooks;
    private final Scheduler scheduler;

    OrderClosing(
            Tables tables,
            OrderRows rows,
            OrderProgress progress,
            JobCancellation cancellation,
            Webhooks webhooks,
            Scheduler scheduler) {
        this.orders = tables.of(Order.class);
        this.rows = rows;
        this.progress = progress;
        this.cancellation = cancellation;
        this.webhooks = webhooks;
        this.scheduler = scheduler;
    }

    /** Closes orders regardless of their items; their jobs continue. */
    public void close(Tx tx, Collection<String> orderIds) {
        progress.close(tx, lockNamed(tx, orderIds));
    }

    /** Opens orders that were closed or cancelled; what they lack then is queued when they are printed. */
    public void reopen(Tx tx, Collection<String> orderIds) {
        progress.reopen(tx, lockNamed(tx, orderIds));
    }

    /** Cancels orders: their jobs go, but those that are at a printer. */
    public void cancel(Tx tx, Collection<String> orderIds) {
        List<String> cancelled = orders.lockRequired(tx, orderIds).stream()
                .filter(order -> order.cancelledAt() == null)
                .map(Order::id)
                .toList();
        cancelJobs(tx, cancelled);
        Instant now = Resources.now();
        orders.changeAll(
                tx,
                cancelled,
                new Change<Order>()
                        .set(Order::status, Order.Status.closed)
                        .set(Order::closedAt, now)
                        .set(Order::cancelledAt, now));
        webhooks.emitOrders(tx, EventName.onOrderCancelled, cancelled);
    }

    private List<String> lockNamed(Tx tx, Collection<String> orderIds) {
        return orders.lockRequired(tx, orderIds).stream().map(Order::id).toList();
    }

    /** Cancels the jobs of deleted orders that are not at a printer; one that its printer gives back goes, too. */
    void withdrawJobs(Tx tx, Collection<String> orderIds) {
        cancelJobs(tx, orderIds);
        rows.markOutdated(tx, "orderId", orderIds);
    }

    /** Cancels the jobs of locked orders that are not at a printer. */
    private void cancelJobs(Tx tx, Collection<String> orderIds) {
        cancellation.cancelNotStarted(tx, rows.findNotStarted(tx, "orderId", orderIds));
        tx.onceAfterCommit(this, () -> scheduler.trigger(tx.store()));
    }
}
