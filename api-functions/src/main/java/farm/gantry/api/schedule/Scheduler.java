package farm.gantry.api.schedule;

import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import farm.gantry.api.printer.command.AgentSignals;
import farm.gantry.api.queue.PendingStores;
import farm.gantry.api.queue.WorkLease;
import farm.gantry.api.queue.WorkLoop;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs scheduling rounds of stores: after changes, when a timer expires, and, in one of the processes on the database, periodically if they have work. Stores are served in the order
 * of their requests, several at once, so that a large store does not delay the others for long.
 */
@Singleton
public final class Scheduler {
    private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);
    private static final Duration SWEEP = Duration.ofSeconds(15);
    private static final Duration TICK = Duration.ofSeconds(1);
    /**
     * The maximum number of concurrent rounds. Some wait for the disk while others compute; half of the database connections remain for
     * requests.
     */
    private static final int AT_ONCE = Math.min(8, 2 * Runtime.getRuntime().availableProcessors());

    private final Database database;
    private final SchedulingRound round;
    private final AgentSignals agents;
    private final InstantSource clock;
    private final PendingStores pending;
    private final WorkLease lease;
    private final Set<StoreId> running = ConcurrentHashMap.newKeySet();
    private final LongAdder rounds = new LongAdder();
    private final Semaphore permits = new Semaphore(AT_ONCE, true);

    Scheduler(
            Database database,
            SchedulingRound round,
            AgentSignals agents,
            PendingStores pending,
            WorkLease lease,
            InstantSource clock) {
        this.database = database;
        this.round = round;
        this.agents = agents;
        this.pending = pending;
        this.lease = lease;
        this.clock = clock;
    }

    /** Requests a round, after a change that may let a job start. */
    public void trigger(StoreId store) {
        pending.add(store);
    }

    public WorkLoop start() {
        long[] lastSweep = {System.nanoTime() - SWEEP.toNanos()};
        return WorkLoop.start("scheduler", pending.signal(), TICK, () -> {
            pending.addDue(clock.instant());
            if (lease.isHeld() && System.nanoTime() - lastSweep[0] >= SWEEP.toNanos()) {
                pending.stores().addAll(findActiveStores());
                lastSweep[0] = System.nanoTime();
            }
            pending.stores().forEach(this::startRound);
        });
    }

    /** Starts a round. If one is running for the store, another follows it. */
    private void startRound(StoreId store) {
        if (running.add(store)) {
            pending.stores().remove(store);
            Thread.ofVirtual().name("round").start(() -> runInTurn(store));
        }
    }

    private void runInTurn(StoreId store) {
        permits.acquireUninterruptibly();
        try {
            runRound(store);
        } catch (RuntimeException e) {
            if (Database.isStoreMoved(e)) {
                LOG.info("store {} gets no more jobs assigned: {}", store.value(), e.getMessage());
            } else {
                LOG.warn("assigning jobs of store {} failed, retrying", store.value(), e);
                pending.addAt(store, clock.instant().plus(TICK));
            }
        } finally {
            permits.release();
            running.remove(store);
            if (pending.stores().contains(store)) {
                pending.signal().signal();
            }
        }
    }

    /** Requests a round of each store that has work, in case a request was lost. */
    public void triggerAll() {
        findActiveStores().forEach(this::trigger);
    }

    private List<StoreId> findActiveStores() {
        return database.findStores("stores_with_active_jobs");
    }

    /** Returns the number of rounds that this process has run. */
    public long rounds() {
        return rounds.sum();
    }

    /** Runs one round of the store. */
    public void runRound(StoreId store) {
        rounds.increment();
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        SchedulingRound.Outcome outcome = database.in(store, tx -> round.run(tx, now));
        if (outcome.hasCommands()) {
            agents.signal(store);
        }
        Instant next = outcome.next();
        if (next != null) {
            pending.addAt(store, next);
        }
    }
}
