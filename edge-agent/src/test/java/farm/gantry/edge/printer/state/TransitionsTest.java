package farm.gantry.edge.printer.state;

import static farm.gantry.wire.LinkRequest.Kind.jobCancelled;
import static farm.gantry.wire.LinkRequest.Kind.jobCompleted;
import static farm.gantry.wire.LinkRequest.Kind.jobFailed;
import static farm.gantry.wire.LinkRequest.Kind.jobNotBegun;
import static farm.gantry.wire.LinkRequest.Kind.jobPaused;
import static farm.gantry.wire.LinkRequest.Kind.jobRefused;
import static farm.gantry.wire.LinkRequest.Kind.jobResumed;
import static farm.gantry.wire.LinkRequest.Kind.jobStarted;
import static farm.gantry.wire.LinkRequest.Kind.printerChanged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.JobStep;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.edge.printer.connection.Provider.Ability;
import farm.gantry.edge.printer.state.JobState.Absence;
import farm.gantry.edge.printer.state.JobState.ForeignPrint;
import farm.gantry.edge.printer.state.JobState.Idle;
import farm.gantry.edge.printer.state.JobState.NoJob;
import farm.gantry.edge.printer.state.JobState.PauseReport;
import farm.gantry.edge.printer.state.JobState.PendingRequest;
import farm.gantry.edge.printer.state.JobState.Prepared;
import farm.gantry.edge.printer.state.JobState.Preparing;
import farm.gantry.edge.printer.state.StartedState.Accepted;
import farm.gantry.edge.printer.state.StartedState.Cancelling;
import farm.gantry.edge.printer.state.StartedState.CancellingStart;
import farm.gantry.edge.printer.state.StartedState.Paused;
import farm.gantry.edge.printer.state.StartedState.Printing;
import farm.gantry.edge.printer.state.StartedState.Starting;
import farm.gantry.edge.printer.state.Transition.Action;
import farm.gantry.edge.printer.state.Transition.Report;
import farm.gantry.edge.printer.state.UnconfirmedState.AbsentPrint;
import farm.gantry.edge.printer.state.UnconfirmedState.BeginUnconfirmed;
import farm.gantry.edge.printer.state.UnconfirmedState.CancellingUnconfirmed;
import farm.gantry.edge.printer.state.UnconfirmedState.EndUnconfirmed;
import farm.gantry.edge.printer.state.UnconfirmedState.PrintLost;
import farm.gantry.edge.printer.state.UnconfirmedState.StartUnconfirmed;
import farm.gantry.edge.printer.state.UnconfirmedState.UnconfirmedPrint;
import farm.gantry.edge.refusal.Refusal.Cause;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkRequest.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks the printer's state machine by a table: state, event, next state, reports and actions. */
class TransitionsTest {
    private static final Duration T = Duration.ofHours(1);
    private static final Duration BEFORE = T.minusSeconds(31);
    private static final Job JOB = job("j1");
    private static final Job OTHER = job("j2");
    private static final Job PARTLY = job("j1", List.of("lid"));
    private static final Printing RUNS_PARTLY = new Printing(PARTLY, PendingRequest.NONE);
    private static final NoJob EMPTY = new Idle("", null);
    private static final NoJob DONE = new Idle(JOB.fileName(), null);
    private static final Starting STARTING = new Starting(JOB, EMPTY);
    private static final CancellingStart CANCELLING_START = new CancellingStart(JOB, EMPTY);
    private static final Printing RUNS = new Printing(JOB, PendingRequest.NONE);
    private static final Printing TO_PAUSE = RUNS.withPendingRequest(PendingRequest.PAUSE);
    private static final Paused PAUSED = new Paused(JOB, PendingRequest.NONE);
    private static final Accepted ACCEPTED = new Accepted(JOB, PendingRequest.NONE);
    private static final BeginUnconfirmed RESTORED =
            new BeginUnconfirmed(JOB, PauseReport.UNKNOWN, PendingRequest.NONE, null);
    private static final Cancelling CANCELLING = new Cancelling(RUNS);
    private static final PrinterStatus IDLE = reading(Status.idle, null, "");
    private static final PrinterStatus USED = reading(Status.finished, Ending.COMPLETED, "foreign.gcode");
    private static final NoJob AFTER_USED = new Idle("foreign.gcode", null);
    private static final NoJob FOREIGN = new ForeignPrint("foreign.gcode", null);
    private static final NoJob COUNTED = new Idle("", "7");
    private static final NoJob AFTER_EIGHT = new Idle("", "8");
    private static final Duration SHORT = Duration.ofMinutes(1);
    private static final Duration LONG_GAP = Duration.ofMinutes(3);
    private static final PrinterStatus HOMING = reading(Status.preparing, null, "");
    private static final PrinterStatus FAULTY = reading(Status.error, null, "");
    private static final PrinterStatus BUSY = reading(Status.printing, null, "foreign.gcode");

