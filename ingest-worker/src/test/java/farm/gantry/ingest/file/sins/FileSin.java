package farm.gantry.ingest.file.sins;

import farm.gantry.ingest.stage.RunLimits;

/** A file that knows a stage. */
record FileSin(RunLimits limits) {}
