package farm.gantry.ingest.stage;

/** The worker was told to stop: what it was at is neither done nor failed, and is begun again by the next. */
final class RunInterruptedException extends RuntimeException {
    private RunInterruptedException() {
        super("the worker was stopped", null, false, false);
    }

    /** Asked before anything is said of a work: a thread that is interrupted loses its files and tools in the middle. */
    static void check() {
        if (Thread.currentThread().isInterrupted()) {
            throw new RunInterruptedException();
        }
    }
}