    private final Transitions transitions = new Transitions(Duration.ofSeconds(30), Duration.ofSeconds(30), Set.of());

    static Stream<Arguments> table() {
        return Stream.of(
                row(
                        EMPTY,
                        new PrinterEvent.PrintRequested(JOB, null),
                        new Preparing(JOB, EMPTY),
                        List.of(),
                        new Action.Download(JOB)),
                row(EMPTY, new PrinterEvent.PrintRequested(JOB, "it is busy"), EMPTY, List.of(jobRefused)),
                row(CANCELLING, new PrinterEvent.CancelFailed(JOB), CANCELLING, List.of(), new Action.Cancel(JOB)),
                row(RUNS, new PrinterEvent.CancelFailed(JOB), RUNS, List.of()),
                row(DONE, new PrinterEvent.CancelFailed(JOB), DONE, List.of()),
                row(RUNS, new PrinterEvent.PrintRequested(OTHER, null), RUNS, List.of(jobRefused)),
                row(preparing(), new PrinterEvent.Downloaded(JOB), preparing(), List.of(), new Action.Upload(JOB)),
                row(preparing(), new PrinterEvent.Uploaded(JOB, IDLE), STARTING, List.of(), new Action.Start(STARTING)),
                row(preparing(), new PrinterEvent.Uploaded(JOB, BUSY), EMPTY, List.of(jobRefused)),
                row(preparing(), new PrinterEvent.Uploaded(JOB, null), new Prepared(JOB, EMPTY), List.of()),
                row(preparing(), new PrinterEvent.Uploaded(OTHER, IDLE), preparing(), List.of()),
                row(
                        preparing(),
                        new PrinterEvent.PreparationFailed(JOB, Cause.PRINTER, "no file"),
                        EMPTY,
                        List.of(jobRefused)),
                row(
                        preparing(),
                        new PrinterEvent.PreparationFailed(JOB, Cause.ANSWER, "full"),
                        EMPTY,
                        List.of(jobRefused)),
                row(
                        preparing(),
                        new PrinterEvent.PreparationFailed(JOB, Cause.JOB, "no such entry"),
                        EMPTY,
                        List.of(jobFailed)),
                row(preparing(), seen(IDLE.withPrintCounter("7")), new Preparing(JOB, COUNTED), List.of()),
                row(
                        new Preparing(JOB, COUNTED),
                        unseen(IDLE.withPrintCounter("8"), SHORT),
                        AFTER_EIGHT,
                        List.of(printerChanged, jobRefused)),
                row(
                        new Prepared(JOB, COUNTED),
                        unseen(IDLE.withPrintCounter("8"), SHORT),
                        AFTER_EIGHT,
                        List.of(printerChanged, jobRefused)),
                row(preparing(), seen(IDLE), preparing(), List.of()),
                row(preparing(), seen(BUSY), FOREIGN, List.of(printerChanged, jobRefused)),
                row(preparing(), seen(USED), AFTER_USED, List.of(printerChanged, jobRefused)),
                row(preparing(), cancel(JOB), EMPTY, List.of(jobCancelled)),
                row(preparing(), cancel(OTHER), preparing(), List.of(jobCancelled)),
                row(new Prepared(JOB, EMPTY), seen(IDLE), new Prepared(JOB, EMPTY), List.of()),
                row(
                        new Prepared(JOB, EMPTY),
                        new PrinterEvent.Uploaded(JOB, IDLE),
                        STARTING,
                        List.of(),
                        new Action.Start(STARTING)),
                row(
                        new Prepared(JOB, EMPTY),
                        new PrinterEvent.Uploaded(OTHER, IDLE),
                        new Prepared(JOB, EMPTY),
                        List.of()),
                row(new Prepared(JOB, EMPTY), new PrinterEvent.Uploaded(JOB, FAULTY), EMPTY, List.of(jobRefused)),
                row(new Prepared(JOB, EMPTY), seen(BUSY), FOREIGN, List.of(printerChanged, jobRefused)),
                row(new Prepared(JOB, EMPTY), seen(USED), AFTER_USED, List.of(printerChanged, jobRefused)),
                row(preparing(), new PrinterEvent.Uploaded(JOB, USED), AFTER_USED, List.of(printerChanged, jobRefused)),
                row(STARTING, new PrinterEvent.StartAccepted(JOB), ACCEPTED, List.of(jobStarted)),
                row(ACCEPTED, ours(Status.printing, null), RUNS, List.of()),
                row(ACCEPTED, ours(Status.idle, null), unconfirmed(true, T), List.of(), new Action.QueryHistory(JOB)),
                row(unconfirmed(true, T), ours(Status.printing, null), RUNS, List.of()),
                row(RUNS, ours(Status.idle, null), shown(T), List.of(), new Action.QueryHistory(JOB)),
                row(shown(BEFORE), ours(Status.idle, null), DONE, List.of(jobFailed)),
                row(cancelled(shown(BEFORE)), ours(Status.idle, null), DONE, List.of(jobCancelled)),
                row(STARTING, ours(Status.idle, null), STARTING, List.of()),
                row(unconfirmed(false, BEFORE, EMPTY), ours(Status.idle, null), DONE, List.of(jobFailed)),
                row(
                        ACCEPTED,
                        ours(Status.finished, Ending.COMPLETED),
                        ended(true, T),
                        List.of(),
                        new Action.QueryHistory(JOB)),
                row(
                        new Cancelling(ACCEPTED),
                        ours(Status.failed, Ending.FAILED),
                        cancelled(ended(true, T)),
                        List.of(),
                        new Action.QueryHistory(JOB)),
                row(ended(true, T), ours(Status.printing, null), RUNS, List.of()),
                row(ended(true, BEFORE), ours(Status.failed, Ending.FAILED), DONE, List.of(jobFailed)),
                row(ended(true, BEFORE), ours(Status.preparing, Ending.COMPLETED), ended(true, T), List.of()),
                row(ended(true, BEFORE), seen(IDLE), unconfirmed(true, T), List.of(), new Action.QueryHistory(JOB)),
                row(
                        unconfirmed(true, BEFORE),
                        ours(Status.finished, Ending.COMPLETED),
                        new EndUnconfirmed(unconfirmed(true, BEFORE), T),
                        List.of(),
                        new Action.QueryHistory(JOB)),
                row(STARTING, ours(Status.preparing, null), RUNS, List.of(jobStarted)),
                row(STARTING, ours(Status.paused, null), PAUSED, List.of(jobStarted, jobPaused)),
                row(unconfirmed(true, BEFORE), ours(Status.paused, null), PAUSED, List.of(jobPaused)),
                row(STARTING, ours(Status.finished, Ending.COMPLETED), STARTING, List.of()),
                row(STARTING, seen(IDLE), STARTING, List.of()),
                row(STARTING, new PrinterEvent.StartRefused(JOB, Cause.ANSWER, "no"), EMPTY, List.of(jobNotBegun)),
                row(STARTING, new PrinterEvent.StartRefused(JOB, Cause.PRINTER, "offline"), EMPTY, List.of(jobRefused)),
                row(STARTING, new PrinterEvent.StartRefused(JOB, Cause.JOB, "no T1"), EMPTY, List.of(jobFailed)),
                row(
                        STARTING,
                        new PrinterEvent.StartUnanswered(JOB),
                        unconfirmed(false, null, EMPTY),
                        List.of(),
                        new Action.QueryHistory(JOB)),
                row(STARTING, cancel(JOB), CANCELLING_START, List.of()),
                row(
                        CANCELLING_START,
                        new PrinterEvent.StartAccepted(JOB),
                        new Cancelling(ACCEPTED),
                        List.of(jobStarted),
                        new Action.Cancel(JOB)),
                row(
                        CANCELLING_START,
                        new PrinterEvent.StartRefused(JOB, Cause.ANSWER, "no"),
                        EMPTY,
                        List.of(jobCancelled)),
                row(RUNS, new PrinterEvent.StartRefused(JOB, Cause.ANSWER, "late"), RUNS, List.of()),
                row(RUNS, ours(Status.printing, null), RUNS, List.of()),
                row(RUNS, ours(Status.paused, null), PAUSED, List.of(jobPaused)),
                row(PAUSED, ours(Status.printing, null), RUNS, List.of(jobResumed)),
                row(RUNS, ours(Status.finished, Ending.COMPLETED), DONE, List.of(jobCompleted)),
                row(RUNS, ours(Status.cancelled, Ending.CANCELLED), DONE, List.of(jobCancelled)),
                row(RUNS, ours(Status.failed, Ending.FAILED), DONE, List.of(jobFailed)),
                row(RUNS, seen(IDLE), shown(T), List.of(), new Action.QueryHistory(JOB)),
                row(RUNS, seen(reading(Status.unknown, null, "")), RUNS, List.of()),
                row(
                        CANCELLING,
                        seen(reading(Status.unknown, null, "")),
                        cancelled(shown(T)),
                        List.of(),
                        new Action.QueryHistory(JOB)),
                row(ACCEPTED, seen(IDLE), unconfirmed(true, T), List.of(), new Action.QueryHistory(JOB)),
                row(RUNS, cancel(JOB), CANCELLING, List.of(), new Action.Cancel(JOB)),
                row(RUNS, new PrinterEvent.PauseRequested("j1", 1), TO_PAUSE, List.of()),
                row(TO_PAUSE, ours(Status.preparing, null), TO_PAUSE, List.of()),
                row(TO_PAUSE, ours(Status.printing, null), RUNS, List.of(), new Action.Pause(JOB)),
                row(TO_PAUSE, ours(Status.paused, null), PAUSED, List.of(jobPaused)),
                row(TO_PAUSE, cancel(JOB), CANCELLING, List.of(), new Action.Cancel(JOB)),
                row(
                        TO_PAUSE,
                        seen(IDLE),
                        shown(T).withPendingRequest(PendingRequest.PAUSE),
                        List.of(),
                        new Action.QueryHistory(JOB)),
                row(
                        unconfirmed(true, T).withPendingRequest(PendingRequest.PAUSE),
                        ours(Status.preparing, null),
                        TO_PAUSE,
                        List.of()),
                row(
                        RUNS.withPendingRequest(PendingRequest.RESUME),
                        ours(Status.paused, null),
                        PAUSED,
                        List.of(jobPaused),
                        new Action.Resume(JOB)),
                row(RUNS.withPendingRequest(PendingRequest.RESUME), ours(Status.preparing, null), RUNS, List.of()),
                row(RUNS, new PrinterEvent.PauseRequested("j1", 2), RUNS, List.of()),
                row(
                        unconfirmed(true, T),
                        new PrinterEvent.PauseRequested("j1", 1),
                        unconfirmed(true, T).withPendingRequest(PendingRequest.PAUSE),
                        List.of()),
                row(unconfirmed(true, T), new PrinterEvent.PauseRequested("j1", 2), unconfirmed(true, T), List.of()),
                row(
                        unconfirmed(true, T).withPendingRequest(PendingRequest.PAUSE),
                        new PrinterEvent.ResumeRequested("j1", 1),
                        unconfirmed(true, T).withPendingRequest(PendingRequest.RESUME),
                        List.of()),
                row(
                        unconfirmed(true, T).withPendingRequest(PendingRequest.PAUSE),
                        ours(Status.printing, null),
                        RUNS,
                        List.of(),
                        new Action.Pause(JOB)),
                row(
                        cancelled(unconfirmed(true, T).withPendingRequest(PendingRequest.PAUSE)),
                        ours(Status.printing, null),
                        CANCELLING,
                        List.of(),
                        new Action.Cancel(JOB)),
                row(
                        RUNS,
                        new PrinterEvent.ResumeRequested("j1", 1),
                        RUNS.withPendingRequest(PendingRequest.RESUME),
                        List.of()),
                row(unconfirmed(false, null), ours(Status.printing, null), RUNS, List.of(jobStarted)),
                row(unconfirmed(true, null), ours(Status.printing, null), RUNS, List.of()),
                row(RESTORED, ours(Status.printing, null), RUNS, List.of(jobResumed)),
                row(RESTORED, ours(Status.paused, null), PAUSED, List.of(jobPaused)),
                row(
                        unconfirmed(false, null),
                        ours(Status.finished, Ending.COMPLETED),
                        ended(false, T),
                        List.of(),
                        new Action.QueryHistory(JOB)),
                row(ended(false, T), ours(Status.finished, Ending.COMPLETED), ended(false, T), List.of()),
                row(unconfirmed(false, T), ours(Status.printing, null), RUNS, List.of(jobStarted)),
                row(
                        ended(false, BEFORE),
                        ours(Status.finished, Ending.COMPLETED),
                        DONE,
                        List.of(jobStarted, jobCompleted)),
                row(
                        unconfirmed(true, null),
                        ours(Status.finished, Ending.COMPLETED),
                        ended(true, T),
                        List.of(),
                        new Action.QueryHistory(JOB)),
                row(shown(T), ours(Status.finished, Ending.COMPLETED), DONE, List.of(jobCompleted)),
                row(
                        unconfirmed(false, null),
                        seen(IDLE),
                        unconfirmed(false, T),
                        List.of(),
                        new Action.QueryHistory(JOB)),
                row(unconfirmed(false, T), seen(IDLE), unconfirmed(false, T), List.of()),
                row(
                        unconfirmed(true, T.minusSeconds(5)),
                        seen(IDLE),
                        queried(T.minusSeconds(5), T),
                        List.of(),
                        new Action.QueryHistory(JOB)),
                row(
                        queried(T.minusSeconds(9), T.minusSeconds(4)),
                        seen(IDLE),
                        queried(T.minusSeconds(9), T.minusSeconds(4)),
                        List.of()),
                row(
                        queried(T.minusSeconds(10), T.minusSeconds(5)),
                        seen(IDLE),
                        queried(T.minusSeconds(10), T),
                        List.of(),
                        new Action.QueryHistory(JOB)),
                row(unconfirmed(false, T.minusSeconds(31)), seen(IDLE), EMPTY, List.of(jobFailed)),
                row(
                        unconfirmed(false, T.minusSeconds(31), EMPTY),
                        seen(HOMING),
                        unconfirmed(false, T, EMPTY),
                        List.of()),
                row(
                        cancelled(unconfirmed(false, T.minusSeconds(31))),
                        seen(HOMING),
                        cancelled(unconfirmed(false, T)),
                        List.of()),
                row(cancelled(unconfirmed(false, T.minusSeconds(31))), seen(IDLE), EMPTY, List.of(jobCancelled)),
                row(EMPTY, seen(HOMING), EMPTY, List.of()),
                row(preparing(), seen(HOMING), preparing(), List.of()),
                row(preparing(), new PrinterEvent.Uploaded(JOB, HOMING), EMPTY, List.of(jobRefused)),
                row(
                        unconfirmed(true, T),
                        new PrinterEvent.HistoryFound(JOB, PrinterConnection.RecordedEnding.of(Ending.COMPLETED)),
                        DONE,
                        List.of(jobCompleted)),
                row(
                        new Starting(PARTLY, EMPTY),
                        new PrinterEvent.StartAccepted(PARTLY),
                        new Accepted(PARTLY, PendingRequest.NONE),
                        List.of(jobStarted),
                        new Action.SkipObjects(PARTLY)),
                row(
                        new BeginUnconfirmed(PARTLY, PauseReport.RUNNING, PendingRequest.NONE, null),
                        ours(Status.printing, null),
                        RUNS_PARTLY,
                        List.of(),
                        new Action.SkipObjects(PARTLY)),
                row(RUNS_PARTLY, ours(Status.printing, null), RUNS_PARTLY, List.of()),
                row(
                        RUNS_PARTLY,
                        new PrinterEvent.StatusRead(ours(Status.printing, null).status(), true, T, null),
                        RUNS_PARTLY,
                        List.of(),
                        new Action.SkipObjects(PARTLY)),
                row(EMPTY, cancel(JOB), EMPTY, List.of(jobCancelled)),
                row(NoJob.UNSEEN, seen(IDLE), EMPTY, List.of()),
                row(EMPTY, seen(BUSY), FOREIGN, List.of(printerChanged)),
                row(FOREIGN, seen(BUSY), FOREIGN, List.of()),
                row(FOREIGN, seen(USED), AFTER_USED, List.of(printerChanged)),
                row(
                        FOREIGN,
                        seen(reading(Status.cancelled, Ending.CANCELLED, "foreign.gcode")),
                        AFTER_USED,
                        List.of(printerChanged)),
                row(
                        FOREIGN,
                        seen(reading(Status.error, Ending.FAILED, "foreign.gcode")),
                        AFTER_USED,
                        List.of(printerChanged)),
                row(FOREIGN, seen(reading(Status.error, null, "")), FOREIGN, List.of()),
                row(FOREIGN, seen(IDLE), EMPTY, List.of(printerChanged)),
                row(AFTER_USED, seen(USED), AFTER_USED, List.of()),
                row(EMPTY, seen(IDLE.withPrintCounter("7")), COUNTED, List.of()),
                row(COUNTED, seen(IDLE), COUNTED, List.of()),
                row(DONE, seen(IDLE), EMPTY, List.of(printerChanged)),
                row(DONE, ours(Status.finished, Ending.COMPLETED), DONE, List.of()),
                row(DONE, ours(Status.printing, null), new ForeignPrint(JOB.fileName(), null), List.of(printerChanged)),
                row(DONE, ours(Status.preparing, Ending.COMPLETED), DONE, List.of()),
                row(EMPTY, seen(reading(Status.preparing, null, "")), EMPTY, List.of()),
                row(DONE, seen(reading(Status.unknown, null, "")), DONE, List.of()));
    }

