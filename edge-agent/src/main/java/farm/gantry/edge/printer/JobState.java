package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.printer.Transition.Action;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The states of the state machine in {@link Transitions}: the farm's job on a printer, and its progress. */
sealed interface JobState {

    /** Returns the pause or resume that is carried out as soon as the printer can, null without one. */
    default @Nullable Action requested() {
        return null;
    }

    /**
     * No job of the farm. {@code lastFile} is the file that the printer last showed (null: never seen), {@code busy}
     * whether it was printing it, {@code printCounter} its print counter then, null without one.
     */
    record NoJob(
            @Nullable String lastFile,
            boolean busy,
            @Nullable String printCounter) implements JobState {
        static final NoJob UNSEEN = new NoJob(null, false, null);

        /** Returns the state of a printer at rest. */
        static NoJob after(PrinterStatus reading) {
            return new NoJob(reading.fileName(), false, reading.printCounter());
        }
    }

    /** The file is being downloaded and uploaded; no start was sent. */
    record Preparing(Job job, NoJob before) implements JobState {}

    /** The file is on the printer, which is offline; no start was sent. */
    record Prepared(Job job, NoJob before) implements JobState {}

    /** The start was sent and is not answered yet. {@code before} is the printer's state right before. */
    record Starting(Job job, NoJob before, boolean cancelling) implements JobState {}

    /**
     * The start was accepted. {@code shown}: the printer has shown the print as running, so an end that it shows is the
     * end of this print. {@code requested} is a pause or resume to be carried out as soon as the printer can.
     */
    record Running(
            Job job,
            boolean paused,
            boolean cancelling,
            boolean shown,
            @Nullable Action requested) implements JobState {
        Running(Job job, boolean paused, boolean cancelling, boolean shown) {
            this(job, paused, cancelling, shown, null);
        }

        Running seen() {
            return new Running(job, paused, cancelling, true, requested);
        }

        Running requested(Action action) {
            return new Running(job, paused, cancelling, shown, action);
        }
    }

    /** The last confirmed stage of a print whose start was sent. */
    enum Begin {
        /** The API does not know yet that the print has begun. */
        SENT,
        /** The printer has accepted the start. */
        ACCEPTED,
        /** The printer has shown the print as running. */
        SHOWN
    }

    /**
     * The start was sent, but the printer does not show our file, or shows it only with an end. {@code since} and
     * {@code endSince} are the times, as {@link PrinterEvent.StatusRead} has them, at which the one and the other were
     * first seen. {@code before} is the printer's state right before the start, null if it is uncertain. {@code
     * requested} is a pause or resume to be carried out as soon as the printer shows our print. {@code
     * historyQueriedAt} is the time of the last repeated query of the printer's history. {@code paused}: whether the
     * last report to the API says that this print is paused, null if that is unknown.
     */
    record Unconfirmed(
            Job job,
            Begin begin,
            @Nullable Boolean paused,
            boolean cancelling,
            @Nullable Duration since,
            @Nullable Duration endSince,
            @Nullable NoJob before,
            @Nullable Action requested,
            @Nullable Duration historyQueriedAt)
            implements JobState {
        Unconfirmed(
                Job job,
                Begin begin,
                @Nullable Boolean paused,
                boolean cancelling,
                @Nullable Duration since,
                @Nullable NoJob before) {
            this(job, begin, paused, cancelling, since, null, before, null, null);
        }

        /** Returns the state of a print that had begun, or whose start was accepted, before the agent restarted. */
        static Unconfirmed restored(Job job, Begin begin, boolean cancelling) {
            return new Unconfirmed(job, begin, null, cancelling, null, null);
        }

        boolean started() {
            return begin != Begin.SENT;
        }

        Unconfirmed cancelled() {
            return new Unconfirmed(job, begin, paused, true, since, endSince, before, requested, historyQueriedAt);
        }

        Unconfirmed since(Duration time) {
            return new Unconfirmed(job, begin, paused, cancelling, time, null, before, requested, null);
        }

        /** Returns the start of the wait, with or without an end; null while the agent does not wait. */
        @Nullable
        Duration waitingSince() {
            return endSince == null ? since : endSince;
        }

        /** Returns this state with the wait started at that time. */
        Unconfirmed waitingSince(Duration time) {
            return endSince == null ? since(time) : endSince(time);
        }

        /**
         * Returns this state with the time since which the printer shows an end with our file, null if that is
         * uncertain.
         */
        Unconfirmed endSince(@Nullable Duration time) {
            return new Unconfirmed(job, begin, paused, cancelling, since, time, before, requested, historyQueriedAt);
        }

        Unconfirmed requested(@Nullable Action action) {
            return new Unconfirmed(job, begin, paused, cancelling, since, endSince, before, action, historyQueriedAt);
        }

        Unconfirmed historyQueriedAt(Duration time) {
            return new Unconfirmed(job, begin, paused, cancelling, since, endSince, before, requested, time);
        }
    }
}
