package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.JournalEntry;
import farm.gantry.edge.journal.JournalEntry.Confirmation;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.state.JobState;
import farm.gantry.edge.printer.state.JobState.NoJob;
import farm.gantry.edge.printer.state.PrinterEvent;
import farm.gantry.edge.printer.state.StartedState;
import farm.gantry.edge.printer.state.StartedState.Running;
import farm.gantry.edge.printer.state.UnconfirmedState;
import farm.gantry.edge.time.ServerClock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stores in the journal since when the agent waits for a print that no status has shown yet, so that a restart of the
 * agent does not restart the wait. After a restart, the wait continues only if the printer is at rest and shows what it
 * showed before.
 */
final class ConfirmationWait {
    /** A changed start of the wait is journaled only if it differs from the journaled one by more than this. */
    private static final Duration TOLERANCE = Duration.ofSeconds(5);

    private final Journal journal;
    private final InstantSource clock;
    /**
     * The maximum time spent waiting in earlier runs of the agent that counts. The rest of the wait happens in this
     * run, during which the printer's history is queried.
     */
    private final Duration maxEarlier;
    /** The wait that the agent's previous run journaled; null once it was continued or abandoned. */
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
     * Returns the next state, with the wait of the agent's previous run if it still applies. {@code now} is on the
     * clock of {@link PrinterEvent.StatusRead#receivedAt}.
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

    /** Returns the journal entry for the wait of the next state; empty if the journal already has it. */
    Optional<JournalEntry> changedEntry(JobState next, @Nullable PrinterStatus current, Duration now) {
        if (!(next instanceof StartedState print) || !ServerClock.isKnown(clock)) {
            return Optional.empty();
        }
        Job job = print.job();
        Confirmation written = journal.job(job.jobId(), job.attempt())
                .flatMap(live -> Optional.ofNullable(live.confirmation()))
                .orElse(null);
        Duration since = next instanceof UnconfirmedState wait && !wait.isShown() && !isBusy(current)
                ? wait.waitingSince()
                : null;
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