    /** Unanswered starts: one that certainly never began may be retried; a person decides about all others. */
    static Stream<Arguments> lostStarts() {
        return Stream.of(
                arguments(COUNTED, IDLE.withPrintCounter("7"), jobNotBegun),
                arguments(COUNTED, IDLE.withPrintCounter("8"), jobFailed),
                arguments(COUNTED, IDLE, jobFailed),
                arguments(EMPTY, IDLE, jobFailed),
                arguments(null, IDLE.withPrintCounter("7"), jobFailed),
                arguments(COUNTED, USED.withPrintCounter("7"), jobFailed),
                arguments(COUNTED, BUSY.withPrintCounter("7"), jobFailed),
                arguments(COUNTED, reading(Status.unknown, null, "").withPrintCounter("7"), jobFailed),
                arguments(COUNTED, reading(Status.error, null, "").withPrintCounter("7"), jobFailed));
    }

    @ParameterizedTest
    @MethodSource("lostStarts")
    void unansweredStartIsRetriedOnlyIfItCertainlyNeverBegan(
            @Nullable NoJob before, PrinterStatus reading, Kind reported) {
        Transition<?> transition = transitions.next(unconfirmed(false, T.minusSeconds(31), before), seen(reading));
        assertThat(transition.reports()).extracting(Report::kind).containsExactly(reported);
        assertThat(transitions
                        .next(unconfirmed(false, T.minusSeconds(20), before), seen(reading))
                        .reports())
                .isEmpty();
        assertThat(transitions
                        .next(unconfirmed(true, T.minusSeconds(31), before), seen(reading))
                        .reports())
                .extracting(Report::kind)
                .containsExactly(jobFailed);
    }

