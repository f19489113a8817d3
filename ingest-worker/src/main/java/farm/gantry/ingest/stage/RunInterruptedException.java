package farm.gantry.ingest.stage;

/** The worker is stopping: the run is neither done nor failed, and another worker starts it again. */
final class RunInterruptedException extends RuntimeException {
    private RunInterruptedException() {
        super("the worker was stopped", null, false, false);
    }

    /** Called before each report: an interrupted thread has lost files and tools in the middle of its work. */
    static void check() {
        if (Thread.currentThread().isInterrupted()) {
            throw new RunInterruptedException();
        }
    }
}
