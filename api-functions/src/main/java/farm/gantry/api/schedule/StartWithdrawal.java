package farm.gantry.api.schedule;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.file.JobRows;
import farm.gantry.api.job.lifecycle.FailureRows;
import farm.gantry.api.job.lifecycle.JobCancellation;
import farm.gantry.api.job.lifecycle.JobCommands;
import farm.gantry.api.job.lifecycle.JobTransitions;
import farm.gantry.api.printer.command.CommandRows;
import farm.gantry.api.printer.readiness.PrinterConditionRows;
import farm.gantry.api.printer.readiness.PrinterReadiness;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.printer.Printer;
import farm.gantry.schedule.Candidate;
import farm.gantry.schedule.JobMatcher;
import farm.gantry.schedule.PrinterCondition;
import farm.gantry.schedule.Requirement;
import farm.gantry.store.StoreSettings;
import farm.gantry.wire.Command;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Starts that were sent and are not to begin any more. */
@Singleton
public final class StartWithdrawal {
    private final CandidateLoader candidates;
    private final Table<Printer> printers;
    private final Table<PrintJob> jobs;
    private final JobRows jobRows;
    private final PrinterConditionRows conditions;
    private final FailureRows failures;
    private final SchedulerRows queue;
    private final JobTransitions transitions;
    private final JobCommands commands;
    private final PrinterReadiness readiness;
    private final InstantSource clock;

    StartWithdrawal(
            CandidateLoader candidates,
            Tables tables,
            JobRows jobRows,
            PrinterConditionRows conditions,
            FailureRows failures,
            SchedulerRows queue,
            JobTransitions transitions,
            JobCommands commands,
            PrinterReadiness readiness,
            InstantSource clock) {
        this.candidates = candidates;
        this.printers = tables.of(Printer.class);
        this.jobs = tables.of(PrintJob.class);
        this.jobRows = jobRows;
        this.conditions = conditions;
        this.failures = failures;
        this.queue = queue;
        this.transitions = transitions;
        this.commands = commands;
        this.readiness = readiness;
        this.clock = clock;
    }

    /**
     * Withdraws the start that was sent to the printer, unless it is known to have begun: the job returns to the queue, and the
     * printer stays occupied until its agent reports that none of it is running.
     */
    public void withdraw(Tx tx, Printer printer) {
        lockJobOf(tx, printer).ifPresent(job -> withdraw(tx, printer, job));
    }

    private void withdraw(Tx tx, Printer printer, PrintJob job) {
        if (transitions.returnToQueue(tx, job, JobStatus.Transition.RETURN).isPresent()
                && !commands.send(
                        tx, job, new Command.Cancel(job.id(), job.attempt()), JobCancellation.COMMAND_TIMEOUT)) {
            readiness.release(tx, printer.id(), job.id(), null);
        }
    }

    /** The job that the printer has, locked. */
    private Optional<PrintJob> lockJobOf(Tx tx, Printer printer) {
        return Optional.ofNullable(printer.printingJobId())
                .flatMap(id -> jobs.lock(tx, id))
                .filter(job -> printer.id().equals(job.assignedPrinterId()));
    }

    /** Returns the job to the queue that the printer has and has not begun: its file is for another machine than this is now. */
    public void unassign(Tx tx, Printer printer) {
        lockJobOf(tx, printer).ifPresent(job -> unassign(tx, printer, job));
    }

    /** Withdraws the jobs of several printers, if their files are sliced for the filament that was in one of these slots. */
    public void unassign(Tx tx, Map<String, List<PrintJob.Slot>> places) {
        if (places.isEmpty()) {
            return;
        }
        jobRows.lockJobsAtPrinters(tx, places.keySet());
        Map<String, Printer> changed = printers.lockAll(tx, places.keySet());
        List<PrintJob> concerned = jobs
                .lockAll(
                        tx,
                        changed.values().stream()
                                .flatMap(printer -> Stream.ofNullable(printer.printingJobId()))
                                .toList())
                .values()
                .stream()
                .filter(job -> takesFrom(job, places))
                .toList();
        Map<String, Requirement> requirements =
                queue.requirements(tx, concerned.stream().map(PrintJob::id).toList());
        for (PrintJob job : concerned) {
            Printer printer = changed.get(job.assignedPrinterId());
            Requirement requirement = requirements.get(job.id());
            if (printer != null
                    && job.id().equals(printer.printingJobId())
                    && requirement != null
                    && requirement.needsSlicing()) {
                unassign(tx, printer, job);
            }
        }
    }

    /** Withdraws these jobs as they were read, and those at the printers, unless they were sent or returned meanwhile. */
    void unassign(Tx tx, Collection<PrintJob> read, Map<String, List<PrintJob.Slot>> places) {
        if (!read.isEmpty()) {
            jobs.lockWithoutReading(
                    tx,
                    Stream.concat(read.stream().map(PrintJob::id), jobRows.findJobsAtPrinters(tx, places.keySet()).stream())
                            .toList());
            printers.lockWithoutReading(
                    tx,
                    Stream.concat(
                                    read.stream().flatMap(job -> Stream.ofNullable(job.assignedPrinterId())),
                                    places.keySet().stream())
                            .toList());
            unassignNotSent(tx, read);
        }
        unassign(tx, places);
    }

