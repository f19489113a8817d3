package farm.gantry.promise;

import farm.gantry.schedule.Candidate;
import farm.gantry.schedule.JobMatcher;
import farm.gantry.schedule.Requirement;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of a farm at a moment, from which promises are computed. {@code queue} is in the order in which jobs get printers; it may
 * contain the printers' current jobs, which return to their places there if their prints fail;
 * {@code groups} are the enabled throttle groups, by id.
 */
public record FarmState(
        Instant now,
        ZoneId zone,
        JobMatcher matching,
        List<PlannedPrinter> printers,
        List<QueuedJob> queue,
        Map<String, StartLimit> groups,
        WorkPattern work,
        EstimateErrors deviations) {

    /** A printer, and what it has to do first; {@code isBedClear} is that a job may start on it once it is free. */
    public record PlannedPrinter(
            Candidate candidate, @Nullable CurrentJob current, boolean isBedClear) {}

    /**
     * What a printer has to do: a job, or a print of somebody else, which has no id. {@code estimatedSeconds} are of the whole
     * print, 0 where nobody estimated it; {@code reportedSeconds} is what the printer itself says is left, null where it does not.
     */
    public record CurrentJob(
            @Nullable String jobId,
            double estimatedSeconds,
            double elapsedSeconds,
            @Nullable Double reportedSeconds,
            @Nullable String profile) {}

    /**
     * A job that waits; {@code retries} is how often the farm prints it again by itself after a failure, {@code profile} what it
     * is sliced with. {@code isReplaced} is that its piece is needed, as for an order, so that people queue it again once the
     * farm does not.
     */
    public record QueuedJob(
            String id,
            Requirement requirement,
            double seconds,
            @Nullable String profile,
            int priority,
            int retries,
            boolean isReplaced) {

        /** The job as it stands among all printers of the farm. */
        public QueuedJob avoidingFailedPrinters(Collection<Candidate> printers, JobMatcher matching) {
            return requirement.failedOn().isEmpty()
                    ? this
                    : new QueuedJob(
                            id, matching.avoidFailedPrinters(printers, requirement), seconds, profile, priority, retries, isReplaced);
        }
    }

    /** A throttle group's limit: the number of concurrent starts, and the seconds for which a start counts. */
    public record StartLimit(int starts, long seconds) {}

    public FarmState withQueue(List<QueuedJob> jobs) {
        return new FarmState(now, zone, matching, printers, jobs, groups, work, deviations);
    }

    public FarmState withPrinters(List<PlannedPrinter> planned) {
        return new FarmState(now, zone, matching, planned, queue, groups, work, deviations);
    }

    public FarmState withWork(WorkPattern pattern) {
        return new FarmState(now, zone, matching, printers, queue, groups, pattern, deviations);
    }
}
