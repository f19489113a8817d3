package farm.gantry.api.promise;

import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import farm.gantry.api.queue.Signal;
import farm.gantry.api.queue.WorkLease;
import farm.gantry.api.queue.WorkLoop;
import farm.gantry.api.webhook.Webhooks;
import farm.gantry.notification.EventName;
import farm.gantry.promise.FarmState;
import farm.gantry.promise.Promise;
import farm.gantry.promise.PromisePlanner;
import farm.gantry.promise.RemainingTimeAccuracy;
import farm.gantry.promise.WaitReason;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Gatherers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Updates the stored estimates of each store with unfinished jobs, after changes and periodically. */
@Singleton
public final class PromiseUpdater {
    private static final Logger LOG = LoggerFactory.getLogger(PromiseUpdater.class);
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(5);
    private static final Duration RETRY_INTERVAL = Duration.ofMinutes(1);

    /** The maximum share of the time that planning may take. */
    private static final int SHARE = 20;

    /** The minimum change of an estimate to be stored; changes below a hundredth of the remaining time are ignored too. */
    private static final Duration MIN_MOVE = Duration.ofSeconds(30);

    private static final int SAVED_AT_ONCE = 500;

    /** The range of progress, as a share, in which a print counts as half-way. */
    private static final double MIN_HALF = 0.4;

    private static final double MAX_HALF = 0.7;

    private final Database database;
    private final FarmStateLoader farms;
    private final PromiseRows rows;
    private final Webhooks webhooks;
    private final WorkLease lease;
    private final InstantSource clock;
    private final Map<StoreId, LastPlan> planned = new ConcurrentHashMap<>();

    /** The version of a store at its last plan, its time, and the earliest time of the next one. */
    private record LastPlan(String version, Instant at, Instant rest) {}

    PromiseUpdater(
            Database database,
            FarmStateLoader farms,
            PromiseRows rows,
            Webhooks webhooks,
            WorkLease lease,
            InstantSource clock) {
        this.database = database;
        this.farms = farms;
        this.rows = rows;
        this.webhooks = webhooks;
        this.lease = lease;
        this.clock = clock;
    }

    public WorkLoop start() {
        return WorkLoop.start("promises", new Signal(), POLL_INTERVAL, lease, this::planAll);
    }

    /** Plans every store with work, or with estimates of orders, that has changed or was not planned for a minute. */
    public void planAll() {
        for (StoreId store : database.findStores("stores_with_promises")) {
            try {
                planIfDue(store);
            } catch (RuntimeException e) {
                LOG.warn("planning promises for store {} failed, retrying with the next poll", store.value(), e);
            }
        }
    }

    private void planIfDue(StoreId store) {
        Instant now = clock.instant();
        LastPlan last = planned.get(store);
        if (last != null && now.isBefore(last.rest())) {
            return;
        }
        String version = database.in(store, rows::version);
        if (last == null
                || !last.version().equals(version)
                || !now.isBefore(last.at().plus(RETRY_INTERVAL))) {
            plan(store, version, now);
        }
    }

    /** Plans the store if it has changed since its last plan. */
    void planIfChanged(StoreId store) {
        LastPlan last = planned.get(store);
        String version = database.in(store, rows::version);
        if (last == null || !last.version().equals(version)) {
            plan(store, version, clock.instant());
        }
    }

    private void plan(StoreId store, String version, Instant now) {
        long begun = System.nanoTime();
        plan(store);
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        planned.put(store, new LastPlan(version, now, now.plus(POLL_INTERVAL).plus(took.multipliedBy(SHARE))));
    }

