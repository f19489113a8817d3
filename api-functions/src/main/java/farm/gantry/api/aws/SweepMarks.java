package farm.gantry.api.aws;

import farm.gantry.api.database.Database;
import farm.gantry.api.link.AgentPresence;
import farm.gantry.api.link.LinkSettings;
import farm.gantry.api.queue.StoreActivity;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides by marks in DynamoDB whether a sweep must read the database. */
@Singleton
@Requires(property = "gantry.aws.table-prefix")
public final class SweepMarks {
    /** Finds the stores with work for a sweep, which count as in use. */
    private static final List<String> WORK = List.of(
            "stores_with_promises", "stores_with_due_deliveries", "stores_with_due_messages", "stores_with_outbox");

    private final DynamoDbMarks marks;
    private final StoreActivity activity;
    private final Database database;
    private final LinkSettings times;
    private final InstantSource clock;

    SweepMarks(
            DynamoDbMarks marks, StoreActivity activity, Database database, LinkSettings times, InstantSource clock) {
        this.marks = marks;
        this.activity = activity;
        this.database = database;
        this.times = times;
        this.clock = clock;
    }

    /**
     * The marks at the beginning of a sweep.
     *
     * @param all null if they cannot be read
     * @param idlePresence the presence of agents that the last sweep counted, if nothing changed since; null if the
     *     database must be read
     */
    public record Plan(
            Instant at,
            DynamoDbMarks.@Nullable AllMarks all,
            @Nullable AgentPresence idlePresence) {}

    /**
     * Reads the marks. The database must be read while a store is in use or has work that is due, when a marked agent
     * has become silent, and once in each period of {@code gantry.agents.full-check-interval}.
     */
    public Plan plan() {
        Instant now = clock.instant();
        DynamoDbMarks.AllMarks all = marks.findAll().orElse(null);
        DynamoDbMarks.Sweep last = all == null ? null : all.sweep();
        boolean isIdle = all != null
                && last != null
                && times.fullCheckPeriod(last.at()) == times.fullCheckPeriod(now)
                && !all.activeUntil().isAfter(now)
                && all.due().stream().noneMatch(due -> isDue(due, now))
                && all.agents().stream().noneMatch(agent -> isSilent(agent, now));
        return new Plan(now, all, isIdle && last != null ? last.presence() : null);
    }

    private static boolean isDue(DynamoDbMarks.DueWork due, Instant now) {
        return !due.at().isAfter(now);
    }

    private boolean isSilent(DynamoDbMarks.SeenAgent agent, Instant now) {
        return agent.at().plus(times.offlineTimeout()).isBefore(now);
    }

    /**
     * Records a sweep that read the database: keeps the stores that have work in use, and deletes the marks that it was
     * started by.
     */
    public void record(Plan plan, AgentPresence presence) {
        WORK.forEach(work -> database.findStores(work).forEach(activity::touch));
        if (plan.all() != null) {
            plan.all().due().stream().filter(due -> isDue(due, plan.at())).forEach(marks::remove);
            plan.all().agents().stream()
                    .filter(agent -> isSilent(agent, plan.at()))
                    .forEach(marks::remove);
        }
        marks.putSweep(new DynamoDbMarks.Sweep(plan.at(), presence));
    }
}
