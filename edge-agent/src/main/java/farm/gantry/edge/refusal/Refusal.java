package farm.gantry.edge.refusal;

/** What was asked has not been done, and will not be. */
public final class Refusal extends Exception {
    private final Cause cause;

    /** Where the reason lies, which decides what becomes of a print. */
    public enum Cause {
        /** In the printer, its state or the way to it: nothing was sent to start a print. */
        PRINTER,
        /** In the printer's own answer to what was sent. */
        ANSWER,
        /** In the print, or in the file, itself: no other attempt will do better. */
        JOB
    }

    private Refusal(Cause cause, String message) {
        super(message);
        this.cause = cause;
    }

    public Refusal(String message) {
        this(Cause.PRINTER, message);
    }

    public static Refusal answered(String message) {
        return new Refusal(Cause.ANSWER, message);
    }

    public static Refusal ofJob(String message) {
        return new Refusal(Cause.JOB, message);
    }

    public Cause cause() {
        return cause;
    }
}
