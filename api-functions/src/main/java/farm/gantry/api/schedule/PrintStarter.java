package farm.gantry.api.schedule;

import farm.gantry.RecordBuilder;
import farm.gantry.api.database.Change;
import farm.gantry.api.database.Tx;
import farm.gantry.api.job.lifecycle.FailureRows;
import farm.gantry.api.job.lifecycle.JobTransitions;
import farm.gantry.api.printer.command.CommandRows;
import farm.gantry.api.printer.readiness.PrinterReadiness;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.printer.Printer;
import farm.gantry.schedule.Candidate;
import farm.gantry.schedule.JobMatcher;
import farm.gantry.schedule.PrinterCondition;
import farm.gantry.schedule.Requirement;
import farm.gantry.wire.Command;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Sends ready jobs to their printers, longest waiting first, within the limits of throttle groups. */
@Singleton
final class PrintStarter {
    private static final Comparator<PrintJob> BY_WAITING_TIME = Comparator.comparing(
                    PrintJob::assignmentCompletedAt, Comparator.nullsFirst(Comparator.<Instant>naturalOrder()))
            .thenComparingInt(PrintJob::priority)
            .thenComparingLong(PrintJob::queueOrder)
            .thenComparing(PrintJob::id);
    private static final List<JobStatus.Transition> ASSIGNED = List.of(JobStatus.Transition.ASSIGN, JobStatus.Transition.MAKE_READY);
    private static final List<JobStatus.Transition> ASSIGNED_AND_SENT =
            List.of(JobStatus.Transition.ASSIGN, JobStatus.Transition.MAKE_READY, JobStatus.Transition.SEND);

    private final CandidateLoader candidates;
    private final ThrottleLimiter throttles;
    private final JobTransitions transitions;
    private final PrinterReadiness readiness;
    private final CommandRows commands;
    private final FailureRows failures;
    private final SchedulerRows queue;

    PrintStarter(
            CandidateLoader candidates,
            ThrottleLimiter throttles,
            JobTransitions transitions,
            PrinterReadiness readiness,
            CommandRows commands,
            FailureRows failures,
            SchedulerRows queue) {
        this.candidates = candidates;
        this.throttles = throttles;
        this.transitions = transitions;
        this.readiness = readiness;
        this.commands = commands;
        this.failures = failures;
        this.queue = queue;
    }

    /**
     * The locked input of the decision about starts: jobs that are ready at a printer, waiting jobs with the printers that they get
     * now, and the printers of both; {@code ackSequences} is agent id → the sequence of its last event, read before the printers,
     * so that an event in between invalidates a start.
     */
    record StartInput(
            JobMatcher matching,
            List<PrintJob> jobs,
            List<PrinterAssignment> assigned,
            Map<String, Candidate> printers,
            Map<String, Long> ackSequences) {

        private Stream<PrintJob> allJobs() {
            return Stream.concat(jobs.stream(), assigned.stream().map(PrinterAssignment::job));
        }

        /** Returns whether the job has the printer; a waiting job gets it now. */
        private static boolean has(PrintJob job, Printer printer) {
            return job.status() == JobStatus.Pending || job.id().equals(printer.printingJobId());
        }
    }

    /** The jobs that were sent to their printers, and those that are unfit for theirs. */
    record StartResult(Set<String> sent, Set<String> unfit) {}

