package farm.gantry.api.link;

import farm.gantry.api.deliver.Webhooks;
import farm.gantry.api.live.LiveStates;
import farm.gantry.api.schedule.Beds;
import farm.gantry.api.schedule.Moves;
import farm.gantry.api.store.Commands;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.notification.EventName;
import farm.gantry.printer.Printer;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkRequest;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What an agent tells, taken to heart: events move jobs, reports show printers, answers end commands. */
@Singleton
final class Heard {
    private final Table<PrintJob> jobs;
    private final LiveStates states;
    private final Moves moves;
    private final Beds beds;
    private final Commands commands;
    private final Webhooks webhooks;

    Heard(Tables tables, LiveStates states, Moves moves, Beds beds, Commands commands, Webhooks webhooks) {
        this.jobs = tables.of(PrintJob.class);
        this.states = states;
        this.moves = moves;
        this.beds = beds;
        this.commands = commands;
        this.webhooks = webhooks;
    }

    void report(Tx tx, Printer printer, String session, LinkRequest.Report report) {
        beds.observe(tx, printer, states.report(tx, printer.id(), session, report.state()));
    }

    /** An agent that is back may have nothing new to say of printers that were there all along. */
    void back(Tx tx, Printer printer) {
        states.find(tx, printer.id()).ifPresent(state -> beds.observe(tx, printer, state));
    }

    void event(Tx tx, Printer printer, LinkRequest.Event event) {
        switch (event.kind()) {
            case jobStarted -> job(tx, event, JobStatus.Move.START, Map.of("printingStartedAt", event.at()));
            case jobPaused -> job(tx, event, JobStatus.Move.PAUSE, Map.of());
            case jobResumed -> job(tx, event, JobStatus.Move.RESUME, Map.of());
            case jobCompleted -> over(tx, printer, event, JobStatus.Move.COMPLETE);
            case jobFailed, jobRefused -> over(tx, printer, event, JobStatus.Move.FAIL);
            case jobCancelled -> over(tx, printer, event, JobStatus.Move.CANCEL);
            case printerOnline -> beds.reach(tx, printer.id(), true);
            case printerOffline -> beds.reach(tx, printer.id(), false);
            case printerChanged -> beds.distrust(tx, printer.id());
            case printerError -> {
                beds.distrust(tx, printer.id());
                webhooks.emit(tx, EventName.onPrinterHmsError, printer.id(), null);
            }
        }
    }

    /** Only the attempt that is on its way counts; what an older one did is history. */
    private Optional<PrintJob> current(Tx tx, LinkRequest.Event event) {
        return Optional.ofNullable(event.jobId())
                .flatMap(id -> jobs.lock(tx, id))
                .filter(job -> event.attempt() != null && job.attempt() == event.attempt());
    }

    private Optional<PrintJob> job(Tx tx, LinkRequest.Event event, JobStatus.Move move, Map<String, ?> also) {
        return current(tx, event).flatMap(job -> moves.move(tx, job, move, also));
    }

    private void over(Tx tx, Printer printer, LinkRequest.Event event, JobStatus.Move move) {
        Optional<PrintJob> current = current(tx, event);
        if (current.isEmpty()) {
            return;
        }
        Map<String, @Nullable Object> changes = new HashMap<>();
        changes.put(move == JobStatus.Move.CANCEL ? "cancelledAt" : "printingCompletedAt", event.at());
        if (move == JobStatus.Move.FAIL) {
            changes.put("errorMessage", event.message() == null ? "the printer gave no reason" : event.message());
        }
        changes.put("actualSeconds", event.elapsedSeconds());
        changes.put("actualGrams", event.usedGrams());
        boolean succeeded = move == JobStatus.Move.COMPLETE;
        beds.release(tx, printer.id(), current.get().id(), succeeded, event.elapsedSeconds());
        moves.move(tx, current.get(), move, changes);
    }

    /** A command that was not taken has no further events: a print ends here, a stop is as good as done. */
    void ack(Tx tx, String agentId, LinkRequest.Ack ack) {
        Optional<Commands.Kept> kept = commands.remove(tx, agentId, ack.commandId());
        if (kept.isEmpty() || ack.outcome() == LinkRequest.Outcome.taken) {
            return;
        }
        String reason = ack.message() == null ? "the agent did not take the command" : ack.message();
        switch (kept.get().command().action()) {
            case Command.Print print -> ended(tx, kept.get().printerId(), print.jobId(), print.attempt(), reason);
            case Command.Cancel cancel -> beds.release(tx, kept.get().printerId(), cancel.jobId(), false, null);
            case Command.Pause _, Command.Resume _, Command.Send _ -> {}
        }
    }

    private void ended(Tx tx, String printerId, String jobId, int attempt, String reason) {
        jobs.lock(tx, jobId)
                .filter(job -> job.attempt() == attempt)
                .flatMap(job -> moves.move(tx, job, JobStatus.Move.FAIL, Map.of("errorMessage", reason)))
                .ifPresent(job -> beds.release(tx, printerId, jobId, false, null));
    }
}
