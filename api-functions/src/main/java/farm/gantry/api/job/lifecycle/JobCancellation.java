package farm.gantry.api.job.lifecycle;

import farm.gantry.api.database.Change;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.printer.readiness.PrinterReadiness;
import farm.gantry.api.resource.Resources;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.wire.Command;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Cancels jobs, and frees or stops their printers. */
@Singleton
public final class JobCancellation {
    /** Lifetime of a cancel command, so that an agent that was offline still gets it. */
    public static final Duration COMMAND_TIMEOUT = Duration.ofDays(7);

    private final Table<PrintJob> jobs;
    private final JobTransitions transitions;
    private final PrinterReadiness readiness;
    private final JobCommands commands;

    JobCancellation(Tables tables, JobTransitions transitions, PrinterReadiness readiness, JobCommands commands) {
        this.jobs = tables.of(PrintJob.class);
        this.transitions = transitions;
        this.readiness = readiness;
        this.commands = commands;
    }

    /**
     * Cancels a locked job immediately. If a printer already has it, the printer stays occupied until it reports that
     * it stopped.
     */
    public Optional<PrintJob> cancel(Tx tx, PrintJob job) {
        return cancel(tx, List.of(job)).stream().findFirst();
    }

    /** Cancels locked jobs and updates their builds once; returns the jobs that had not ended. */
    public List<PrintJob> cancel(Tx tx, List<PrintJob> some) {
        List<PrintJob> cancelled = applyCancel(tx, some);
        Set<String> ids = cancelled.stream().map(PrintJob::id).collect(Collectors.toSet());
        some.stream()
                .filter(job -> job.status().isAtPrinter() && ids.contains(job.id()))
                .forEach(job -> stop(tx, job));
        return cancelled;
    }

    private void stop(Tx tx, PrintJob job) {
        boolean isTold = commands.send(tx, job, new Command.Cancel(job.id(), job.attempt()), COMMAND_TIMEOUT);
        String printerId = job.assignedPrinterId();
        if (!isTold && printerId != null) {
            readiness.release(tx, printerId, job.id(), null);
        }
    }

    /** Cancels the jobs that are not at a printer yet; returns their ids. */
    public List<String> cancelNotStarted(Tx tx, Collection<String> jobIds) {
        List<PrintJob> notStarted = jobs.lockAll(tx, jobIds).values().stream()
                .filter(job -> !job.status().isAtPrinter())
                .toList();
        return cancel(tx, notStarted).stream().map(PrintJob::id).toList();
    }

    private List<PrintJob> applyCancel(Tx tx, List<PrintJob> some) {
        for (PrintJob job : some) {
            String printerId = job.assignedPrinterId();
            if (printerId != null
                    && !job.status().isAtPrinter()
                    && job.status().after(JobStatus.Transition.CANCEL).isPresent()) {
                // first, so that the event shows the freed printer
                readiness.unassign(tx, printerId, job.id());
            }
        }
        return transitions.apply(
                tx, some, JobStatus.Transition.CANCEL, new Change<PrintJob>().set(PrintJob::cancelledAt, Resources.now()));
    }
}