    /** Uses a printer that may begin a print up to five minutes after the start. */
    @Test
    void printOnAPrinterThatBeginsLateTimesOutLater() {
        Transitions late = new Transitions(Duration.ofSeconds(30), Duration.ofMinutes(5), Set.of());
        PrinterEvent old = seen(IDLE.withPrintCounter("7"));
        Duration waiting = T.minusSeconds(299);
        Duration timedOut = T.minusSeconds(300);
        assertThat(late.next(unconfirmed(true, waiting), old).reports()).isEmpty();
        assertThat(late.next(unconfirmed(true, timedOut), old).reports())
                .extracting(Report::kind)
                .containsExactly(jobFailed);
        assertThat(late.next(unconfirmed(false, waiting, COUNTED), old).reports())
                .isEmpty();
        assertThat(late.next(unconfirmed(false, timedOut, COUNTED), old).reports())
                .extracting(Report::kind)
                .containsExactly(jobNotBegun);
        assertThat(late.next(cancelled(unconfirmed(true, waiting)), old).reports())
                .isEmpty();
        assertThat(late.next(cancelled(unconfirmed(true, waiting)), ours(Status.preparing, null))
                        .actions())
                .containsExactly(new Action.Cancel(JOB));
        assertThat(late.next(ended(true, waiting), ours(Status.finished, Ending.COMPLETED))
                        .reports())
                .isEmpty();
        assertThat(late.next(shown(BEFORE), old).reports())
                .as("of one that was shown already")
                .extracting(Report::kind)
                .containsExactly(jobFailed);
    }

