package farm.gantry.edge.printer.state;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.edge.printer.connection.ScriptedPrinter;
import farm.gantry.edge.printer.state.JobState.Absence;
import farm.gantry.edge.printer.state.JobState.ForeignPrint;
import farm.gantry.edge.printer.state.JobState.Idle;
import farm.gantry.edge.printer.state.JobState.NoJob;
import farm.gantry.edge.printer.state.JobState.PauseReport;
import farm.gantry.edge.printer.state.JobState.PendingRequest;
import farm.gantry.edge.printer.state.JobState.Prepared;
import farm.gantry.edge.printer.state.JobState.Preparing;
import farm.gantry.edge.printer.state.StartedState.Accepted;
import farm.gantry.edge.printer.state.StartedState.ActivePrint;
import farm.gantry.edge.printer.state.StartedState.Cancelling;
import farm.gantry.edge.printer.state.StartedState.CancellingStart;
import farm.gantry.edge.printer.state.StartedState.Paused;
import farm.gantry.edge.printer.state.StartedState.Printing;
import farm.gantry.edge.printer.state.StartedState.Starting;
import farm.gantry.edge.printer.state.UnconfirmedState.AbsentPrint;
import farm.gantry.edge.printer.state.UnconfirmedState.BeginUnconfirmed;
import farm.gantry.edge.printer.state.UnconfirmedState.CancellingUnconfirmed;
import farm.gantry.edge.printer.state.UnconfirmedState.EndUnconfirmed;
import farm.gantry.edge.printer.state.UnconfirmedState.PrintLost;
import farm.gantry.edge.printer.state.UnconfirmedState.StartUnconfirmed;
import farm.gantry.edge.printer.state.UnconfirmedState.UnconfirmedPrint;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** States of a printer, and events that happen in them. */
final class PrinterStateSamples {
    static final Duration WAIT = Duration.ofSeconds(30);
    private static final Duration NOW = Duration.ofHours(1);
    private static final Duration BEFORE = NOW.minusSeconds(1);
    private static final Duration AFTER_WAIT = NOW.plus(WAIT);
    private static final Job JOB = job("j1");
    private static final Job OTHER = job("j2");
    private static final String FOREIGN = "foreign.gcode";
    private static final List<NoJob> WITHOUT_JOB = List.of(
            new Idle("", null),
            NoJob.UNSEEN,
            new Idle("", "7"),
            new Idle(JOB.fileName(), null),
            new ForeignPrint(FOREIGN, null));

    private PrinterStateSamples() {}

    /** Returns one sample of each state. */
    static List<JobState> typicalStates() {
        NoJob before = WITHOUT_JOB.getFirst();
        Absence absence = Absence.startingAt(BEFORE);
        ActivePrint printing = new Printing(JOB, PendingRequest.NONE);
        BeginUnconfirmed begin = new BeginUnconfirmed(JOB, PauseReport.RUNNING, PendingRequest.NONE, absence);
        return List.of(
                before,
                new ForeignPrint(FOREIGN, null),
                new Preparing(JOB, before),
                new Prepared(JOB, before),
                new Starting(JOB, before),
                new CancellingStart(JOB, before),
                new Accepted(JOB, PendingRequest.NONE),
                printing,
                new Paused(JOB, PendingRequest.NONE),
                new Cancelling(printing),
                new StartUnconfirmed(JOB, before, PendingRequest.NONE, absence),
                begin,
                new EndUnconfirmed(begin, BEFORE),
                new PrintLost(JOB, PauseReport.RUNNING, PendingRequest.NONE, absence),
                new CancellingUnconfirmed(begin));
    }

    /** Returns many samples of each state. */
    static List<JobState> states() {
        List<JobState> states = new ArrayList<>(WITHOUT_JOB);
        for (NoJob before : WITHOUT_JOB) {
            states.add(new Preparing(JOB, before));
            states.add(new Prepared(JOB, before));
            states.add(new Starting(JOB, before));
            states.add(new CancellingStart(JOB, before));
        }
        for (PendingRequest request : PendingRequest.values()) {
            List<ActivePrint> running =
                    List.of(new Accepted(JOB, request), new Printing(JOB, request), new Paused(JOB, request));
            states.addAll(running);
            running.forEach(print -> states.add(new Cancelling(print)));
            List<UnconfirmedPrint> unconfirmed = unconfirmed(request);
            states.addAll(unconfirmed);
            unconfirmed.forEach(print -> states.add(new CancellingUnconfirmed(print)));
        }
        return states;
    }

    private static List<UnconfirmedPrint> unconfirmed(PendingRequest request) {
        List<UnconfirmedPrint> states = new ArrayList<>();
        for (Absence absence : Arrays.asList(null, Absence.startingAt(BEFORE))) {
            List<AbsentPrint> absent = List.of(
                    new StartUnconfirmed(JOB, null, request, absence),
                    new StartUnconfirmed(JOB, new Idle("", "7"), request, absence),
                    new BeginUnconfirmed(JOB, PauseReport.RUNNING, request, absence),
                    new BeginUnconfirmed(JOB, PauseReport.UNKNOWN, request, absence));
            states.addAll(absent);
            absent.forEach(print -> states.add(new EndUnconfirmed(print, BEFORE)));
            for (PauseReport report : PauseReport.values()) {
                states.add(new PrintLost(JOB, report, request, absence));
            }
        }
        return states;
    }

