package farm.gantry.api.material;

import farm.gantry.api.database.Tx;
import farm.gantry.api.printer.command.AgentSignals;
import farm.gantry.api.profile.ProfileChangeListener;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.schedule.StartWithdrawal;
import farm.gantry.job.PrintJob;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Spools and printers' slots, which are updated when records they refer to change. Jobs that were sliced for the
 * previous filament and have not started return to the queue.
 */
@Singleton
final class LoadedFilamentUpdater {
    private final FilamentRows rows;
    private final StartWithdrawal starts;
    private final ProfileChangeListener profileChanges;
    private final Scheduler scheduler;
    private final AgentSignals agents;

    LoadedFilamentUpdater(
            FilamentRows rows,
            StartWithdrawal starts,
            ProfileChangeListener profileChanges,
            Scheduler scheduler,
            AgentSignals agents) {
        this.rows = rows;
        this.starts = starts;
        this.profileChanges = profileChanges;
        this.scheduler = scheduler;
        this.agents = agents;
    }

    /** Locks them, before the records that are to change. */
    void lock(Tx tx) {
        rows.lock(tx);
    }

    /** Has them follow a change of records; {@code meant} is what of a record they say. */
    <R> void onChange(
            Tx tx, List<R> before, List<R> after, Function<R, ? extends List<? extends @Nullable Object>> meant) {
        starts.unassign(tx, findChangedSlots(tx, before, after, meant));
    }

    /** The places of printers that say something else after the change. */
    private <R> Map<String, List<PrintJob.Slot>> findChangedSlots(
            Tx tx, List<R> before, List<R> after, Function<R, ? extends List<? extends @Nullable Object>> meant) {
        Map<String, List<PrintJob.Slot>> changed = isChanged(before, after, meant) ? rows.updateReferences(tx) : Map.of();
        if (!changed.isEmpty()) {
            tx.afterCommit(() -> {
                scheduler.trigger(tx.store());
                agents.signal(tx.store());
            });
        }
        return changed;
    }

    /**
     * Updates them, where the profiles used for slicing may also have changed; {@code profiles} returns those of a
     * record.
     */
    <R> void onChange(
            Tx tx,
            List<R> before,
            List<R> after,
            Function<R, ? extends List<? extends @Nullable Object>> meant,
            Function<R, ? extends List<? extends @Nullable Object>> profiles) {
        if (isChanged(before, after, profiles)) {
            profileChanges.onChange(tx, findChangedSlots(tx, before, after, meant));
        } else {
            onChange(tx, before, after, meant);
        }
    }

    private static <R> boolean isChanged(
            List<R> before, List<R> after, Function<R, ? extends List<? extends @Nullable Object>> meant) {
        return !before.isEmpty() && !after.isEmpty() && !meaningfulFields(before, meant).equals(meaningfulFields(after, meant));
    }

    private static <R> Set<?> meaningfulFields(List<R> records, Function<R, ? extends List<? extends @Nullable Object>> meant) {
        return records.stream().map(meant).collect(Collectors.toSet());
    }
}
