package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.printer.Move.Deed;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the farm has to do with a printer: the states of the machine in {@link Moves}. */
sealed interface Situation {

    /**
     * No job of ours; {@code lastFile} is what was last seen on it (null: never seen), {@code busy} printing it, and
     * {@code printCounter} what it counted its prints by then, if it does.
     */
    record Vacant(
            @Nullable String lastFile,
            boolean busy,
            @Nullable String printCounter) implements Situation {
        static final Vacant UNSEEN = new Vacant(null, false, null);
    }

    /** The file is on its way to the printer; nothing has been started. */
    record Fetching(Job job, Vacant before) implements Situation {}

    /** The file is at the printer, which is out of sight; nothing has been started. */
    record Ready(Job job, Vacant before) implements Situation {}

    /** Start was sent, its answer is out. */
    record Starting(Job job, Vacant before, boolean cancelling) implements Situation {}

    record Running(Job job, boolean paused, boolean cancelling) implements Situation {}

    /**
     * Start was sent some time; in plain sight since that uptime, the printer does not show our file, or only its end.
     * {@code before} is how the printer was right before the start, null where that is not known for certain. {@code asked}
     * is a pause or its end that waits until the printer shows our print.
     */
    record Unsure(
            Job job,
            boolean started,
            boolean cancelling,
            @Nullable Duration since,
            @Nullable Vacant before,
            @Nullable Deed asked)
            implements Situation {
        Unsure(Job job, boolean started, boolean cancelling, @Nullable Duration since, @Nullable Vacant before) {
            this(job, started, cancelling, since, before, null);
        }

        Unsure cancelled() {
            return new Unsure(job, started, true, since, before, asked);
        }

        Unsure since(Duration uptime) {
            return new Unsure(job, started, cancelling, uptime, before, asked);
        }

        Unsure asked(Deed deed) {
            return new Unsure(job, started, cancelling, since, before, deed);
        }
    }
}
