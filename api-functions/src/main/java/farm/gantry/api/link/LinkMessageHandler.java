package farm.gantry.api.link;

import farm.gantry.api.database.Change;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.job.lifecycle.JobTransitions;
import farm.gantry.api.job.lifecycle.SpoolWeights;
import farm.gantry.api.printer.command.CommandRows;
import farm.gantry.api.printer.readiness.BedClearing;
import farm.gantry.api.printer.readiness.PrinterReadiness;
import farm.gantry.api.printer.readiness.PrinterStateRows;
import farm.gantry.api.printer.temperature.TemperatureRecorder;
import farm.gantry.api.trace.TraceExporter;
import farm.gantry.api.webhook.Webhooks;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.notification.EventName;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkRequest;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Applies an agent's message: events move jobs, reports update printer states, acknowledgements end commands. */
@Singleton
final class LinkMessageHandler {
    private final Table<PrintJob> jobs;
    private final Table<Printer> printers;
    private final PrinterStateRows states;
    private final JobTransitions transitions;
    private final PrinterReadiness readiness;
    private final BedClearing bedClearing;
    private final SpoolWeights spoolWeights;
    private final CommandRows commands;
    private final Webhooks webhooks;
    private final TemperatureRecorder temperatures;
    private final TraceExporter traces;

    LinkMessageHandler(
            Tables tables,
            PrinterStateRows states,
            JobTransitions transitions,
            PrinterReadiness readiness,
            BedClearing bedClearing,
            SpoolWeights spoolWeights,
            CommandRows commands,
            Webhooks webhooks,
            TemperatureRecorder temperatures,
            TraceExporter traces) {
        this.jobs = tables.of(PrintJob.class);
        this.printers = tables.of(Printer.class);
        this.states = states;
        this.transitions = transitions;
        this.readiness = readiness;
        this.bedClearing = bedClearing;
        this.spoolWeights = spoolWeights;
        this.commands = commands;
        this.webhooks = webhooks;
        this.temperatures = temperatures;
        this.traces = traces;
    }

    /** Applies state reports by printer id; returns whether one may allow a job to start. */
    boolean onReports(Tx tx, String session, SortedMap<String, Map<String, Object>> reports) {
        readiness.lock(
                tx,
                reports.entrySet().stream()
                        .filter(report -> report.getValue().containsKey("status")
                                || report.getValue().containsKey("connection"))
                        .map(Map.Entry::getKey)
                        .toList());
        SortedMap<String, PrinterState> reported = states.applyReports(tx, session, reports);
        boolean turned = readiness.onReports(tx, reported);
        temperatures.onReports(tx, reports, reported);
        reports.forEach((printerId, report) -> {
            PrinterState state = reported.get(printerId);
            if (state != null && (report.containsKey("filamentSlots") || report.containsKey("status"))) {
                spoolWeights.onReport(tx, printerId, state);
            }
        });
        return turned || reports.values().stream().anyMatch(report -> report.containsKey("filamentSlots"));
    }

    /** Handles the return of an agent: applies the last known states of those of its printers for which it sends no report. */
    void onReconnect(Tx tx, String agentId, Collection<String> printerIds) {
        readiness.lock(tx, printerIds);
        readiness.onReports(tx, new TreeMap<>(states.find(tx, printerIds)));
        webhooks.resolve(tx, EventName.onAgentOffline, List.of(agentId));
    }

    /** Locks the events' jobs before any of their printers. */
    void lockJobs(Tx tx, List<LinkRequest.Event> events) {
        List<String> ids = events.stream()
                .flatMap(event -> Stream.ofNullable(event.jobId()))
                .toList();
        if (events.size() > 1 && !ids.isEmpty()) {
            jobs.lockWithoutReading(tx, ids);
        }
    }

    /**
     * Applies an event of the printer, null if the agent does not serve it. The outcome of a job is also accepted from
     * an agent that no longer serves its printer, or whose device now belongs to another printer: it frees the job's
     * printer, and the beds of both printers must be checked.
     */
    void onEvent(Tx tx, @Nullable String printerId, LinkRequest.Event event) {
        String jobsPrinter = findPrinterOfJob(tx, event);
        if (jobsPrinter == null || jobsPrinter.equals(printerId)) {
            if (printerId != null) {
                apply(tx, printerId, event);
            }
            return;
        }
        Stream.of(jobsPrinter, printerId)
                .filter(Objects::nonNull)
                .sorted()
                .forEach(id -> readiness.onUnexpectedUse(
                        tx, id, "the outcome of its job was reported by another agent or device"));
        apply(tx, jobsPrinter, event);
    }

