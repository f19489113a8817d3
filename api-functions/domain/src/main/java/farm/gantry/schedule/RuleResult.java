package farm.gantry.schedule;

import io.micronaut.serde.annotation.Serdeable;

/** One thing that must be so before a printer gets a job, and what was found, for people. */
@Serdeable
public record RuleResult(String code, boolean passed, String label, String explanation) {}
