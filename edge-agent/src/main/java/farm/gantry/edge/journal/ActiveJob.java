package farm.gantry.edge.journal;

import org.jspecify.annotations.Nullable;

/**
 * A job that has not ended: its progress, whether it is to be cancelled, and whether a pause of it is pending. {@code
 * confirmation} is the wait for a print that no status has shown, null without one.
 */
public record ActiveJob(
        Job job, JobStep step, boolean cancelling, boolean pausing, JournalEntry.@Nullable Confirmation confirmation) {
    ActiveJob(Job job, JobStep step, boolean cancelling, boolean pausing) {
        this(job, step, cancelling, pausing, null);
    }
}
