package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.refusal.Refusal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What happens to a printer: the events of the machine in {@link Moves}. */
sealed interface Signal {

    /** A print was taken; {@code objection} is why the printer cannot start it now. */
    record Asked(Job job, @Nullable String objection) implements Signal {}

    record Downloaded(Job job) implements Signal {}

    /** The file is at the printer, which looks so; null when it is out of sight. */
    record Uploaded(Job job, @Nullable Reading reading) implements Signal {}

    /** The file cannot be had, or not be brought to the printer. */
    record Stuck(Job job, Refusal.Cause cause, String reason) implements Signal {}

    record StartAnswered(Job job) implements Signal {}

    record StartRefused(Job job, Refusal.Cause cause, String reason) implements Signal {}

    /** Nobody knows whether the printer took the start. */
    record StartUnanswered(Job job) implements Signal {}

    /** The printer did not heed it, a while ago. */
    record CancelFailed(Job job) implements Signal {}

    record PauseAsked(String jobId, int attempt) implements Signal {}

    record ResumeAsked(String jobId, int attempt) implements Signal {}

    record CancelAsked(String jobId, int attempt) implements Signal {}

    /**
     * {@code at} is the uptime of the agent then, {@code unseen} how long nobody could say what the printer did before; null
     * where it was seen all the time.
     */
    record Seen(
            Reading reading,
            boolean afterGap,
            Duration at,
            @Nullable Duration unseen) implements Signal {}

    /** The printer's own memory of how the job ended. */
    record Recalled(Job job, Connection.Remembered end) implements Signal {}
}
