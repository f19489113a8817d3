package farm.gantry.edge.printer;

/** The printer said no: it has not done what it was asked, and will not. */
public final class Refusal extends Exception {
    public Refusal(String message) {
        super(message);
    }
}
