package farm.gantry.ingest.stage.violation;

import farm.gantry.ingest.worker.ReportBuffer;

/** Breaks a rule: a stage depends on the worker. */
record StageViolation(ReportBuffer reports) {}