    /** Returns the printer of the event's job, if the event is about the current attempt. */
    private @Nullable String findPrinterOfJob(Tx tx, LinkRequest.Event event) {
        return findCurrentJob(tx, event).map(PrintJob::assignedPrinterId).orElse(null);
    }

    private void apply(Tx tx, String printerId, LinkRequest.Event event) {
        switch (event.kind()) {
            case jobStarted -> {
                readiness.onPrintStarted(tx, printerId);
                findCurrentJob(tx, event)
                        .flatMap(job ->
                                transitions.apply(tx, job, JobStatus.Transition.START, PrintTimes.started(event.at())))
                        .ifPresent(job -> traces.onStarted(tx, job, event));
            }
            case jobPaused -> transition(tx, event, JobStatus.Transition.PAUSE, _ -> PrintTimes.paused(event.at()));
            case jobResumed ->
                transition(tx, event, JobStatus.Transition.RESUME, job -> PrintTimes.resumed(job, event.at()));
            case jobCompleted -> onFinished(tx, printerId, event, JobStatus.Transition.COMPLETE);
            case jobFailed -> onFinished(tx, printerId, event, JobStatus.Transition.FAIL);
            case jobRefused ->
                onRefused(tx, printerId, event.jobId(), event.attempt(), reason(event, "the printer gave no reason"));
            case jobNotBegun -> onNotStarted(tx, printerId, event);
            case jobCancelled -> onFinished(tx, printerId, event, JobStatus.Transition.CANCEL);
            case printerOnline -> readiness.setOnline(tx, printerId, true);
            case printerOffline -> readiness.onPrinterOffline(tx, printerId);
            case printerChanged ->
                readiness.onUnexpectedUse(tx, printerId, reason(event, "something the farm did not start"));
            case printerError -> readiness.onPrinterError(tx, printerId, reason(event, "the printer reports an error"));
            case printerWarning ->
                webhooks.emit(
                        tx,
                        EventName.onPrinterHmsWarning,
                        printerId,
                        null,
                        Map.of("reason", reason(event, "the printer reports a warning")));
            case commandDone -> bedClearing.onDone(tx, printerId, event.commandId());
            case commandFailed ->
                bedClearing.onFailed(
                        tx, printerId, event.commandId(), reason(event, "the printer did not execute the command"));
        }
    }

    /** Handles the loss of a printer's event: the state of its bed is unknown. */
    void onDroppedEvent(Tx tx, @Nullable String printerId) {
        if (printerId != null) {
            readiness.onUnexpectedUse(tx, printerId, "one of its events could not be applied");
        }
    }

    private static String reason(LinkRequest.Event event, String otherwise) {
        return event.message() == null ? otherwise : event.message();
    }

    /** Returns the event's job, if the event is about its current attempt at the printer. */
    private Optional<PrintJob> findCurrentJob(Tx tx, LinkRequest.Event event) {
        return findJob(tx, event).filter(job -> isAtPrinter(job, event.attempt()));
    }

    private Optional<PrintJob> findJob(Tx tx, LinkRequest.Event event) {
        return Optional.ofNullable(event.jobId()).flatMap(id -> jobs.lock(tx, id));
    }

    private static boolean isAtPrinter(PrintJob job, @Nullable Integer attempt) {
        return attempt != null && job.attempt() == attempt && job.status().isAtPrinter();
    }

    private void transition(
            Tx tx, LinkRequest.Event event, JobStatus.Transition move, Function<PrintJob, Change<PrintJob>> also) {
        findCurrentJob(tx, event).ifPresent(job -> transitions.apply(tx, job, move, also.apply(job)));
    }

    private void onFinished(Tx tx, String printerId, LinkRequest.Event event, JobStatus.Transition move) {
        Long succeeded = move == JobStatus.Transition.COMPLETE ? event.sequence() : null;
        findJob(tx, event)
                .ifPresent(job -> release(tx, printerId, job, event.attempt(), succeeded, event.elapsedSeconds()));
        transition(tx, event, move, job -> finished(job, event, move));
    }

    private static Change<PrintJob> finished(PrintJob job, LinkRequest.Event event, JobStatus.Transition move) {
        Change<PrintJob> changes = PrintTimes.ended(job, event)
                .set(
                        move == JobStatus.Transition.CANCEL ? PrintJob::cancelledAt : PrintJob::printingCompletedAt,
                        event.at())
                .set(PrintJob::actualGrams, event.usedGrams());
        if (move == JobStatus.Transition.FAIL) {
            changes.set(PrintJob::errorMessage, reason(event, "the printer gave no reason"));
        }
        return changes;
    }

