package farm.gantry.edge.printer;

import farm.gantry.printer.PrinterState.Fault;
import farm.gantry.printer.PrinterState.FilamentSlot;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.printer.PrinterState.Temperature;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A reachable printer as its provider reads it. {@code file} is the last one it was told to print, {@code message} what
 * the printer says of its end; {@code errors} are the faults that are still there.
 */
public record Reading(
        Status status,
        @Nullable Ending ending,
        @Nullable String message,
        @Nullable File file,
        Map<String, Temperature> temperatures,
        List<FilamentSlot> filamentSlots,
        List<Fault> errors) {

    /** How the print of the file ended, once it has. */
    public enum Ending {
        completed,
        cancelled,
        failed
    }

    /** The file and how far it is; {@code percent} is 0 to 100. */
    public record File(
            String name,
            double percent,
            @Nullable Integer currentLayer,
            @Nullable Integer totalLayers,
            @Nullable Long elapsedSeconds,
            @Nullable Long remainingSeconds,
            @Nullable Double usedGrams) {}

    /** Whether more has changed than temperatures, slots and how far a print is. */
    boolean isNewsAfter(Reading before) {
        return status != before.status
                || ending != before.ending
                || !Objects.equals(message, before.message)
                || !fileName().equals(before.fileName())
                || !errors.equals(before.errors);
    }

    /** Empty without a file. */
    public String fileName() {
        return file == null ? "" : file.name();
    }

    /** The faults in one sentence, or null. */
    @Nullable
    String fault() {
        return errors.isEmpty()
                ? null
                : String.join("; ", errors.stream().map(Fault::message).toList());
    }

    /** Why the print ended as it did, or null. */
    @Nullable
    String reason() {
        return message == null ? fault() : message;
    }

    /** Why nothing can be started now, or null when it can. */
    @Nullable
    String objection() {
        return switch (status) {
            case idle, finished, failed, cancelled -> fault();
            case preparing, printing, paused -> "the printer is busy with " + fileName();
            case offline -> "the printer is offline";
            case error, unknown -> errors.isEmpty() ? "the printer is not ready" : fault();
        };
    }
}
