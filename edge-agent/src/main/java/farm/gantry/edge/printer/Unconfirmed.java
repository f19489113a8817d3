package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Job;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The start was sent, but the printer does not show our file, or shows it only with an end. */
sealed interface Unconfirmed extends StartedState {
    /** Returns the start of the wait, with or without an end; null while the agent does not wait. */
    @Nullable
    Duration waitingSince();

    /** Returns this state with the wait started at that time. */
    Unconfirmed waitingSince(Duration time);

    /** Returns whether the printer shows our file with an end. */
    default boolean isEndShown() {
        return false;
    }

    /** An unconfirmed print that is not being cancelled. */
    sealed interface UnconfirmedPrint extends Unconfirmed {
        /** Returns whether the last report to the API says that this print is paused. */
        PauseReport pauseReport();

        UnconfirmedPrint request(PendingRequest next);

        @Override
        UnconfirmedPrint waitingSince(Duration time);
    }

    /** An unconfirmed print that the printer has never shown as running. */
    sealed interface UnseenPrint extends UnconfirmedPrint, NextState.AfterUnseenPrint {
        @Override
        UnseenPrint request(PendingRequest next);

        @Override
        UnseenPrint waitingSince(Duration time);
    }

    /** A print that the printer does not show. {@code absence} is null before the first status. */
    sealed interface AbsentPrint extends UnseenPrint {
        @Nullable
        Absence absence();

        AbsentPrint absent(Absence next);

        @Override
        AbsentPrint request(PendingRequest next);

        @Override
        default @Nullable Duration waitingSince() {
            return since(absence());
        }

        @Override
        default AbsentPrint waitingSince(Duration time) {
            return absent(Absence.at(time));
        }
    }

    private static @Nullable Duration since(@Nullable Absence absence) {
        return absence == null ? null : absence.since();
    }

    /**
     * The start was not answered. {@code before} is the printer's state right before the start, null if it is
     * uncertain.
     */
    record StartUnconfirmed(
            Job job,
            @Nullable NoJob before,
            PendingRequest request,
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
        public StartUnconfirmed absent(Absence next) {
            return new StartUnconfirmed(job, before, request, next);
        }

        @Override
        public StartUnconfirmed request(PendingRequest next) {
            return new StartUnconfirmed(job, before, next, absence);
        }
    }

    /** The start was accepted, but the printer does not show the print. */
    record BeginUnconfirmed(
            Job job,
            PauseReport pauseReport,
            PendingRequest request,
            @Nullable Absence absence) implements AbsentPrint, NextState.AfterAccepted {
        @Override
        public BeginUnconfirmed absent(Absence next) {
            return new BeginUnconfirmed(job, pauseReport, request, next);
        }

        @Override
        public BeginUnconfirmed request(PendingRequest next) {
            return new BeginUnconfirmed(job, pauseReport, next, absence);
        }
    }

    /**
     * The printer shows our file with an end, which may be the end of the last print. It has done so since {@code
     * since}.
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
        public PendingRequest request() {
            return print.request();
        }

        @Override
        public EndUnconfirmed request(PendingRequest next) {
            return new EndUnconfirmed(print.request(next), since);
        }

        @Override
        public Duration waitingSince() {
            return since;
        }

        @Override
        public EndUnconfirmed waitingSince(Duration time) {
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
            PendingRequest request,
            @Nullable Absence absence) implements UnconfirmedPrint, NextState.AfterSeenPrint, NextState.AfterPrintLost {
        @Override
        public boolean isShown() {
            return true;
        }

        PrintLost absent(Absence next) {
            return new PrintLost(job, pauseReport, request, next);
        }

        @Override
        public PrintLost request(PendingRequest next) {
            return new PrintLost(job, pauseReport, next, absence);
        }

        @Override
        public @Nullable Duration waitingSince() {
            return since(absence);
        }

        @Override
        public PrintLost waitingSince(Duration time) {
            return absent(Absence.at(time));
        }
    }

    /** The printer does not show the print, which is cancelled as soon as it is visible. A cancel ends a pending pause or resume. */
    record CancellingUnconfirmed(UnconfirmedPrint print)
            implements Unconfirmed,
                    NextState.AfterCancellingStart,
                    NextState.AfterCancelling,
                    NextState.AfterUnseenPrint,
                    NextState.AfterPrintLost,
                    NextState.AfterCancellingUnconfirmed {
        public CancellingUnconfirmed {
            print = print.request(PendingRequest.NONE);
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
        public CancellingUnconfirmed waitingSince(Duration time) {
            return new CancellingUnconfirmed(print.waitingSince(time));
        }

        @Override
        public boolean isEndShown() {
            return print.isEndShown();
        }
    }
}
