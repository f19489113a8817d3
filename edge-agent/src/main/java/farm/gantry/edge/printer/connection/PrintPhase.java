package farm.gantry.edge.printer.connection;

import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.printer.PrinterState.Status;
import org.jspecify.annotations.Nullable;

/**
 * The part of a status that says what the printer does: its activity, how the print ended if it has, and the printer's
 * message about the end.
 */
public record PrintPhase(
        Status status, @Nullable Ending ending, @Nullable String message) {
    public static final PrintPhase COMPLETED = new PrintPhase(Status.finished, Ending.COMPLETED);
    public static final PrintPhase CANCELLED = new PrintPhase(Status.cancelled, Ending.CANCELLED);
    public static final PrintPhase FAILED = new PrintPhase(Status.failed, Ending.FAILED);

    public PrintPhase(Status status) {
        this(status, null);
    }

    public PrintPhase(Status status, @Nullable Ending ending) {
        this(status, ending, null);
    }
}
