package farm.gantry.api.main.doctor;

import farm.gantry.api.main.StartFailureMessage;
import java.util.Optional;
import java.util.function.Supplier;

/** The result of a check; the remedy is empty if it succeeded. */
public record Finding(Severity severity, String check, String remedy) {
    /** How a check ended. Only a failure makes {@code doctor} exit with 1. */
    public enum Severity {
        OK("ok    "),
        WARNING("warn  "),
        FAILURE("FAIL  ");

        private final String label;

        Severity(String label) {
            this.label = label;
        }
    }

    public static Finding ok(String check) {
        return new Finding(Severity.OK, check, "");
    }

    public static Finding warning(String check, String remedy) {
        return new Finding(Severity.WARNING, check, remedy);
    }

    public static Finding failure(String check, String remedy) {
        return new Finding(Severity.FAILURE, check, remedy);
    }

    public static Finding failure(String check, Exception cause) {
        return failure(check, StartFailureMessage.findMessage(cause).orElseGet(cause::toString));
    }

    /** Runs a check that returns the remedy if it failed; an exception is a failure, too. */
    public static Finding of(String check, Supplier<Optional<String>> run) {
        try {
            return run.get().map(remedy -> failure(check, remedy)).orElseGet(() -> ok(check));
        } catch (RuntimeException e) {
            return failure(check, e);
        }
    }

    public boolean isFailure() {
        return severity == Severity.FAILURE;
    }

    /** Returns the line that {@code doctor} prints. */
    public String line() {
        return severity.label + check + (remedy.isEmpty() ? "" : ": " + remedy);
    }
}