    /** Frees the printer of a finished attempt, unless a later attempt of the job is there. */
    private void release(
            Tx tx,
            String printerId,
            PrintJob job,
            @Nullable Integer attempt,
            @Nullable Long succeeded,
            @Nullable Long printedSeconds) {
        if (!isReassignedHere(printerId, job, attempt)) {
            readiness.release(tx, printerId, job.id(), succeeded, printedSeconds);
        }
    }

    private static boolean isReassignedHere(String printerId, PrintJob job, @Nullable Integer attempt) {
        return job.status().isActive()
                && printerId.equals(job.assignedPrinterId())
                && (attempt == null || attempt != job.attempt());
    }

    /**
     * Ends a command. A rejected command has no further events: its print returns to the queue, its stop counts as
     * done.
     */
    void onAck(Tx tx, String agentId, LinkRequest.Ack ack) {
        Optional<CommandRows.PendingCommand> pending = commands.remove(tx, agentId, ack.commandId());
        if (pending.isEmpty()) {
            return;
        } else if (ack.outcome() == LinkRequest.Outcome.taken) {
            onTaken(tx, pending.get());
            return;
        }
        String reason = ack.message() == null ? "the agent rejected the command" : ack.message();
        String printerId = pending.get().printerId();
        switch (pending.get().command().action()) {
            case Command.Print print -> onRefused(tx, printerId, print.jobId(), print.attempt(), reason);
            case Command.Cancel cancel ->
                jobs.lock(tx, cancel.jobId())
                        .ifPresent(job -> release(tx, printerId, job, cancel.attempt(), null, null));
            case Command.Send _ -> bedClearing.onFailed(tx, printerId, ack.commandId(), reason);
            case Command.Pause _, Command.Resume _ -> {}
        }
    }

    /** Records the objects that the current print will leave out. */
    private void onTaken(Tx tx, CommandRows.PendingCommand pending) {
        if (pending.command().action() instanceof Command.Send send
                && send.command().equals("skip-objects")
                && send.arguments().get("objectIds") instanceof List<?> objects) {
            printers.find(tx, pending.printerId())
                    .flatMap(printer -> Optional.ofNullable(printer.printingJobId()))
                    .flatMap(id -> jobs.lock(tx, id))
                    .filter(job -> job.status().isAtPrinter())
                    .ifPresent(job -> jobs.change(
                            tx,
                            job.id(),
                            new Change<PrintJob>()
                                    .set(
                                            PrintJob::skippedObjects,
                                            Stream.concat(
                                                            job.skippedObjects().stream(),
                                                            objects.stream().map(String::valueOf))
                                                    .distinct()
                                                    .toList())));
        }
    }

    /** Returns a job to the queue of which nothing was sent to the printer, and holds the printer back for a while. */
    private void onRefused(Tx tx, String printerId, @Nullable String jobId, @Nullable Integer attempt, String reason) {
        Optional.ofNullable(jobId).flatMap(id -> jobs.lock(tx, id)).ifPresent(job -> {
            if (isAtPrinter(job, attempt)) {
                if (transitions
                        .returnToQueue(tx, job, JobStatus.Transition.RETURN, reason)
                        .isEmpty()) {
                    return; // The job has started; the rejection comes from another agent with the same token.
                }
                readiness.holdBack(tx, printerId, reason);
            }
            unassign(tx, printerId, job, attempt);
        });
    }

    /** Retries a job once whose start was sent but which never began; the bed is unchanged. */
    private void onNotStarted(Tx tx, String printerId, LinkRequest.Event event) {
        Optional<PrintJob> job = findCurrentJob(tx, event);
        if (job.isPresent()
                && !jobs.change(
                        tx,
                        job.get().id(),
                        new Change<PrintJob>().whenColumn("wasNotBegun", false).setColumn("wasNotBegun", true))) {
            onFinished(tx, printerId, event, JobStatus.Transition.FAIL);
            return;
        }
        job.ifPresent(found -> transitions.returnToQueue(
                tx, found, JobStatus.Transition.RETURN, reason(event, "the print did not begin")));
        findJob(tx, event).ifPresent(found -> unassign(tx, printerId, found, event.attempt()));
    }

    private void unassign(Tx tx, String printerId, PrintJob job, @Nullable Integer attempt) {
        if (!isReassignedHere(printerId, job, attempt)) {
            readiness.unassign(tx, printerId, job.id());
        }
    }
}