    @Test
    void printerThatSupportsEarlyPauseIsPausedWhilePreparing() {
        Transitions early =
                new Transitions(Duration.ofSeconds(30), Duration.ofSeconds(30), Set.of(Ability.PAUSE_WHILE_PREPARING));
        Transition<?> transition = early.next(TO_PAUSE, ours(Status.preparing, null));
        assertThat(transition.next()).isEqualTo(RUNS);
        assertThat(transition.actions()).containsExactly(new Action.Pause(JOB));
    }

    @Test
    void unobservedResumeIsReportedAndAnUnchangedPauseIsNot() {
        JobState outOfSight = transitions.next(PAUSED, seen(IDLE)).next();
        Transition<?> resumed = transitions.next(outOfSight, ours(Status.printing, null));
        assertThat(resumed.next()).isEqualTo(RUNS);
        assertThat(resumed.reports()).extracting(Report::kind).containsExactly(jobResumed);
        Transition<?> unchanged = transitions.next(outOfSight, ours(Status.paused, null));
        assertThat(unchanged.next()).isEqualTo(PAUSED);
        assertThat(unchanged.reports()).isEmpty();
    }

    /** Gaps in the observation, and the expected report of an unobserved print; null for none. */
    static Stream<Arguments> gaps() {
        return Stream.of(
                arguments(COUNTED, IDLE.withPrintCounter("7"), LONG_GAP, null),
                arguments(
                        COUNTED, IDLE.withPrintCounter("8"), SHORT, "the printer has printed while it was unreachable"),
                arguments(COUNTED, IDLE.withPrintCounter("8"), null, null),
                arguments(COUNTED, IDLE, SHORT, null),
                arguments(
                        COUNTED,
                        IDLE,
                        LONG_GAP,
                        "the printer was unreachable for 3 minutes and cannot report whether it has printed"),
                arguments(
                        EMPTY,
                        IDLE.withPrintCounter("7"),
                        LONG_GAP,
                        "the printer was unreachable for 3 minutes and cannot report whether it has printed"),
                arguments(
                        EMPTY,
                        IDLE,
                        LONG_GAP,
                        "the printer was unreachable for 3 minutes and cannot report whether it has printed"),
                arguments(EMPTY, IDLE, SHORT, null),
                arguments(NoJob.UNSEEN, IDLE, LONG_GAP, null),
                arguments(EMPTY, reading(Status.unknown, null, ""), LONG_GAP, null),
                arguments(EMPTY, reading(Status.error, null, ""), LONG_GAP, null));
    }

