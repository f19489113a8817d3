package farm.gantry.edge.printer.state;

import farm.gantry.edge.journal.Job;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The start was sent, but the printer does not show our file, or shows it only with an end. */
public sealed interface UnconfirmedState extends StartedState {
    /**
     * Returns since when the agent has been waiting for the print to be shown, or for its end to be confirmed; null
     * while it does not wait.
     */
    @Nullable
    Duration waitingSince();

    /** Returns this state with a wait that started at this time. */
    UnconfirmedState withWaitingSince(Duration time);

    /** Returns whether the printer shows the end of a print of our file. */
    default boolean isEndShown() {
        return false;
    }

    /** An unconfirmed print that is not being cancelled. */
    sealed interface UnconfirmedPrint extends UnconfirmedState {
        /** Returns whether the last report to the API says that this print is paused. */
        PauseReport pauseReport();

        UnconfirmedPrint withPendingRequest(PendingRequest next);

        @Override
        UnconfirmedPrint withWaitingSince(Duration time);
    }

    /** An unconfirmed print that the printer has never shown as running. */
    sealed interface UnseenPrint extends UnconfirmedPrint, NextState.AfterUnseenPrint {
        @Override
        UnseenPrint withPendingRequest(PendingRequest next);

        @Override
        UnseenPrint withWaitingSince(Duration time);
    }

    /** A print that the printer does not show. {@code absence} is null before the first status. */
    sealed interface AbsentPrint extends UnseenPrint {
        @Nullable
        Absence absence();

        AbsentPrint withAbsence(Absence next);

        @Override
        AbsentPrint withPendingRequest(PendingRequest next);

        @Override
        default @Nullable Duration waitingSince() {
            return absentSince(absence());
        }

        @Override
        default AbsentPrint withWaitingSince(Duration time) {
            return withAbsence(Absence.startingAt(time));
        }
    }

    private static @Nullable Duration absentSince(@Nullable Absence absence) {
        return absence == null ? null : absence.since();
    }

    /**
     * The start was not answered. {@code before} is the printer's state right before the start, null if it is
     * uncertain.
     */
    record StartUnconfirmed(
            Job job,
            @Nullable NoJob before,
            PendingRequest pendingRequest,
            @Nullable Absence absence) implements AbsentPrint, NextState.AfterStarting {
        @Override
        public boolean isStartReported() {
            return false;
        }

        @Override
        public PauseReport pauseReport() {
            return PauseReport.RUNNING;
        }

        @Override
        public StartUnconfirmed withAbsence(Absence next) {
            return new StartUnconfirmed(job, before, pendingRequest, next);
        }

        @Override
        public StartUnconfirmed withPendingRequest(PendingRequest next) {
            return new StartUnconfirmed(job, before, next, absence);
        }
    }

    /** The start was accepted, but the printer does not show the print. */
    record BeginUnconfirmed(
            Job job,
            PauseReport pauseReport,
            PendingRequest pendingRequest,
            @Nullable Absence absence) implements AbsentPrint, NextState.AfterAccepted {
        @Override
        public BeginUnconfirmed withAbsence(Absence next) {
            return new BeginUnconfirmed(job, pauseReport, pendingRequest, next);
        }

        @Override
        public BeginUnconfirmed withPendingRequest(PendingRequest next) {
            return new BeginUnconfirmed(job, pauseReport, next, absence);
        }
    }

    /**
     * The printer shows our file with an end, which may be the end of the last print. {@code since} is when it began to
     * do so.
     */
    record EndUnconfirmed(AbsentPrint print, Duration since) implements UnseenPrint, NextState.AfterAccepted {
        @Override
        public Job job() {
            return print.job();
        }

        @Override
        public boolean isStartReported() {
            return print.isStartReported();
        }

        @Override
        public PauseReport pauseReport() {
            return print.pauseReport();
        }

        @Override
        public PendingRequest pendingRequest() {
            return print.pendingRequest();
        }

        @Override
        public EndUnconfirmed withPendingRequest(PendingRequest next) {
            return new EndUnconfirmed(print.withPendingRequest(next), since);
        }

        @Override
        public Duration waitingSince() {
            return since;
        }

        @Override
        public EndUnconfirmed withWaitingSince(Duration time) {
            return new EndUnconfirmed(print, time);
        }

        @Override
        public boolean isEndShown() {
            return true;
        }
    }

    /**
     * The printer has shown the print as running and no longer shows it. {@code absence} is null before the first
     * status.
     */
    record PrintLost(
            Job job,
            PauseReport pauseReport,
            PendingRequest pendingRequest,
            @Nullable Absence absence) implements UnconfirmedPrint, NextState.AfterSeenPrint, NextState.AfterPrintLost {
        @Override
        public boolean isShown() {
            return true;
        }

        PrintLost withAbsence(Absence next) {
            return new PrintLost(job, pauseReport, pendingRequest, next);
        }

        @Override
        public PrintLost withPendingRequest(PendingRequest next) {
            return new PrintLost(job, pauseReport, next, absence);
        }

        @Override
        public @Nullable Duration waitingSince() {
            return absentSince(absence);
        }

        @Override
        public PrintLost withWaitingSince(Duration time) {
            return withAbsence(Absence.startingAt(time));
        }
    }

    /** The printer does not show the print, which is cancelled as soon as it is visible. A cancel ends a pending pause or resume. */
    record CancellingUnconfirmed(UnconfirmedPrint print)
            implements UnconfirmedState,
                    NextState.AfterCancellingStart,
                    NextState.AfterCancelling,
                    NextState.AfterUnseenPrint,
                    NextState.AfterPrintLost,
                    NextState.AfterCancellingUnconfirmed {
        public CancellingUnconfirmed {
            print = print.withPendingRequest(PendingRequest.NONE);
        }

        @Override
        public Job job() {
            return print.job();
        }

        @Override
        public boolean isStartReported() {
            return print.isStartReported();
        }

        @Override
        public boolean isShown() {
            return print.isShown();
        }

        @Override
        public boolean isCancelling() {
            return true;
        }

        @Override
        public @Nullable Duration waitingSince() {
            return print.waitingSince();
        }

        @Override
        public CancellingUnconfirmed withWaitingSince(Duration time) {
            return new CancellingUnconfirmed(print.withWaitingSince(time));
        }

        @Override
        public boolean isEndShown() {
            return print.isEndShown();
        }
    }
}
