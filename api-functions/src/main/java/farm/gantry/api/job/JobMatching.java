package farm.gantry.api.job;

import farm.gantry.Permission;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.schedule.JobExplanation;
import farm.gantry.api.schedule.JobExplanationLoader;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.schedule.Candidate;
import farm.gantry.schedule.Rule;
import farm.gantry.schedule.RuleResult;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.serde.annotation.Serdeable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Explains why a job waits or which printer it got, with the checks of the scheduler for the job and each printer. */
@Controller("/v1/print-jobs/{id}")
@Blocking
final class JobMatching {
    private final Table<PrintJob> jobs;
    private final Database database;
    private final JobExplanationLoader explanations;

    JobMatching(Tables tables, Database database, JobExplanationLoader explanations) {
        this.jobs = tables.of(PrintJob.class);
        this.database = database;
        this.explanations = explanations;
    }

    /** Printer id → whether it may get the job, or why not. */
    @Serdeable
    record MatchingDetails(String printJobId, Map<String, PrinterMatch> details) {}

    /**
     * {@code reasonCode} is {@code matched}; {@code assigned} if the printer has the job; {@code throttled} while its
     * start is held; or the code of the first failed check. The printer with {@code priority} 1 would get the job
     * first.
     */
    @Serdeable
    record PrinterMatch(
            boolean matched,
            String reasonCode,
            String reason,
            @Nullable Integer priority,
            PrinterMatchData data) {}

    /**
     * {@code materialMapping} maps filament index to the slot of this printer; {@code lackingGrams} is the missing
     * filament on its spools.
     */
    @Serdeable
    record PrinterMatchData(
            String printerName,
            List<String> failedChecks,
            Map<String, PrintJob.Slot> materialMapping,
            double lackingGrams) {}

    /** Every check of every printer, in order. */
    @Serdeable
    record PrinterChecks(String printJobId, Map<String, List<RuleResult>> printers) {}

    private record MatchingInput(PrintJob job, JobExplanation explanation) {}

    private MatchingInput findMatchingInput(Tx tx, String id) {
        PrintJob job = jobs.find(tx, Resources.parseId(id)).orElseThrow(() -> ProblemException.notFound("print job"));
        return new MatchingInput(job, explanations.load(tx, id));
    }

    /**
     * Returns whether each printer may get a job, and why not. Printers come in the order in which they would be
     * chosen.
     */
    @Get("/matching-details")
    @RequiresPermission(Permission.QUEUE_VIEW)
    MatchingDetails details(Caller caller, String id) {
        MatchingInput known = database.in(caller, tx -> findMatchingInput(tx, id));
        Map<String, PrinterMatch> details = new LinkedHashMap<>();
        AtomicInteger priority = new AtomicInteger();
        for (Candidate candidate : known.explanation().printers()) {
            Optional<RuleResult> obstacle = known.explanation().findObstacle(candidate);
            PrinterMatch detail = id.equals(candidate.printer().printingJobId())
                    ? matchOfAssigned(known, candidate)
                    : obstacle.map(check -> new PrinterMatch(
                                    false, check.code(), check.explanation(), null, toMatchData(known, candidate)))
                            .orElseGet(() -> new PrinterMatch(
                                    true,
                                    "matched",
                                    "The printer can get the job.",
                                    priority.incrementAndGet(),
                                    toMatchData(known, candidate)));
            details.put(candidate.printer().id(), detail);
        }
        return new MatchingDetails(id, details);
    }

    private static PrinterMatch matchOfAssigned(MatchingInput known, Candidate candidate) {
        boolean isHeld = known.job().status() == JobStatus.READY_FOR_PRINTER && candidate.isThrottled();
        return new PrinterMatch(
                true,
                isHeld ? Rule.THROTTLED.code() : "assigned",
                isHeld
                        ? "The printer has the job and starts it when its throttle group allows it."
                        : "The printer has the job, which is "
                                + known.job().status().wireName() + ".",
                null,
                toMatchData(known, candidate));
    }

    private static PrinterMatchData toMatchData(MatchingInput known, Candidate candidate) {
        Map<String, PrintJob.Slot> mapping = new LinkedHashMap<>();
        JobExplanation explanation = known.explanation();
        explanation
                .rules()
                .assignSlots(explanation.requirement(), candidate)
                .forEach((index, slot) -> mapping.put(String.valueOf(index), slot));
        return new PrinterMatchData(
                candidate.printer().name(),
                explanation.failedChecks(candidate).stream()
                        .map(RuleResult::code)
                        .toList(),
                mapping,
                explanation.rules().lackingGrams(explanation.requirement(), candidate));
    }

    /**
     * Returns every check of every printer for a job. Unlike the matching details, it includes the checks that pass.
     */
    @Get("/matching-troubleshoot")
    @RequiresPermission(Permission.QUEUE_VIEW)
    PrinterChecks troubleshoot(Caller caller, String id) {
        JobExplanation explanation =
                database.in(caller, tx -> findMatchingInput(tx, id)).explanation();
        Map<String, List<RuleResult>> printers = new LinkedHashMap<>();
        explanation
                .printers()
                .forEach(candidate -> printers.put(candidate.printer().id(), explanation.checks(candidate)));
        return new PrinterChecks(id, printers);
    }
}
