package farm.gantry.edge.printer.state;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.state.JobState.NoJob;
import farm.gantry.edge.printer.state.JobState.PauseReport;
import farm.gantry.edge.printer.state.JobState.PendingRequest;
import farm.gantry.printer.PrinterState.Status;

/** The states of a job whose start was sent. The printer may be printing, and the start is never sent again. */
public sealed interface StartedState extends JobState
        permits StartedState.Starting, StartedState.CancellingStart, StartedState.Running, UnconfirmedState {
    Job job();

    /** Returns whether the API knows that the print has begun. */
    default boolean isStartReported() {
        return true;
    }

    /**
     * Returns whether the printer has shown the print as running, so that an end that it shows is the end of this
     * print.
     */
    default boolean isShown() {
        return false;
    }

    /** Returns whether the job is to be cancelled. */
    default boolean isCancelling() {
        return false;
    }

    /** The start was sent and is not answered yet. {@code before} is the printer's state right before. */
    record Starting(Job job, NoJob before) implements StartedState, NextState.AfterUpload, NextState.AfterStarting {
        @Override
        public boolean isStartReported() {
            return false;
        }
    }

    /** The start was sent and is not answered yet; the print is cancelled as soon as it is visible. */
    record CancellingStart(Job job, NoJob before)
            implements StartedState, NextState.AfterStarting, NextState.AfterCancellingStart {
        @Override
        public boolean isStartReported() {
            return false;
        }

        @Override
        public boolean isCancelling() {
            return true;
        }
    }

    /** The start was accepted, and the printer's status does not contradict that. */
    sealed interface Running extends StartedState {}

    /** A running print that is not being cancelled. */
    sealed interface ActivePrint
            extends Running, NextState.AfterStarting, NextState.AfterAccepted, NextState.AfterUnseenPrint {
        ActivePrint withPendingRequest(PendingRequest next);

        /** Returns whether the last report to the API says that this print is paused. */
        default PauseReport pauseReport() {
            return this instanceof Paused ? PauseReport.PAUSED : PauseReport.RUNNING;
        }

        /** Returns the state of a print that the printer shows without an end. */
        static ActivePrint of(Job job, PrinterStatus reading, PendingRequest request) {
            return reading.status().isBusy() ? SeenPrint.of(job, reading, request) : new Accepted(job, request);
        }
    }

    /** The start was accepted; the printer has not shown the print as running. */
    record Accepted(Job job, PendingRequest pendingRequest) implements ActivePrint {
        @Override
        public Accepted withPendingRequest(PendingRequest next) {
            return new Accepted(job, next);
        }
    }

    /** The printer has shown the print as running. */
    sealed interface SeenPrint extends ActivePrint, NextState.AfterSeenPrint, NextState.AfterPrintLost {
        @Override
        SeenPrint withPendingRequest(PendingRequest next);

        @Override
        default boolean isShown() {
            return true;
        }

        /** Returns the state of a print that the printer shows without an end and has shown as running before. */
        static SeenPrint of(Job job, PrinterStatus reading, PendingRequest request) {
            return reading.status() == Status.paused ? new Paused(job, request) : new Printing(job, request);
        }
    }

    /** The printer prints, or prepares to print. */
    record Printing(Job job, PendingRequest pendingRequest) implements SeenPrint {
        @Override
        public Printing withPendingRequest(PendingRequest next) {
            return new Printing(job, next);
        }
    }

    /** The print is paused. */
    record Paused(Job job, PendingRequest pendingRequest) implements SeenPrint {
        @Override
        public Paused withPendingRequest(PendingRequest next) {
            return new Paused(job, next);
        }
    }

    /** A cancel of the print was sent. A cancel ends a pending pause or resume. */
    record Cancelling(ActivePrint print)
            implements Running,
                    NextState.AfterCancellingStart,
                    NextState.AfterAccepted,
                    NextState.AfterSeenPrint,
                    NextState.AfterCancelling,
                    NextState.AfterCancellingUnconfirmed {
        public Cancelling {
            print = print.withPendingRequest(PendingRequest.NONE);
        }

        @Override
        public Job job() {
            return print.job();
        }

        @Override
        public boolean isShown() {
            return print.isShown();
        }

        @Override
        public boolean isCancelling() {
            return true;
        }
    }
}
