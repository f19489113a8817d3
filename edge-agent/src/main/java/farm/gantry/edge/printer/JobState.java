package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.printer.Transition.Action;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The states of the state machine in {@link Transitions}: which job of the farm a printer has, and how far it is. */
sealed interface JobState {

    /** A pause or resume to be carried out as soon as the printer is so far, null without one. */
    default @Nullable Action requested() {
        return null;
    }

    /**
     * No job of the farm. {@code lastFile} is the file that the printer last showed (null: never seen), {@code busy} whether it
     * was printing it, {@code printCounter} its counter of prints then, null where it has none.
     */
    record NoJob(
            @Nullable String lastFile,
            boolean busy,
            @Nullable String printCounter) implements JobState {
        static final NoJob UNSEEN = new NoJob(null, false, null);

        /** At a printer that is at rest. */
        static NoJob after(Reading reading) {
            return new NoJob(reading.fileName(), false, reading.printCounter());
        }
    }

    /** The file is being downloaded and uploaded; no start was sent. */
    record Preparing(Job job, NoJob before) implements JobState {}

    /** The file is on the printer, which is offline; no start was sent. */
    record Prepared(Job job, NoJob before) implements JobState {}

    /** Start was sent and is not answered yet. {@code before} is the printer's state right before. */
    record Starting(Job job, NoJob before, boolean cancelling) implements JobState {}

    /**
     * The start was accepted. {@code shown}: the printer has shown the print as going on, so that an end which it shows is the end
     * of this print. {@code requested} is a pause or resume to be carried out as soon as the printer is so far.
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

    /** What is known of a print whose start was sent. */
    enum Begin {
        /** The API was not told that it has begun. */
        SENT,
        /** The printer has accepted the start. */
        ACCEPTED,
        /** The printer has shown the print as going on. */
        SHOWN
    }

    /**
     * Start was sent, but the printer does not show our file, or only an end with it; {@code since} and {@code endSince} are
     * the times, as {@link PrinterEvent.StatusRead} has them, at which the one and the other were first seen. {@code before}
     * is the printer's state right before the start, null where it is not known for certain. {@code requested} is a pause or
     * resume to be carried out as soon as the printer shows our print. {@code asked} is the time at which the printer's history
     * was last asked for again. {@code paused}: whether a pause is the last of this print that the API was told of, null where
     * that is not known.
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
            @Nullable Duration asked)
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

        /** Of a print that had begun, or whose start was accepted, in a former life of the agent. */
        static Unconfirmed restored(Job job, Begin begin, boolean cancelling) {
            return new Unconfirmed(job, begin, null, cancelling, null, null);
        }

        boolean started() {
            return begin != Begin.SENT;
        }

        Unconfirmed cancelled() {
            return new Unconfirmed(job, begin, paused, true, since, endSince, before, requested, asked);
        }

        Unconfirmed since(Duration time) {
            return new Unconfirmed(job, begin, paused, cancelling, time, null, before, requested, null);
        }

        /** The time since which the agent waits, with an end or without; null while it does not. */
        @Nullable
        Duration waitingSince() {
            return endSince == null ? since : endSince;
        }

        /** This state, with its wait begun at that time. */
        Unconfirmed waitingSince(Duration time) {
            return endSince == null ? since(time) : endSince(time);
        }

        /** The printer shows an end with our file, since then or not for certain. */
        Unconfirmed endSince(@Nullable Duration time) {
            return new Unconfirmed(job, begin, paused, cancelling, since, time, before, requested, asked);
        }

        Unconfirmed requested(@Nullable Action action) {
            return new Unconfirmed(job, begin, paused, cancelling, since, endSince, before, action, asked);
        }

        Unconfirmed asked(Duration time) {
            return new Unconfirmed(job, begin, paused, cancelling, since, endSince, before, requested, time);
        }
    }
}
