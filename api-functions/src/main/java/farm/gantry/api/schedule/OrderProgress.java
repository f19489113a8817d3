package farm.gantry.api.schedule;

import farm.gantry.Id;
import farm.gantry.api.deliver.Webhooks;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.store.JobRows;
import farm.gantry.api.store.OrderRows;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.notification.EventName;
import farm.gantry.order.Order;
import farm.gantry.order.OrderItem;
import farm.gantry.store.StoreSettings;
import io.micronaut.core.beans.BeanIntrospection;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the ends of jobs do to the orders that they are for: failed ones are replaced, and orders that are done close. */
@Singleton
public final class OrderProgress {
    private final Table<Order> orders;
    private final Table<OrderItem> items;
    private final Table<PrintJob> jobs;
    private final Table<StoreSettings> settings;
    private final OrderRows rows;
    private final JobRows jobRows;
    private final Webhooks webhooks;

    OrderProgress(Tables tables, OrderRows rows, JobRows jobRows, Webhooks webhooks) {
        this.orders = tables.of(Order.class);
        this.items = tables.of(OrderItem.class);
        this.jobs = tables.of(PrintJob.class);
        this.settings = tables.of(StoreSettings.class);
        this.rows = rows;
        this.jobRows = jobRows;
        this.webhooks = webhooks;
    }

    /** Locks the order of a job that ends or comes back, after the job and before its builds. */
    void lock(Tx tx, PrintJob job) {
        if (job.orderId() != null) {
            rows.lock(tx, List.of(job.orderId()));
        }
    }

    /** Whether the job's order is cancelled; it stays so until the transaction ends. */
    boolean isCancelled(Tx tx, PrintJob job) {
        lock(tx, job);
        return Optional.ofNullable(job.orderId())
                .flatMap(id -> orders.find(tx, id))
                .filter(order -> order.cancelledAt() != null)
                .isPresent();
    }

    /** Whether the job, if it is printed again, is a piece that its order lacks; always so of a job without an order. */
    public boolean isLacking(Tx tx, PrintJob job) {
        lock(tx, job);
        return job.orderItemId() == null || rows.isLacking(tx, job);
    }

    /** Queues another job in place of one that failed, while its order lacks the piece and the store's retries last. */
    void replace(Tx tx, PrintJob failed) {
        if (failed.orderItemId() != null
                && failed.retries()
                        < settings.find(tx, tx.store().value()).orElseThrow().maxRetries()
                && items.find(tx, failed.orderItemId()).isPresent()
                && rows.isLacking(tx, failed)) {
            Map<String, @Nullable Object> own = new HashMap<>();
            PrintJob.OF_ONE_ATTEMPT.forEach(field -> own.put(field, null));
            own.put("id", Id.next());
            own.put("taskId", jobRows.taskIds(tx, 1).getFirst());
            own.put("replacesJobId", failed.id());
            jobs.insertCopies(tx, List.of(new Table.Copies<>(unprinted(failed), new ArrayList<>(List.of(own)))));
        }
    }

    /** The job as one that waits at its place in the queue; what is of its attempt alone is left to the copy. */
    private static PrintJob unprinted(PrintJob failed) {
        Instant now = Resources.now();
        return BeanIntrospection.getIntrospection(PrintJob.class)
                .builder()
                .with(failed)
                .with("createdAt", now)
                .with("updatedAt", now)
                .with("status", JobStatus.Pending)
                .with("hidden", false)
                .with("attempt", 0)
                .with("retries", failed.retries() + 1)
                .build();
    }

    /** Closes the order if it is open, all its items are printed and it closes by itself; the order is locked. */
    public void closeIfDone(Tx tx, String orderId) {
        orders.find(tx, orderId)
                .filter(order -> order.status() == Order.Status.open)
                .filter(_ -> rows.closesByItself(tx, orderId) && rows.isDone(tx, orderId))
                .ifPresent(_ -> close(tx, orderId));
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
