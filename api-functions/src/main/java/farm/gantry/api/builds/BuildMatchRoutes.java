package farm.gantry.api.builds;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.Permission;
import farm.gantry.api.database.Database;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.schedule.CandidateLoader;
import farm.gantry.api.schedule.SchedulerRows;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.builds.PartPlan;
import farm.gantry.builds.PlatePlan;
import farm.gantry.schedule.Candidate;
import farm.gantry.schedule.RuleResult;
import farm.gantry.schedule.RuleExplainer;
import farm.gantry.schedule.Requirement;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks which printers could take the jobs of a build before it is queued, by the scheduler's own rules. */
@Controller("/v2/builds/matching")
@Blocking
final class BuildMatchRoutes {
    private final BuildPlanner planner;
    private final CandidateLoader candidates;
    private final SchedulerRows rows;
    private final Database database;
    private final RecordReader reader;

    BuildMatchRoutes(
            BuildPlanner planner, CandidateLoader candidates, SchedulerRows rows, Database database, RecordReader reader) {
        this.planner = planner;
        this.candidates = candidates;
        this.rows = rows;
        this.database = database;
        this.reader = reader;
    }

    @Serdeable
    record BuildMatches(List<PlateMatches> plates) {}

    /**
     * {@code plateId} is null for a part without plates; {@code printers} is printer → the checks it fails, in the order in
     * which printers would be chosen: one that fails none could take the plate now.
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record PlateMatches(
            String partId,
            @Nullable Integer plateId,
            @Nullable String plateName,
            Map<String, List<RuleResult>> printers) {}

    /**
     * Returns the printers that could take each plate of a build. For the others, lists the checks that they fail.
     * Takes the body of {@code POST /v2/builds}; nothing is queued.
     */
    @Post
    @Status(HttpStatus.CREATED)
    @RequiresPermission({Permission.JOB_CREATE, Permission.QUEUE_VIEW})
    BuildMatches match(Caller caller, @Body @BodyType(BuildRequest.class) JsonNode body) {
        BuildRequest request = reader.read(BuildRequest.class, body);
        return database.in(caller, tx -> {
            List<PartPlan> parts = planner.plan(tx, request).stream()
                    .flatMap(plan -> plan.parts().stream())
                    .toList();
            List<Candidate> printers = RuleExplainer.sortByPreference(candidates.loadAll(tx));
            RuleExplainer explanation = new RuleExplainer(candidates.loadMatcher(tx, candidates.loadSettings(tx)), rows.names(tx));
            Map<Requirement, Map<String, List<RuleResult>>> known = new HashMap<>();
            List<PlateMatches> plates = new ArrayList<>();
            for (PartPlan part : parts) {
                for (PlatePlan plate : printedPlates(part)) {
                    plates.add(new PlateMatches(
                            part.part().id(),
                            plate.plateId(),
                            plate.plateName(),
                            known.computeIfAbsent(
                                    part.requirement(plate), asked -> failedChecks(asked, printers, explanation))));
                }
            }
            return new BuildMatches(plates);
        });
    }

    private static List<PlatePlan> printedPlates(PartPlan part) {
        return part.quantity() == 0
                ? List.of()
                : part.plates().stream().filter(plate -> plate.copies() > 0).toList();
    }

    private static Map<String, List<RuleResult>> failedChecks(
            Requirement requirement, List<Candidate> printers, RuleExplainer explanation) {
        Map<String, List<RuleResult>> failed = new LinkedHashMap<>();
        printers.forEach(candidate -> failed.put(
                candidate.printer().id(),
                explanation.checks(requirement, candidate).stream()
                        .filter(check -> !check.passed())
                        .toList()));
        return failed;
    }
}
