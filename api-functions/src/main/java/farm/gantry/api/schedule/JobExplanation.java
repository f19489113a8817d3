package farm.gantry.api.schedule;

import farm.gantry.schedule.Candidate;
import farm.gantry.schedule.Requirement;
import farm.gantry.schedule.RuleExplainer;
import farm.gantry.schedule.RuleResult;
import java.util.List;
import java.util.Optional;

/**
 * What is needed to explain why a job waits. {@code printers} are all printers of the store, in the order in which they
 * would be chosen.
 */
public record JobExplanation(Requirement requirement, List<Candidate> printers, RuleExplainer rules) {
    /** Returns the first check that the printer fails; empty if it can get the job. */
    public Optional<RuleResult> findObstacle(Candidate printer) {
        return rules.findObstacle(requirement, printer);
    }

    /** Returns all checks of the printer, in order. */
    public List<RuleResult> checks(Candidate printer) {
        return rules.checks(requirement, printer);
    }

    /** Returns the checks that the printer fails, in order. */
    public List<RuleResult> failedChecks(Candidate printer) {
        return checks(printer).stream().filter(check -> !check.passed()).toList();
    }
}
