package farm.gantry.api.builds;

import farm.gantry.Permission;
import farm.gantry.api.database.Tx;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.schedule.JobExplanation;
import farm.gantry.api.schedule.JobExplanationLoader;
import farm.gantry.api.security.Caller;
import farm.gantry.schedule.Candidate;
import farm.gantry.schedule.RuleResult;
import jakarta.inject.Singleton;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** Completes the response to a build with what its first job waits for, by the scheduler's own rules. */
@Singleton
final class BuildResponses {
    private final JobExplanationLoader explanations;
    private final RecordReader reader;

    BuildResponses(JobExplanationLoader explanations, RecordReader reader) {
        this.explanations = explanations;
        this.reader = reader;
    }

    RawJson<BuildsResponse> create(Tx tx, Caller caller, CreatedBuilds created) {
        String jobId = created.firstJobId();
        BuildsResponse.WaitsFor waitsFor =
                jobId == null || !caller.hasPermission(Permission.QUEUE_VIEW) ? null : findWaitReason(tx, jobId);
        String rest = ",\"skuBuilds\":" + created.skuBuilds().text() + ",\"waitsFor\":"
                + (waitsFor == null ? "null" : reader.toText(waitsFor)) + "}";
        return created.partBuilds().wrap("{\"partBuilds\":", rest);
    }

    private BuildsResponse.@Nullable WaitsFor findWaitReason(Tx tx, String jobId) {
        JobExplanation explanation = explanations.load(tx, jobId);
        if (explanation.printers().isEmpty()) {
            return new BuildsResponse.WaitsFor(
                    jobId, null, null, "no-printer", "The store has no printer: register one with POST /v1/printers.");
        }
        if (explanation.printers().stream()
                .anyMatch(printer -> explanation.findObstacle(printer).isEmpty())) {
            return null;
        }
        Candidate closest = explanation.printers().stream()
                .min(Comparator.comparingInt(
                        printer -> explanation.failedChecks(printer).size()))
                .orElseThrow();
        RuleResult obstacle = explanation.findObstacle(closest).orElseThrow();
        return new BuildsResponse.WaitsFor(
                jobId, closest.printer().id(), closest.printer().name(), obstacle.code(), obstacle.explanation());
    }
}