    /** Starts jobs; those that must wait stay ready at their printers. The caller updates their builds. */
    StartResult start(Tx tx, StartInput ready, ThrottleLimiter.ThrottleState held, Instant now) {
        Set<String> unfit = findUnfit(tx, ready);
        returnToQueue(
                tx,
                ready.jobs().stream().filter(job -> unfit.contains(job.id())).toList());
        List<PrintJob> fit = ready.allJobs()
                .filter(job -> !unfit.contains(job.id()))
                .sorted(BY_WAITING_TIME)
                .toList();
        List<PrintJob> starting = throttles.admit(tx, fit, ready.printers(), held, now);
        Set<String> sent = starting.stream().map(PrintJob::id).collect(Collectors.toSet());
        transitions.applyAll(
                tx,
                JobStatus.READY_FOR_PRINTER,
                List.of(JobStatus.Transition.SEND),
                ready.jobs().stream()
                        .map(PrintJob::id)
                        .filter(sent::contains)
                        .collect(Collectors.toMap(Function.identity(), _ -> new Change<PrintJob>())));
        ready.assigned().stream()
                .filter(each -> !unfit.contains(each.job().id()))
                .collect(Collectors.partitioningBy(
                        each -> sent.contains(each.job().id())))
                .forEach((isSent, alike) -> transitions.applyAll(
                        tx,
                        JobStatus.Pending,
                        isSent ? ASSIGNED_AND_SENT : ASSIGNED,
                        PrinterAssignment.changes(alike)));
        commands.addAll(
                tx,
                starting.stream()
                        .map(job -> startCommand(job, ThrottleLimiter.printerOf(ready.printers(), job), ready.ackSequences()))
                        .toList(),
                CommandRows.START_COMMAND_LIFETIME);
        return new StartResult(sent, unfit);
    }

    /** Returns jobs to the queue. */
    private void returnToQueue(Tx tx, List<PrintJob> jobs) {
        transitions.returnToQueue(tx, jobs, JobStatus.Transition.UNASSIGN, null);
        readiness.unassignAll(tx, jobs);
    }

    /**
     * The jobs whose printers can not start them any more, or are of another kind or hold other filament than when they got them,
     * and those of parts on hold.
     */
    private Set<String> findUnfit(Tx tx, StartInput ready) {
        List<PrintJob> jobs = ready.allJobs().toList();
        Set<String> heldParts = failures.findHeldParts(tx);
        Map<String, Requirement> requirements =
                queue.requirements(tx, jobs.stream().map(PrintJob::id).toList());
        Set<String> misloaded = candidates.findMisloaded(tx, ready.matching(), requirements, jobs);
        return jobs.stream()
                .filter(job -> {
                    Candidate printer = job.assignedPrinterId() == null
                            ? null
                            : ready.printers().get(job.assignedPrinterId());
                    return printer == null
                            || !StartInput.has(job, printer.printer())
                            || !mayStart(printer)
                            || !ready.matching()
                                    .fitsMachine(Objects.requireNonNull(requirements.get(job.id())), printer)
                            || misloaded.contains(job.id())
                            || heldParts.contains(job.partId());
                })
                .map(PrintJob::id)
                .collect(Collectors.toSet());
    }

    /** Returns whether the job that has the printer may be sent to it. */
    private static boolean mayStart(Candidate candidate) {
        Printer printer = candidate.printer();
        PrinterCondition condition = candidate.condition();
        return printer.isOnline()
                && printer.proxyClientId() != null
                && condition.isFit()
                && !condition.isBusy()
                && StartWithdrawal.isInService(candidate);
    }

    /** Creates the start command with the file's URI; the signed URL is made when the agent fetches the command. */
    private static CommandRows.NewCommand startCommand(PrintJob job, Printer printer, Map<String, Long> ackSequences) {
        String agentId = Objects.requireNonNull(printer.proxyClientId());
        PrintJob.FileToPrint file = job.filesToPrint().getFirst();
        PrintJob.@Nullable Plate plate =
                job.extensions() == null ? null : job.extensions().threeMf();
        return new CommandRows.NewCommand(
                agentId,
                printer.id(),
                RecordBuilder.of(Command.Print.class)
                        .with(Command.Print::jobId, job.id())
                        .with(Command.Print::attempt, job.attempt())
                        .with(Command.Print::fileName, file.name())
                        .with(Command.Print::url, file.uri())
                        .with(Command.Print::size, file.size())
                        .with(Command.Print::sha256, file.sha256())
                        .with(Command.Print::plateId, plate == null ? null : plate.plateId())
                        .with(Command.Print::plateEntry, plate == null ? null : plate.gcodeFile())
                        .with(Command.Print::taskId, job.taskId())
                        .with(Command.Print::options, printer.providerConfig())
                        .with(Command.Print::materialMapping, job.materialMapping())
                        .with(Command.Print::skipObjects, plate == null ? null : plate.skipObjects())
                        .with(Command.Print::heardSequence, ackSequences.get(agentId))
                        .build());
    }
}
