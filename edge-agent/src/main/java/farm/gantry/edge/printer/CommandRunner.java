package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.NewEvent;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.state.StartedState.Running;
import farm.gantry.edge.printer.state.Transitions;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkRequest.Kind;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs commands of a person or a macro in parallel with the job, and reports their outcome as events. */
final class CommandRunner {
    private static final String NOT_PRINTING_YET =
            "the printer is still preparing the print and cannot pause until it prints";

    private final Transitions transitions;
    private final Journal journal;
    private final PrinterTasks tasks;
    private final NewEvents newEvents;
    private final Consumer<NewEvent> report;

    private volatile @Nullable Job emergencyStoppedJob;

    CommandRunner(
            Transitions transitions,
            Journal journal,
            PrinterTasks tasks,
            NewEvents newEvents,
            Consumer<NewEvent> report) {
        this.transitions = transitions;
        this.journal = journal;
        this.tasks = tasks;
        this.newEvents = newEvents;
        this.report = report;
    }

    /** Returns the job that was running when an emergency stop was sent; null if none was sent. */
    @Nullable
    Job emergencyStoppedJob() {
        return emergencyStoppedJob;
    }

    /** Sends the command, or reports why it must not run now. {@code latest} is the latest status, null without one. */
    void send(String commandId, Command.Send command, PrinterView view, @Nullable PrinterStatus latest) {
        String objection = findObjection(command, view, latest);
        if (objection != null) {
            report.accept(newEvents.commandEvent(Kind.commandFailed, commandId, objection));
            return;
        }
        if (command.command().equals(PrinterConnection.EMERGENCY_STOP)) {
            emergencyStoppedJob = view.startedJob();
        }
        tasks.send(
                command,
                view.jobState() instanceof Running print ? print.job() : null,
                () -> report.accept(newEvents.commandEvent(Kind.commandDone, commandId, null)),
                fault -> report.accept(newEvents.commandEvent(Kind.commandFailed, commandId, fault)));
    }

    private @Nullable String findObjection(Command.Send command, PrinterView view, @Nullable PrinterStatus latest) {
        if (command.command().equals(PrinterConnection.EMERGENCY_STOP)) {
            return null; // an emergency stop does not wait for the disk, the journal may
        }
        if (journal.isBedUsedSince(newEvents.deviceId(), command.heardSequence())) {
            return RefusalReason.BED_USED;
        }
        return command.command().equals(PrinterConnection.PAUSE) && latest != null && !transitions.isPausable(latest)
                ? NOT_PRINTING_YET
                : view.commandObjection(command);
    }
}