    private void unassignNotSent(Tx tx, Collection<PrintJob> read) {
        Map<String, PrintJob> locked =
                jobs.lockAll(tx, read.stream().map(PrintJob::id).toList());
        List<PrintJob> same = read.stream()
                .flatMap(job -> Stream.ofNullable(locked.get(job.id())).filter(now -> now.attempt() == job.attempt()))
                .filter(job -> job.status().after(JobStatus.Transition.UNASSIGN).isPresent())
                .toList();
        transitions.returnToQueue(tx, same, JobStatus.Transition.UNASSIGN, null);
        readiness.unassignAll(tx, same);
    }

    /** Returns whether the job takes a filament from one of its printer's places. */
    private static boolean takesFrom(PrintJob job, Map<String, List<PrintJob.Slot>> places) {
        Map<String, PrintJob.Slot> mapping = job.materialMapping();
        List<PrintJob.Slot> ofPrinter = places.get(job.assignedPrinterId());
        return mapping != null && ofPrinter != null && !Collections.disjoint(mapping.values(), ofPrinter);
    }

    private void unassign(Tx tx, Printer printer, PrintJob job) {
        if (transitions.returnToQueue(tx, job, JobStatus.Transition.UNASSIGN).isPresent()) {
            readiness.unassign(tx, printer.id(), job.id());
        } else {
            withdraw(tx, printer, job);
        }
    }

    /**
     * The commands of an agent, of which starts are expired that were taken back, or if the queue is paused meanwhile, their part
     * is held, or their printer is out of service, has a bed in doubt or holds other filament: an agent that does not know them
     * yet gives them back, and their jobs return to the queue.
     */
    public List<Command> expireWithdrawn(Tx tx, List<CommandRows.PendingCommand> pending) {
        List<Start> starts = pending.stream().flatMap(StartWithdrawal::start).toList();
        Set<String> withdrawn = starts.isEmpty() ? Set.of() : findWithdrawn(tx, starts);
        return pending.stream()
                .map(CommandRows.PendingCommand::command)
                .map(command -> withdrawn.contains(command.commandId()) ? expired(command) : command)
                .toList();
    }

    private record Start(String commandId, String printerId, String jobId, int attempt) {}

    private static Stream<Start> start(CommandRows.PendingCommand pending) {
        Command command = pending.command();
        return command.action() instanceof Command.Print print
                ? Stream.of(new Start(command.commandId(), pending.printerId(), print.jobId(), print.attempt()))
                : Stream.empty();
    }

    private static Command expired(Command command) {
        return new Command(command.commandId(), command.deviceId(), Instant.EPOCH, command.action());
    }

    /** The ids of the commands that are. */
    private Set<String> findWithdrawn(Tx tx, List<Start> starts) {
        StoreSettings settings = candidates.loadSettings(tx);
        boolean isPaused = settings.queuePausedAt() != null;
        Set<String> open = findInService(tx, starts.stream().map(Start::printerId).toList());
        Map<String, PrintJob> started =
                jobs.findAll(tx, starts.stream().map(Start::jobId).toList());
        Set<String> held = findOfHeldParts(tx, started.values());
        Set<String> misloaded = findMisloaded(tx, settings, started.values());
        return starts.stream()
                .filter(start -> isPaused
                        || isWithdrawn(started.get(start.jobId()), start)
                        || held.contains(start.jobId())
                        || misloaded.contains(start.jobId())
                        || !open.contains(start.printerId()))
                .map(Start::commandId)
                .collect(Collectors.toSet());
    }

    /** Returns whether the job has returned to the queue since. */
    private static boolean isWithdrawn(@Nullable PrintJob job, Start start) {
        return job != null
                && (job.attempt() != start.attempt() || !start.printerId().equals(job.assignedPrinterId()));
    }

    /** Returns whether prints may begin there that were decided on before. */
    static boolean isInService(Candidate candidate) {
        Printer printer = candidate.printer();
        return printer.enabled()
                && !printer.isInMaintenance()
                && printer.quarantinedAt() == null
                && JobMatcher.isReady(candidate);
    }

    private Set<String> findInService(Tx tx, Collection<String> printerIds) {
        Map<String, PrinterCondition> known = conditions.find(tx, printerIds, clock.instant());
        return printers.findAll(tx, printerIds).values().stream()
                .filter(printer -> isInService(
                        new Candidate(printer, Objects.requireNonNull(known.get(printer.id())), false, List.of())))
                .map(Printer::id)
                .collect(Collectors.toSet());
    }

    private Set<String> findOfHeldParts(Tx tx, Collection<PrintJob> started) {
        Set<String> held = failures.findHeldParts(tx);
        return started.stream()
                .filter(job -> held.contains(job.partId()))
                .map(PrintJob::id)
                .collect(Collectors.toSet());
    }

    private Set<String> findMisloaded(Tx tx, StoreSettings settings, Collection<PrintJob> started) {
        Map<String, Requirement> requirements =
                queue.requirements(tx, started.stream().map(PrintJob::id).toList());
        return requirements.values().stream().anyMatch(JobMatcher::asksForFilament)
                ? candidates.findMisloaded(tx, candidates.loadMatcher(tx, settings), requirements, started)
                : Set.of();
    }
}