    @ParameterizedTest
    @MethodSource("gaps")
    void unobservedPrintIsDetectedByItsCounterOrAssumedAfterALongGap(
            NoJob before, PrinterStatus reading, @Nullable Duration unseen, @Nullable String change) {
        Transition<?> transition = transitions.next(before, unseen(reading, unseen));
        assertThat(transition.reports())
                .isEqualTo(change == null ? List.of() : List.of(new Report(printerChanged, null, null, change)));
    }

    @Test
    void missingFileAfterAShortGapIsIgnoredIfThePrinterForgetsPrints() {
        Transitions forgetting =
                new Transitions(Duration.ofSeconds(30), Duration.ofSeconds(30), Set.of(Ability.FORGETS_PRINTS));
        assertThat(forgetting.next(DONE, unseen(IDLE, SHORT)).reports()).isEmpty();
        assertThat(forgetting.next(DONE, unseen(IDLE, LONG_GAP)).reports())
                .extracting(Report::message)
                .containsExactly("the printer was unreachable for 3 minutes and cannot report whether it has printed");
        assertThat(forgetting.next(DONE, unseen(USED, SHORT)).reports())
                .extracting(Report::kind)
                .containsExactly(printerChanged);
        assertThat(forgetting.next(FOREIGN, unseen(IDLE, SHORT)).reports())
                .extracting(Report::message)
                .containsExactly("the print of foreign.gcode, which the farm did not start, has ended");
        assertThat(transitions.next(DONE, unseen(IDLE, SHORT)).reports())
                .extracting(Report::kind)
                .containsExactly(printerChanged);
    }

