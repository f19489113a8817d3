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
 * The state of a farm at a time, from which finish times are estimated. {@code queue} is in the order in which jobs get printers. It may
 * contain the printers' current jobs, which return to their positions if their prints fail. {@code groups} are the enabled throttle groups
 * by id.
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

    /** A printer and its current job; {@code isBedClear} is true if a job may start as soon as the printer is free. */
    public record PlannedPrinter(
            Candidate candidate, @Nullable CurrentJob current, boolean isBedClear) {}

    /**
     * The current print of a printer; {@code jobId} is null if the farm did not start it. {@code estimatedSeconds} are for the whole print,
     * 0 if there is no estimate. {@code reportedSeconds} is the remaining time that the printer reports, null if it does not.
     */
    public record CurrentJob(
            @Nullable String jobId,
            double estimatedSeconds,
            double elapsedSeconds,
            @Nullable Double reportedSeconds,
            @Nullable String profile) {}

    /**
     * A waiting job. {@code retries} is how often the farm automatically prints it again after a failure, {@code profile} the process
     * profile that it is sliced with. {@code isReplaced} is true if its piece is needed, as for an order, so that people queue it again
     * after the last automatic retry.
     */
    public record QueuedJob(
            String id,
            Requirement requirement,
            double seconds,
            @Nullable String profile,
            int priority,
            int retries,
            boolean isReplaced) {

        /** Returns the job with the printers that it should avoid because it failed on them. */
        public QueuedJob avoidingFailedPrinters(Collection<Candidate> printers, JobMatcher matching) {
            return requirement.failedOn().isEmpty()
                    ? this
                    : new QueuedJob(
                            id,
                            matching.avoidFailedPrinters(printers, requirement),
                            seconds,
                            profile,
                            priority,
                            retries,
                            isReplaced);
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
