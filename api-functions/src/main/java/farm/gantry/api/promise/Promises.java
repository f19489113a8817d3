package farm.gantry.api.promise;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.Permission;
import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.job.PrintJob;
import farm.gantry.order.Order;
import farm.gantry.promise.WaitReason;
import farm.gantry.promise.WorkPattern;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The routes that estimate when a job or an order is finished, and give the reasons. */
@Controller("/v1")
@Blocking
final class Promises {
    private final Table<PrintJob> jobs;
    private final Table<Order> orders;
    private final PromiseRows rows;
    private final PromiseUpdater plans;
    private final FarmStateLoader farms;
    private final Database database;

    Promises(Tables tables, PromiseRows rows, PromiseUpdater plans, FarmStateLoader farms, Database database) {
        this.jobs = tables.of(PrintJob.class);
        this.orders = tables.of(Order.class);
        this.rows = rows;
        this.plans = plans;
        this.farms = farms;
        this.database = database;
    }

    /**
     * The estimate of a job. {@code promisedAt} is the median of the finish time, {@code promisedBy} the 90th percentile; both are null if
     * there is no estimate, for example because the job has ended or no printer in service can print it. {@code waits} are the reasons why
     * it waits, in order. {@code workingHoursFrom} says which hours the estimate uses: the store's working hours and clearing time, or
     * those learned from people's confirmations of clear beds.
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record PromiseOfJob(
            String printJobId,
            @Nullable Instant promisedAt,
            @Nullable Instant promisedBy,
            List<WaitReason> waits,
            WorkPattern.Source workingHoursFrom,
            @Nullable Instant plannedAt) {}

    /**
     * The estimate of an order, including replacements of failed pieces; null times if pieces are not queued. {@code late} compares it with
     * the {@code deadline}, null without one. {@code lateSeconds} is the likely time by which the order misses its deadline, a lower bound
     * if only a part of it can be estimated; 0 if it is likely on time, null without a deadline. {@code lastPrintJobId} is the job that
     * finishes last, {@code waits} are the reasons why that job waits. {@code workingHoursFrom} is as in the estimate of a job.
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record PromiseOfOrder(
            String orderId,
            @Nullable Instant promisedAt,
            @Nullable Instant promisedBy,
            @Nullable Instant deadline,
            @Nullable Boolean late,
            @Nullable Long lateSeconds,
            @Nullable String lastPrintJobId,
            List<WaitReason> waits,
            WorkPattern.Source workingHoursFrom,
            @Nullable Instant plannedAt) {}

    /** Returns the estimate of when a job is finished, and the reasons why it waits. */
    @Get("/print-jobs/{id}/promise")
    @RequiresPermission(Permission.QUEUE_VIEW)
    PromiseOfJob ofJob(Caller caller, String id) {
        PrintJob job = database.in(caller, tx -> jobs.find(tx, Resources.parseId(id)))
                .orElseThrow(() -> ProblemException.notFound("print job"));
        if (job.status().isFinished()) {
            return new PromiseOfJob(id, null, null, List.of(), workSource(caller), null);
        }
        return findOrPlan(caller, tx -> rows.ofJob(tx, id))
                .map(promise -> new PromiseOfJob(
                        id,
                        promise.promisedAt(),
                        promise.promisedBy(),
                        promise.waits(),
                        workSource(caller),
                        promise.plannedAt()))
                .orElseGet(() -> new PromiseOfJob(
                        id,
                        null,
                        null,
                        List.of(database.in(caller, farms::reasonWithoutEstimate)),
                        workSource(caller),
                        null));
    }

    private WorkPattern.Source workSource(Caller caller) {
        return database.in(caller, farms::workSource);
    }

    /**
     * Returns the estimate of when an order is done. Without an estimate, as while pieces are not queued, the times are
     * null.
     */
    @Get("/orders/{id}/promise")
    @RequiresPermission({Permission.ORDER_VIEW, Permission.QUEUE_VIEW})
    PromiseOfOrder ofOrder(Caller caller, String id) {
        Order order = database.in(caller, tx -> orders.find(tx, Resources.parseId(id)))
                .orElseThrow(() -> ProblemException.notFound("order"));
        Optional<PromiseRows.OrderPromise> promise = order.status() == Order.Status.closed
                ? Optional.empty()
                : findOrPlan(caller, tx -> rows.ofOrder(tx, id));
        String last = promise.map(PromiseRows.OrderPromise::lastJobId).orElse(null);
        List<WaitReason> waits = last == null
                ? List.of()
                : database.in(caller, tx -> rows.ofJob(tx, last))
                        .map(PromiseRows.JobPromise::waits)
                        .orElse(List.of());
        return new PromiseOfOrder(
                id,
                promise.map(PromiseRows.OrderPromise::promisedAt).orElse(null),
                promise.map(PromiseRows.OrderPromise::promisedBy).orElse(null),
                order.deadline(),
                order.deadline() == null
                        ? null
                        : promise.map(PromiseRows.OrderPromise::late).orElse(null),
                order.deadline() == null
                        ? null
                        : promise.map(PromiseRows.OrderPromise::lateSeconds).orElse(null),
                last,
                waits,
                workSource(caller),
                promise.map(PromiseRows.OrderPromise::plannedAt).orElse(null));
    }

    /** Returns the stored promise, or computes one for jobs that were only just queued. */
    private <T> Optional<T> findOrPlan(Caller caller, Function<Tx, Optional<T>> reading) {
        Optional<T> stored = database.in(caller, reading);
        if (stored.isPresent()) {
            return stored;
        }
        StoreId store = caller.store();
        plans.planIfChanged(store);
        return database.in(caller, reading);
    }
}