    /** Estimates all jobs and orders of the store, and emits events of orders that became late or are on time again. */
    public void plan(StoreId store) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        FarmState farm = database.in(store, tx -> farms.load(tx, now));
        PromisePlanner planner = new PromisePlanner(farm);
        Map<String, Promise> promises = planner.promises();
        Map<String, PromiseRows.StoredPromise> stored = database.in(store, rows::findByJob);
        save(store, findChanged(stored, promises, planner, now));
        clear(
                store,
                stored.keySet().stream().filter(id -> !promises.containsKey(id)).toList());
        database.in(store, tx -> {
            for (PromiseRows.OpenOrder order : rows.openOrders(tx)) {
                if (order.jobIds().isEmpty() && !order.isLacking()) {
                    rows.deleteOrder(tx, order.id());
                    continue;
                }
                Promise promise = order.isLacking() ? Promise.NONE : planner.promiseAll(order.jobIds());
                rows.saveOrder(tx, order.id(), promise, order.isLacking() ? null : findLastJob(promises, order), now);
                Lateness lateness = Lateness.of(order, promise, planner.promisePrintable(order.jobIds()), now);
                if (rows.setLate(tx, order.id(), lateness.late(), lateness.seconds())) {
                    webhooks.emitOrder(
                            tx, lateness.late() ? EventName.onOrderLate : EventName.onOrderOnTime, order.id());
                    if (!lateness.late()) {
                        webhooks.resolve(tx, EventName.onOrderLate, List.of(order.id()));
                    }
                }
            }
            rows.saveReports(tx, remainingTimeReports(farm), now);
            rows.deleteFinished(tx);
            return null;
        });
    }

    /** Returns the remaining times that printers report for prints that are about half-way. */
    private static List<PromiseRows.RemainingTimeReport> remainingTimeReports(FarmState farm) {
        List<PromiseRows.RemainingTimeReport> reports = new ArrayList<>();
        for (FarmState.PlannedPrinter printer : farm.printers()) {
            FarmState.CurrentJob job = printer.current();
            if (job != null && job.jobId() != null && job.reportedSeconds() != null) {
                double reported = job.reportedSeconds();
                double progress = job.elapsedSeconds() / (job.elapsedSeconds() + reported);
                double extrapolated =
                        RemainingTimeAccuracy.extrapolate(job.estimatedSeconds(), job.elapsedSeconds(), reported);
                if (progress >= MIN_HALF && progress <= MAX_HALF && extrapolated > 0) {
                    reports.add(new PromiseRows.RemainingTimeReport(job.jobId(), reported, extrapolated));
                }
            }
        }
        return reports;
    }

    /** Stores the estimates in small batches, because each statement locks its jobs, for which the scheduler waits. */
    private void save(StoreId store, Map<String, PromiseRows.JobPromise> moved) {
        moved.entrySet().stream().gather(Gatherers.windowFixed(SAVED_AT_ONCE)).forEach(entries -> {
            Map<String, PromiseRows.JobPromise> some = new LinkedHashMap<>();
            entries.forEach(entry -> some.put(entry.getKey(), entry.getValue()));
            database.in(store, tx -> {
                rows.save(tx, some);
                return null;
            });
        });
    }

    /** Removes the estimates of jobs that wait behind the planned ones. */
    private void clear(StoreId store, List<String> unplanned) {
        unplanned.stream()
                .gather(Gatherers.windowFixed(SAVED_AT_ONCE))
                .forEach(ids -> database.in(store, tx -> {
                    rows.clear(tx, ids);
                    return null;
                }));
    }

    /** Returns the id of the order's job that finishes last. */
    private static @Nullable String findLastJob(Map<String, Promise> promises, PromiseRows.OpenOrder order) {
        return order.jobIds().stream()
                .filter(promises::containsKey)
                .max(Comparator.comparing(id -> Optional.ofNullable(promises.get(id))
                        .map(Promise::promisedBy)
                        .orElse(Instant.MAX)))
                .orElse(null);
    }

    /** Returns the estimates that differ noticeably from the stored ones. */
    private static Map<String, PromiseRows.JobPromise> findChanged(
            Map<String, PromiseRows.StoredPromise> stored,
            Map<String, Promise> promises,
            PromisePlanner planner,
            Instant now) {
        Map<String, PromiseRows.JobPromise> moved = new LinkedHashMap<>();
        promises.forEach((id, promise) -> {
            PromiseRows.StoredPromise before = stored.get(id);
            if (before == null
                    || WaitReason.Code.printing.name().equals(before.firstWait()) != planner.isAtPrinter(id)
                    || (promise.promisedAt() == null && !isFirst(before.firstWait(), planner.waitReasons(id)))
                    || isChanged(before.promisedAt(), promise.promisedAt(), now)
                    || isChanged(before.promisedBy(), promise.promisedBy(), now)) {
                moved.put(
                        id,
                        new PromiseRows.JobPromise(
                                promise.promisedAt(), promise.promisedBy(), planner.waitReasons(id), now));
            }
        });
        return moved;
    }

    private static boolean isFirst(@Nullable String code, List<WaitReason> waits) {
        return !waits.isEmpty() && waits.getFirst().code().name().equals(code);
    }

    private static boolean isChanged(@Nullable Instant before, @Nullable Instant after, Instant now) {
        if (before == null || after == null) {
            return !Objects.equals(before, after);
        }
        Duration by = Duration.between(before, after).abs();
        return by.compareTo(MIN_MOVE) > 0 && by.multipliedBy(100).compareTo(Duration.between(now, after)) > 0;
    }
}
