package farm.gantry.ingest.file.violation;

import farm.gantry.ingest.stage.RunLimits;

/** Breaks a rule: a class of the package {@code file} depends on a stage. */
record FileViolation(RunLimits limits) {}
