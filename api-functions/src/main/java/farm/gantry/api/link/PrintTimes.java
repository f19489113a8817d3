package farm.gantry.api.link;

import farm.gantry.api.database.Change;
import farm.gantry.job.PrintJob;
import farm.gantry.wire.LinkRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The changes of a job by which its time at the printer is split into heating, pauses and printing. */
final class PrintTimes {
    private PrintTimes() {}

    static Change<PrintJob> started(Instant at) {
        return new Change<PrintJob>()
                .set(PrintJob::printingStartedAt, at)
                .set(PrintJob::heatingSeconds, null)
                .set(PrintJob::pausedSeconds, 0L)
                .set(PrintJob::pausedAt, null);
    }

    static Change<PrintJob> paused(Instant at) {
        return new Change<PrintJob>().set(PrintJob::pausedAt, at);
    }

    /** Returns the change of a job that is paused no longer; the transition clears {@code pausedAt}. */
    static Change<PrintJob> resumed(PrintJob job, Instant at) {
        return new Change<PrintJob>().set(PrintJob::pausedSeconds, pausedSeconds(job, at));
    }

    static Change<PrintJob> ended(PrintJob job, LinkRequest.Event event) {
        return resumed(job, event.at())
                .set(PrintJob::heatingSeconds, event.heatingSeconds())
                .set(PrintJob::actualSeconds, printedSeconds(job, event));
    }

    private static @Nullable Long pausedSeconds(PrintJob job, Instant at) {
        return job.pausedAt() == null
                ? job.pausedSeconds()
                : (Long) (Objects.requireNonNullElse(job.pausedSeconds(), 0L) + seconds(job.pausedAt(), at));
    }

    /** Returns the printing time as the printer counts it, or else the time from start to end without heating and pauses. */
    private static @Nullable Long printedSeconds(PrintJob job, LinkRequest.Event event) {
        Long paused = pausedSeconds(job, event.at());
        if (event.elapsedSeconds() != null
                || event.heatingSeconds() == null
                || paused == null
                || job.printingStartedAt() == null) {
            return event.elapsedSeconds();
        }
        return Math.max(0, seconds(job.printingStartedAt(), event.at()) - event.heatingSeconds() - paused);
    }

    private static long seconds(Instant from, Instant to) {
        return Math.max(0, Duration.between(from, to).toSeconds());
    }
}
