package farm.gantry.ingest.stage.sins;

import farm.gantry.ingest.worker.ReportBuffer;

/** A stage that knows the worker. */
record StageSin(ReportBuffer reports) {}
