package farm.gantry.edge.printer.state;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.refusal.Refusal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The events of the state machine in {@link Transitions}. */
public sealed interface PrinterEvent {

    /** An event about one job. It is ignored in states without that job. */
    sealed interface JobEvent extends PrinterEvent {
        boolean isAbout(Job job);
    }

    /** The outcome of an action. */
    sealed interface Outcome extends JobEvent {
        Job job();

        @Override
        default boolean isAbout(Job other) {
            return other.matches(job().jobId(), job().attempt());
        }
    }

    /** A command of the API about a job. */
    sealed interface JobRequest extends JobEvent {
        String jobId();

        int attempt();

        @Override
        default boolean isAbout(Job job) {
            return job.matches(jobId(), attempt());
        }
    }

    /** A print command arrived. {@code objection} is the reason why the printer cannot start it now, null if it can. */
    record PrintRequested(Job job, @Nullable String objection) implements PrinterEvent {}

    record Downloaded(Job job) implements Outcome {}

    /** The file is on the printer. {@code status} is the printer's latest status, null while it is offline. */
    record Uploaded(Job job, @Nullable PrinterStatus status) implements Outcome {}

    /** The file could not be downloaded, or not be uploaded to the printer. */
    record PreparationFailed(Job job, Refusal.Cause cause, String reason) implements Outcome {}

    record StartAccepted(Job job) implements Outcome {}

    record StartRefused(Job job, Refusal.Cause cause, String reason) implements Outcome {}

    /** The start command was not answered: the printer may or may not be printing. */
    record StartUnanswered(Job job) implements Outcome {}

    /** The printer refused or did not answer a cancel. */
    record CancelFailed(Job job) implements Outcome {}

    record PauseRequested(String jobId, int attempt) implements JobRequest {}

    record ResumeRequested(String jobId, int attempt) implements JobRequest {}

    record CancelRequested(String jobId, int attempt) implements JobRequest {}

    /**
     * A status arrived. {@code receivedAt} is the time by {@link farm.gantry.edge.time.AwakeClock}; {@code
     * unobservedTime} is how long the printer was not observed before it, null without a gap.
     */
    record StatusRead(
            PrinterStatus status,
            boolean afterGap,
            Duration receivedAt,
            @Nullable Duration unobservedTime) implements PrinterEvent {
        /**
         * Returns whether the printer shows the print of this job or its end. A printer at rest that shows the file
         * without an end does not print it: it was restarted, or has only selected the file.
         */
        boolean isShowing(Job job) {
            return status.isShowing(job) && (status.ending() != null || !status.isStartable());
        }
    }

    /** The printer's own history contains how the job ended. */
    record HistoryFound(Job job, PrinterConnection.RecordedEnding recordedEnding) implements Outcome {}
}