    @Test
    void printIsCompletedWithTheReasonFromTheHistory() {
        Transitions forgetting =
                new Transitions(Duration.ofSeconds(30), Duration.ofSeconds(30), Set.of(Ability.FORGETS_PRINTS));
        PrinterConnection.RecordedEnding end =
                new PrinterConnection.RecordedEnding(Ending.COMPLETED, "its end was not observed");
        Transition<?> transition = forgetting.next(shown(T), new PrinterEvent.HistoryFound(JOB, end));
        assertThat(transition.reports())
                .containsExactly(new Report(jobCompleted, JOB.jobId(), JOB.attempt(), "its end was not observed"));
        assertThat(forgetting.next(transition.next(), seen(IDLE)).reports()).isEmpty();
        assertThat(forgetting.next(transition.next(), seen(USED)).reports())
                .extracting(Report::kind)
                .containsExactly(printerChanged);
    }

    @Test
    void endCountsOnlyIfThePrintWasObservedWhenThePrinterNamesTheNextPrint() {
        Transitions naming =
                new Transitions(Duration.ofSeconds(30), Duration.ofSeconds(30), Set.of(Ability.NAMES_NEXT));
        PrinterEvent end = ours(Status.finished, Ending.COMPLETED);
        assertThat(naming.next(ended(true, T), end).reports()).isEmpty();
        assertThat(naming.next(ended(true, BEFORE), end).reports())
                .extracting(Report::kind)
                .containsExactly(jobFailed);
        assertThat(naming.next(cancelled(ended(true, BEFORE)), end).reports())
                .extracting(Report::kind)
                .containsExactly(jobCancelled);
        Transition<?> seen = naming.next(RESTORED, ours(Status.printing, null));
        assertThat(seen.steps()).containsExactly(new Transition.StepReached(JOB, JobStep.shown));
        assertThat(naming.next(seen.next(), end).reports())
                .extracting(Report::kind)
                .containsExactly(jobCompleted);
        assertThat(naming.next(new PrintLost(JOB, PauseReport.UNKNOWN, PendingRequest.NONE, null), end)
                        .reports())
                .extracting(Report::kind)
                .containsExactly(jobCompleted);
    }

