package farm.gantry.api.link;

import farm.gantry.api.database.Change;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.file.JobRows;
import farm.gantry.api.job.lifecycle.JobTransitions;
import farm.gantry.api.printer.command.CommandRows;
import farm.gantry.api.printer.readiness.PrinterReadiness;
import farm.gantry.api.resource.Resources;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.printer.Printer;
import farm.gantry.wire.Command;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles the loss of an agent's journal: the agent will report no outcome for its printers and prints. */
@Singleton
final class LostJournalHandler {
    private static final Logger LOG = LoggerFactory.getLogger(LostJournalHandler.class);
    private static final String LOST = "its agent has lost its data";

    private final ServedPrinterRows served;
    private final Table<Printer> printers;
    private final Table<PrintJob> jobs;
    private final JobRows jobRows;
    private final CommandRows commands;
    private final JobTransitions transitions;
    private final PrinterReadiness readiness;

    LostJournalHandler(
            ServedPrinterRows served,
            Tables tables,
            JobRows jobRows,
            CommandRows commands,
            JobTransitions transitions,
            PrinterReadiness readiness) {
        this.served = served;
        this.printers = tables.of(Printer.class);
        this.jobs = tables.of(PrintJob.class);
        this.jobRows = jobRows;
        this.commands = commands;
        this.transitions = transitions;
        this.readiness = readiness;
    }

    /**
     * Requires each bed to be checked. Jobs whose start was acknowledged fail. A job whose start was not acknowledged
     * is left to the agent, which returns it while the bed is unconfirmed. Pending stops and returns are dropped and
     * their printers freed.
     */
    void onLost(Tx tx, String agentId) {
        LOG.warn("agent {} has lost its journal: its running jobs fail; check the beds of its printers", agentId);
        Collection<String> ids = served.printerIdsByDevice(tx, agentId).values();
        jobRows.lockJobsAtPrinters(tx, ids);
        Map<String, Printer> locked = printers.lockAll(tx, ids);
        Map<String, PrintJob> taken = jobs.lockAll(
                tx,
                locked.values().stream()
                        .flatMap(printer -> Stream.ofNullable(printer.printingJobId()))
                        .toList());
        Set<Command.Action> unacknowledged = commands.findPending(tx, agentId).stream()
                .map(kept -> kept.command().action())
                .collect(Collectors.toSet());
        locked.values().forEach(printer -> {
            readiness.onUnexpectedUse(tx, printer.id(), LOST);
            String jobId = printer.printingJobId();
            if (jobId != null) {
                release(tx, printer, jobId, taken.get(jobId), unacknowledged);
            }
        });
    }

    private void release(
            Tx tx, Printer printer, String jobId, @Nullable PrintJob job, Set<Command.Action> unacknowledged) {
        if (job == null || !job.status().isActive() || !printer.id().equals(job.assignedPrinterId())) {
            readiness.release(tx, printer.id(), jobId, null);
        } else if (job.status().isAtPrinter() && !isStartOf(job, unacknowledged)) {
            readiness.release(tx, printer.id(), jobId, null);
            transitions.apply(
                    tx,
                    job,
                    JobStatus.Transition.FAIL,
                    new Change<PrintJob>()
                            .set(PrintJob::printingCompletedAt, Resources.now())
                            .set(
                                    PrintJob::errorMessage,
                                    LOST + ", so the outcome of the print is unknown: check the printer"));
        }
    }

    private static boolean isStartOf(PrintJob job, Set<Command.Action> unacknowledged) {
        return unacknowledged.stream()
                .anyMatch(action -> action instanceof Command.Print print
                        && print.jobId().equals(job.id())
                        && print.attempt() == job.attempt());
    }
}
