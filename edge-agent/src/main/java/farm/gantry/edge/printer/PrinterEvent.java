package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.refusal.Refusal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The events of the state machine in {@link Transitions}. */
sealed interface PrinterEvent {

    /** A print command arrived; {@code objection} is why the printer cannot start it now, null if it can. */
    record PrintRequested(Job job, @Nullable String objection) implements PrinterEvent {}

    record Downloaded(Job job) implements PrinterEvent {}

    /** The file is on the printer; {@code status} is its latest status, null while it is offline. */
    record Uploaded(Job job, @Nullable PrinterStatus reading) implements PrinterEvent {}

    /** The file could not be downloaded, or not be uploaded to the printer. */
    record PreparationFailed(Job job, Refusal.Cause cause, String reason) implements PrinterEvent {}

    record StartAccepted(Job job) implements PrinterEvent {}

    record StartRefused(Job job, Refusal.Cause cause, String reason) implements PrinterEvent {}

    /** The start command was not answered: the printer may or may not be printing. */
    record StartUnanswered(Job job) implements PrinterEvent {}

    /** The printer refused or did not answer a cancel. */
    record CancelFailed(Job job) implements PrinterEvent {}

    record PauseRequested(String jobId, int attempt) implements PrinterEvent {}

    record ResumeRequested(String jobId, int attempt) implements PrinterEvent {}

    record CancelRequested(String jobId, int attempt) implements PrinterEvent {}

    /**
     * A status arrived. {@code at} is how long the agent could run until then, see {@link farm.gantry.edge.time.Awake};
     * {@code unseen} is how long the printer was not observed before, null without a gap.
     */
    record StatusRead(
            PrinterStatus reading,
            boolean afterGap,
            Duration at,
            @Nullable Duration unseen) implements PrinterEvent {}

    /** The printer's own history says how the job ended. */
    record HistoryFound(Job job, Connection.Remembered end) implements PrinterEvent {}
}
