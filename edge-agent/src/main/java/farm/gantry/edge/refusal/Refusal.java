package farm.gantry.edge.refusal;

/** Thrown when a request to a printer was not carried out and will not be. */
public final class Refusal extends Exception {
    private final Cause cause;

    /** The cause of a refusal, which decides whether the print is retried. */
    public enum Cause {
        /** The printer, its state or the connection to it: nothing was sent to start a print. */
        PRINTER,
        /** The printer's own response to what was sent. */
        ANSWER,
        /** The print or the file itself: every further attempt would fail too. */
        JOB
    }

    private Refusal(Cause cause, String message) {
        super(message);
        this.cause = cause;
    }

    public Refusal(String message) {
        this(Cause.PRINTER, message);
    }

    public static Refusal byPrinter(String message) {
        return new Refusal(Cause.ANSWER, message);
    }

    public static Refusal becauseOfJob(String message) {
        return new Refusal(Cause.JOB, message);
    }

    public Cause cause() {
        return cause;
    }
}
