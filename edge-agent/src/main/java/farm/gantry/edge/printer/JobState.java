package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.printer.Transition.Action;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The states of the state machine in {@link Transitions}: which job of the farm a printer has, and how far it is. */
sealed interface JobState {

    /**
     * No job of the farm. {@code lastFile} is the file that the printer last showed (null: never seen), {@code busy} whether it
     * was printing it, {@code printCounter} its counter of prints then, null where it has none.
     */
    record NoJob(
            @Nullable String lastFile,
            boolean busy,
            @Nullable String printCounter) implements JobState {
        static final NoJob UNSEEN = new NoJob(null, false, null);
    }

    /** The file is being downloaded and uploaded; no start was sent. */
    record Preparing(Job job, NoJob before) implements JobState {}

    /** The file is on the printer, which is offline; no start was sent. */
    record Prepared(Job job, NoJob before) implements JobState {}

    /** Start was sent and is not answered yet. */
    record Starting(Job job, NoJob before, boolean cancelling) implements JobState {}

    record Running(Job job, boolean paused, boolean cancelling) implements JobState {}

    /**
     * Start was sent, but the printer does not show our file, or only its end; {@code since} is the agent's uptime at which that
     * was first seen. {@code before} is the printer's state right before the start, null where it is not known for certain.
     * {@code requested} is a pause or resume to be carried out as soon as the printer shows our print.
     */
    record Unconfirmed(
            Job job,
            boolean started,
            boolean cancelling,
            @Nullable Duration since,
            @Nullable NoJob before,
            @Nullable Action requested)
            implements JobState {
        Unconfirmed(Job job, boolean started, boolean cancelling, @Nullable Duration since, @Nullable NoJob before) {
            this(job, started, cancelling, since, before, null);
        }

        Unconfirmed cancelled() {
            return new Unconfirmed(job, started, true, since, before, requested);
        }

        Unconfirmed since(Duration uptime) {
            return new Unconfirmed(job, started, cancelling, uptime, before, requested);
        }

        Unconfirmed requested(Action action) {
            return new Unconfirmed(job, started, cancelling, since, before, action);
        }
    }
}