    @ParameterizedTest
    @MethodSource("table")
    void eventLeadsToTheStateReportsAndActionsOfTheTable(
            JobState state, PrinterEvent event, JobState next, List<Kind> reported, List<Action> done) {
        Transition<?> transition = transitions.next(state, event);
        assertThat(transition.next()).isEqualTo(next);
        assertThat(transition.reports()).extracting(Report::kind).isEqualTo(reported);
        assertThat(transition.actions()).isEqualTo(done);
    }

    private static Arguments row(
            JobState state, PrinterEvent event, JobState next, List<Kind> reported, Action... done) {
        return arguments(state, event, next, reported, List.of(done));
    }

    private static Preparing preparing() {
        return new Preparing(JOB, EMPTY);
    }

    private static AbsentPrint unconfirmed(boolean started, @Nullable Duration since) {
        return unconfirmed(started, since, null);
    }

    private static AbsentPrint unconfirmed(boolean started, @Nullable Duration since, @Nullable NoJob before) {
        Absence absence = since == null ? null : Absence.startingAt(since);
        return started
                ? new BeginUnconfirmed(JOB, PauseReport.RUNNING, PendingRequest.NONE, absence)
                : new StartUnconfirmed(JOB, before, PendingRequest.NONE, absence);
    }

    private static AbsentPrint queried(Duration since, Duration historyQueriedAt) {
        return new BeginUnconfirmed(
                JOB, PauseReport.RUNNING, PendingRequest.NONE, new Absence(since, historyQueriedAt));
    }

    private static PrintLost shown(Duration since) {
        return new PrintLost(JOB, PauseReport.RUNNING, PendingRequest.NONE, Absence.startingAt(since));
    }

    private static EndUnconfirmed ended(boolean started, Duration since) {
        return new EndUnconfirmed(unconfirmed(started, null), since);
    }

    private static CancellingUnconfirmed cancelled(UnconfirmedPrint print) {
        return new CancellingUnconfirmed(print);
    }

    private static PrinterEvent cancel(Job job) {
        return new PrinterEvent.CancelRequested(job.jobId(), job.attempt());
    }

    private static PrinterEvent.StatusRead seen(PrinterStatus reading) {
        return new PrinterEvent.StatusRead(reading, false, T, null);
    }

    private static PrinterEvent.StatusRead unseen(PrinterStatus reading, @Nullable Duration unseen) {
        return new PrinterEvent.StatusRead(reading, true, T, unseen);
    }

    private static PrinterEvent.StatusRead ours(Status status, @Nullable Ending ending) {
        return seen(reading(status, ending, JOB.fileName()));
    }

    private static PrinterStatus reading(Status status, @Nullable Ending ending, String fileName) {
        PrinterStatus.File file =
                fileName.isEmpty() ? null : new PrinterStatus.File(fileName, 0, null, null, null, null, null);
        return new PrinterStatus(status, ending, null, file, Map.of(), List.of(), List.of());
    }

    private static Job job(String jobId) {
        return job(jobId, List.of());
    }

    private static Job job(String jobId, List<String> skipObjects) {
        Command.Print print =
                new Command.Print(jobId, 1, "a.gcode", "u", 1, "0", null, null, 1, null, null, skipObjects, null);
        return Job.of(new Command("c", "k1", Instant.EPOCH, print), print);
    }
}
