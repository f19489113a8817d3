package farm.gantry.ingest.stage;

/** Thrown when the worker stops during a run. The run has no outcome, and another worker repeats it. */
final class RunInterruptedException extends RuntimeException {
    private RunInterruptedException() {
        super("the worker was stopped", null, false, false);
    }

    /**
     * Throws if the thread was interrupted. Called before each report, because an interrupted run may have lost files
     * and tools.
     */
    static void check() {
        if (Thread.currentThread().isInterrupted()) {
            throw new RunInterruptedException();
        }
    }
}
