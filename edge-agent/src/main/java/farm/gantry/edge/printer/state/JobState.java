package farm.gantry.edge.printer.state;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.printer.connection.PrinterStatus;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The states of the state machine in {@link Transitions}: the farm's job on a printer, and its progress. {@link
 * NextState} lists the states that may follow each one.
 */
public sealed interface JobState
        permits JobState.NoJob, JobState.Preparing, JobState.Prepared, StartedState, NextState {

    /** Returns the requested pause or resume, which is sent as soon as the printer can carry it out. */
    default PendingRequest pendingRequest() {
        return PendingRequest.NONE;
    }

    /** No job of the farm. */
    sealed interface NoJob
            extends JobState,
                    NextState.AfterNoJob,
                    NextState.AfterUpload,
                    NextState.AfterStarting,
                    NextState.AfterCancellingStart {
        /** The state of a printer from which no status was ever received. */
        NoJob UNSEEN = new Idle(null, null);

        /** Returns the file that the printer last showed, null if it was never seen. */
        @Nullable
        String lastFile();

        /** Returns the print counter that the printer reported together with that file; null if it reported none. */
        @Nullable
        String printCounter();

        /** Returns the state for a printer that last showed this file; {@code busy} is whether it was printing it. */
        static NoJob of(String lastFile, boolean busy, @Nullable String printCounter) {
            return busy ? new ForeignPrint(lastFile, printCounter) : new Idle(lastFile, printCounter);
        }
    }

    /** The printer prints nothing, as far as the agent knows. */
    record Idle(@Nullable String lastFile, @Nullable String printCounter)
            implements NoJob,
                    NextState.AfterSeenPrint,
                    NextState.AfterCancelling,
                    NextState.AfterUnseenPrint,
                    NextState.AfterPrintLost,
                    NextState.AfterCancellingUnconfirmed {
        /** Returns the state of a printer at rest. */
        static Idle atRest(PrinterStatus reading) {
            return new Idle(reading.fileName(), reading.printCounter());
        }
    }

    /** The printer prints a file that the farm did not start. */
    record ForeignPrint(String lastFile, @Nullable String printCounter) implements NoJob {}

    /**
     * The file is being downloaded and uploaded; no start was sent. {@code before} is the printer's state without the
     * job.
     */
    record Preparing(Job job, NoJob before) implements JobState, NextState.AfterNoJob, NextState.AfterPreparing {}

    /** The file is on the printer, which is offline; no start was sent. */
    record Prepared(Job job, NoJob before) implements JobState, NextState.AfterPreparing, NextState.AfterPrepared {}

    /** A pause or resume that is not sent yet. */
    enum PendingRequest {
        NONE,
        PAUSE,
        RESUME
    }

    /** Which of running and paused the last report to the API said that a print is. */
    enum PauseReport {
        RUNNING,
        PAUSED,
        /** Unknown, because the agent was restarted after the report. */
        UNKNOWN
    }

    /**
     * A period in which the printer does not show the print: it began at {@code since}, and the printer's history was
     * last queried at {@code historyQueriedAt}. Both are on the clock of {@link PrinterEvent.StatusRead#receivedAt}.
     */
    record Absence(Duration since, Duration historyQueriedAt) {
        /** Returns an absence that begins with a query of the history. */
        public static Absence startingAt(Duration time) {
            return new Absence(time, time);
        }

        Absence withHistoryQueriedAt(Duration time) {
            return new Absence(since, time);
        }
    }
}
