package farm.gantry.edge.printer;

import farm.gantry.edge.printer.PrinterStatus.Ending;
import farm.gantry.printer.PrinterState.Status;
import org.jspecify.annotations.Nullable;

/** A status, how the print ended if it has, and the printer's message about it. */
public record Phase(
        Status status, @Nullable Ending ending, @Nullable String message) {
    public static final Phase COMPLETED = new Phase(Status.finished, Ending.COMPLETED);
    public static final Phase CANCELLED = new Phase(Status.cancelled, Ending.CANCELLED);
    public static final Phase FAILED = new Phase(Status.failed, Ending.FAILED);

    public Phase(Status status) {
        this(status, null);
    }

    public Phase(Status status, @Nullable Ending ending) {
        this(status, ending, null);
    }
}