    /** Returns each event once, and typical statuses, by their description. */
    static Map<String, PrinterEvent> typicalEvents() {
        Map<String, PrinterEvent> events = new LinkedHashMap<>();
        PrinterStatus idle = status(Status.idle, null, "");
        events.put("print requested", new PrinterEvent.PrintRequested(OTHER, null));
        events.put("print requested, printer not ready", new PrinterEvent.PrintRequested(OTHER, "it is busy"));
        events.put("file downloaded", new PrinterEvent.Downloaded(JOB));
        events.put("file uploaded, printer at rest", new PrinterEvent.Uploaded(JOB, idle));
        events.put(
                "file uploaded, bed used",
                new PrinterEvent.Uploaded(JOB, status(Status.finished, Ending.COMPLETED, FOREIGN)));
        events.put(
                "file uploaded, printer busy", new PrinterEvent.Uploaded(JOB, status(Status.printing, null, FOREIGN)));
        events.put("file uploaded, printer offline", new PrinterEvent.Uploaded(JOB, null));
        for (Refusal.Cause cause : Refusal.Cause.values()) {
            events.put("preparation failed: " + name(cause), new PrinterEvent.PreparationFailed(JOB, cause, "no file"));
        }
        events.put("start accepted", new PrinterEvent.StartAccepted(JOB));
        for (Refusal.Cause cause : Refusal.Cause.values()) {
            events.put("start refused: " + name(cause), new PrinterEvent.StartRefused(JOB, cause, "no"));
        }
        events.put("start unanswered", new PrinterEvent.StartUnanswered(JOB));
        events.put("pause requested", new PrinterEvent.PauseRequested(JOB.jobId(), JOB.attempt()));
        events.put("resume requested", new PrinterEvent.ResumeRequested(JOB.jobId(), JOB.attempt()));
        events.put("cancel requested", new PrinterEvent.CancelRequested(JOB.jobId(), JOB.attempt()));
        events.put("cancel failed", new PrinterEvent.CancelFailed(JOB));
        events.put(
                "history: print completed",
                new PrinterEvent.HistoryFound(JOB, PrinterConnection.RecordedEnding.of(Ending.COMPLETED)));
        events.putAll(typicalStatuses());
        return events;
    }

    private static Map<String, PrinterEvent> typicalStatuses() {
        Map<String, PrinterEvent> events = new LinkedHashMap<>();
        String ours = JOB.fileName();
        events.put("status: prints the job's file", seen(status(Status.printing, null, ours), NOW));
        events.put("status: paused in the job's file", seen(status(Status.paused, null, ours), NOW));
        events.put("status: error in the job's file", seen(status(Status.error, null, ours), NOW));
        PrinterStatus completed = status(Status.finished, Ending.COMPLETED, ours);
        events.put("status: the job's file has ended", seen(completed, NOW));
        events.put("status: the job's file has ended, wait over", seen(completed, AFTER_WAIT));
        PrinterStatus idle = status(Status.idle, null, "");
        events.put("status: at rest without a file", seen(idle, NOW));
        events.put("status: at rest without a file, wait over", seen(idle, AFTER_WAIT));
        events.put("status: busy without a file", seen(status(Status.preparing, null, ""), AFTER_WAIT));
        events.put("status: prints another file", seen(status(Status.printing, null, FOREIGN), NOW));
        events.put("status: another file has ended", seen(status(Status.finished, Ending.COMPLETED, FOREIGN), NOW));
        events.put("status: unknown", seen(status(Status.unknown, null, ""), NOW));
        return events;
    }

    /** Returns many events, with every combination of what a status can show. */
    static List<PrinterEvent> events() {
        List<PrinterEvent> events = new ArrayList<>(typicalEvents().values());
        events.add(new PrinterEvent.CancelRequested(OTHER.jobId(), OTHER.attempt()));
        for (PrinterStatus status : statuses()) {
            events.add(new PrinterEvent.Uploaded(JOB, status));
            for (Duration at : List.of(NOW, AFTER_WAIT)) {
                events.add(seen(status, at));
                events.add(new PrinterEvent.StatusRead(status, true, at, Duration.ofMinutes(10)));
            }
        }
        return events;
    }

    private static List<PrinterStatus> statuses() {
        List<PrinterStatus> statuses = new ArrayList<>();
        for (Status status : Status.values()) {
            for (Ending ending : Arrays.asList(null, Ending.COMPLETED, Ending.CANCELLED, Ending.FAILED)) {
                for (String file : List.of("", JOB.fileName(), FOREIGN)) {
                    for (String counter : Arrays.asList(null, "7")) {
                        statuses.add(status(status, ending, file).withPrintCounter(counter));
                    }
                }
            }
        }
        return statuses;
    }

    /** Returns the state machines of printers with different abilities. */
    static List<Transitions> machines() {
        return List.of(
                machine(Set.of()),
                machine(Set.of(Provider.Ability.PAUSE_WHILE_PREPARING)),
                machine(Set.of(Provider.Ability.NAMES_NEXT)),
                machine(Set.of(Provider.Ability.FORGETS_PRINTS)));
    }

    private static Transitions machine(Set<Provider.Ability> abilities) {
        return new Transitions(WAIT, WAIT, abilities);
    }

    private static PrinterEvent.StatusRead seen(PrinterStatus status, Duration at) {
        return new PrinterEvent.StatusRead(status, false, at, null);
    }

    private static PrinterStatus status(Status status, @Nullable Ending ending, String fileName) {
        return ScriptedPrinter.reading(status, ending, fileName);
    }

    private static String name(Refusal.Cause cause) {
        return cause.name().toLowerCase(Locale.ROOT);
    }

    private static Job job(String jobId) {
        Command.Print print =
                new Command.Print(jobId, 1, "a.gcode", "u", 1, "0", null, null, 1, null, null, List.of(), null);
        return Job.of(new Command("c", "k1", Instant.EPOCH, print), print);
    }
}
