package farm.gantry.api.schedule;

import farm.gantry.api.database.Tx;
import farm.gantry.schedule.Candidate;
import farm.gantry.schedule.JobMatcher;
import farm.gantry.schedule.Requirement;
import farm.gantry.schedule.RuleExplainer;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Objects;

/** Loads what is needed to explain why a job waits, with the scheduler's own rules. */
@Singleton
public final class JobExplanationLoader {
    private final CandidateLoader candidates;
    private final SchedulerRows rows;

    JobExplanationLoader(CandidateLoader candidates, SchedulerRows rows) {
        this.candidates = candidates;
        this.rows = rows;
    }

    public JobExplanation load(Tx tx, String jobId) {
        JobMatcher matching = candidates.loadMatcher(tx, candidates.loadSettings(tx));
        List<Candidate> printers = candidates.loadForJob(tx, jobId);
        Requirement requirement =
                Objects.requireNonNull(rows.requirements(tx, List.of(jobId)).get(jobId));
        return new JobExplanation(
                matching.avoidFailedPrinters(printers, requirement),
                RuleExplainer.sortByPreference(printers),
                new RuleExplainer(matching, rows.names(tx)));
    }
}
