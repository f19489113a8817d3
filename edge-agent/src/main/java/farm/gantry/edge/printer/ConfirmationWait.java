package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.JournalEntry;
import farm.gantry.edge.journal.JournalEntry.Confirmation;
import farm.gantry.edge.printer.JobState.NoJob;
import farm.gantry.edge.printer.StartedState.Running;
import farm.gantry.edge.time.ServerClock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a print that no status has current. The journal keeps the wait, so that a restart of the agent does not reset
 * it. The wait continues only while the printer is at rest and shows the same as before.
 */
final class ConfirmationWait {
    /** A wait that starts again is journaled only if its start moved by more than this. */
    private static final Duration TOLERANCE = Duration.ofSeconds(5);

    private final Journal journal;
    private final InstantSource clock;
    /**
     * The maximum share of the wait that earlier runs of the agent count for; the printer's history decides about the
     * rest.
     */
    private final Duration maxEarlier;
    /** The wait from the agent's previous run; null once it was continued or abandoned. */
    private volatile @Nullable Confirmation earlier;

    ConfirmationWait(Journal journal, String deviceId, InstantSource clock, Duration maxEarlier) {
        this.journal = journal;
        this.clock = clock;
        this.maxEarlier = maxEarlier;
        this.earlier = journal.jobsOn(deviceId).stream()
                .filter(JournaledState::isStartSent)
                .findFirst()
                .flatMap(live -> Optional.ofNullable(live.confirmation()))
                .orElse(null);
    }

    /**
     * Returns the next state with the wait of the agent's previous run; {@code now} is the time as transitions have it.
     */
    JobState restoreWait(JobState next, @Nullable PrinterStatus current, Duration now) {
        Confirmation before = earlier;
        if (before == null) {
            return next;
        }
        if (next instanceof Running
                || next instanceof NoJob
                || (current != null && current.status().isBusy())) {
            earlier = null;
            return next;
        }
        if (!(next instanceof UnconfirmedState wait) || !ServerClock.isKnown(clock)) {
            return next;
        }
        Duration since = wait.waitingSince();
        if (since == null) {
            return next;
        }
        earlier = null;
        Instant begin = before.since();
        if (begin == null || !isSameWait(before, wait)) {
            return next;
        }
        Duration waited = Duration.between(begin, clock.instant());
        Duration counted = waited.compareTo(maxEarlier) > 0 ? maxEarlier : waited;
        Duration begun = now.minus(counted);
        return begun.compareTo(since) < 0 ? wait.withWaitingSince(begun) : next;
    }

    private static boolean isSameWait(Confirmation before, UnconfirmedState wait) {
        return !wait.isShown()
                && wait.job().matches(before.jobId(), before.attempt())
                && before.endShown() == wait.isEndShown();
    }

    /** Returns the entry by which the journal records the wait of the next state; empty if nothing changed. */
    Optional<JournalEntry> changedEntry(JobState next, @Nullable PrinterStatus current, Duration now) {
        if (!(next instanceof StartedState print) || !ServerClock.isKnown(clock)) {
            return Optional.empty();
        }
        Job job = print.job();
        Confirmation written = journal.job(job.jobId(), job.attempt())
                .flatMap(live -> Optional.ofNullable(live.confirmation()))
                .orElse(null);
        Duration since =
                next instanceof UnconfirmedState wait && !wait.isShown() && !isBusy(current) ? wait.waitingSince() : null;
        Instant begin = since == null ? null : clock.instant().minus(now.minus(since));
        boolean endShown = next instanceof UnconfirmedState wait && wait.isEndShown();
        boolean isWritten = written == null
                ? begin == null
                : begin != null && written.endShown() == endShown && isWithinTolerance(written.since(), begin);
        return isWritten || (earlier != null && begin == null)
                ? Optional.empty()
                : Optional.of(new Confirmation(job.jobId(), job.attempt(), begin, endShown));
    }

    private static boolean isBusy(@Nullable PrinterStatus current) {
        return current != null && current.status().isBusy();
    }

    private static boolean isWithinTolerance(@Nullable Instant one, Instant other) {
        return one != null && Duration.between(one, other).abs().compareTo(TOLERANCE) <= 0;
    }
}
