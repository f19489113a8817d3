package farm.gantry.api.builds;

import farm.gantry.Permission;
import farm.gantry.api.database.Tx;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.schedule.CandidateLoader;
import farm.gantry.api.schedule.SchedulerRows;
import farm.gantry.api.security.Caller;
import farm.gantry.schedule.Candidate;
import farm.gantry.schedule.JobMatcher;
import farm.gantry.schedule.Requirement;
import farm.gantry.schedule.RuleExplainer;
import farm.gantry.schedule.RuleResult;
import jakarta.inject.Singleton;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Completes the response to a build with what its first job waits for, by the scheduler's own rules. */
@Singleton
final class BuildAnswers {
    private final CandidateLoader candidates;
    private final SchedulerRows rows;
    private final RecordReader reader;

    BuildAnswers(CandidateLoader candidates, SchedulerRows rows, RecordReader reader) {
        this.candidates = candidates;
        this.rows = rows;
        this.reader = reader;
    }

    RawJson<BuildsResponse> of(Tx tx, Caller caller, CreatedBuilds created) {
        String jobId = created.firstJobId();
        BuildsResponse.WaitsFor waitsFor =
                jobId == null || !caller.hasPermission(Permission.QUEUE_VIEW) ? null : waitsFor(tx, jobId);
        String rest = ",\"skuBuilds\":" + created.skuBuilds().text() + ",\"waitsFor\":"
                + (waitsFor == null ? "null" : reader.toText(waitsFor)) + "}";
        return created.partBuilds().wrap("{\"partBuilds\":", rest);
    }

    private BuildsResponse.@Nullable WaitsFor waitsFor(Tx tx, String jobId) {
        List<Candidate> printers = RuleExplainer.sortByPreference(candidates.loadForJob(tx, jobId));
        if (printers.isEmpty()) {
            return new BuildsResponse.WaitsFor(
                    jobId, null, null, "no-printer", "The store has no printer: register one with POST /v1/printers.");
        }
        JobMatcher matching = candidates.loadMatcher(tx, candidates.loadSettings(tx));
        RuleExplainer explanation = new RuleExplainer(matching, rows.names(tx));
        Requirement requirement = matching.avoidFailedPrinters(
                printers,
                Objects.requireNonNull(rows.requirements(tx, List.of(jobId)).get(jobId)));
        if (printers.stream()
                .anyMatch(printer ->
                        explanation.findObstacle(requirement, printer).isEmpty())) {
            return null;
        }
        return printers.stream()
                .min(Comparator.comparingLong(printer -> failures(explanation, requirement, printer)))
                .flatMap(printer -> of(jobId, printer, explanation.findObstacle(requirement, printer)))
                .orElse(null);
    }

    private static long failures(RuleExplainer explanation, Requirement requirement, Candidate printer) {
        return explanation.checks(requirement, printer).stream()
                .filter(check -> !check.passed())
                .count();
    }

    private static Optional<BuildsResponse.WaitsFor> of(
            String jobId, Candidate printer, Optional<RuleResult> obstacle) {
        return obstacle.map(check -> new BuildsResponse.WaitsFor(
                jobId, printer.printer().id(), printer.printer().name(), check.code(), check.explanation()));
    }
}
