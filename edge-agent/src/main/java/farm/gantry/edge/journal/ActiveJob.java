package farm.gantry.edge.journal;

import org.jspecify.annotations.Nullable;

/**
 * A job that has not ended: its progress, whether it must be cancelled, and whether a pause is pending. {@code
 * confirmation} is the wait for its print to be shown by a status, null if the agent does not wait.
 */
public record ActiveJob(
        Job job, JobStep step, boolean cancelling, boolean pausing, JournalEntry.@Nullable Confirmation confirmation) {
    ActiveJob(Job job, JobStep step, boolean cancelling, boolean pausing) {
        this(job, step, cancelling, pausing, null);
    }
}
