package farm.gantry.schedule;

import io.micronaut.serde.annotation.Serdeable;

/** The result of checking one scheduling rule for a job and a printer, with an explanation for people. */
@Serdeable
public record RuleResult(String code, boolean passed, String label, String explanation) {}
