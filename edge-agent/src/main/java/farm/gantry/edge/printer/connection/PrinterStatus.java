package farm.gantry.edge.printer.connection;

import farm.gantry.edge.file.LayerIndex;
import farm.gantry.edge.journal.Job;
import farm.gantry.printer.PrinterState.Fault;
import farm.gantry.printer.PrinterState.FilamentSlot;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.printer.PrinterState.Temperature;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The status of a reachable printer. {@code file} is the file of its current or last print, {@code message} its message
 * about the end of that print. {@code errors} are present faults that prevent the start of a print; {@code warnings} do
 * not. {@code printCounter} changes with every print that the machine begins; null if the printer has no counter.
 */
public record PrinterStatus(
        Status status,
        @Nullable Ending ending,
        @Nullable String message,
        @Nullable File file,
        Map<String, Temperature> temperatures,
        List<FilamentSlot> filamentSlots,
        List<Fault> errors,
        @Nullable String printCounter,
        List<Fault> warnings) {

    public PrinterStatus {
        status = !errors.isEmpty() && isAtRest(status) ? Status.error : status;
        file = file != null && status == Status.preparing && ending == null ? file.withoutProgress() : file;
    }

    /** Creates a status without warnings. */
    public PrinterStatus(
            Status status,
            @Nullable Ending ending,
            @Nullable String message,
            @Nullable File file,
            Map<String, Temperature> temperatures,
            List<FilamentSlot> filamentSlots,
            List<Fault> errors,
            @Nullable String printCounter) {
        this(status, ending, message, file, temperatures, filamentSlots, errors, printCounter, List.of());
    }

    /** Creates a status without warnings and print counter. */
    public PrinterStatus(
            Status status,
            @Nullable Ending ending,
            @Nullable String message,
            @Nullable File file,
            Map<String, Temperature> temperatures,
            List<FilamentSlot> filamentSlots,
            List<Fault> errors) {
        this(status, ending, message, file, temperatures, filamentSlots, errors, null);
    }

    public PrinterStatus withPrintCounter(@Nullable String counter) {
        return new PrinterStatus(status, ending, message, file, temperatures, filamentSlots, errors, counter, warnings);
    }

    private static boolean isAtRest(Status status) {
        return switch (status) {
            case idle, finished, failed, cancelled -> true;
            case preparing, printing, paused, error, offline, unknown -> false;
        };
    }

    /** How the print of the file ended. */
    public enum Ending {
        COMPLETED,
        CANCELLED,
        FAILED
    }

    /**
     * The file and its progress; {@code percent} is 0 to 100. A printer that does not know its layers may report the
     * byte of the file that it executes, or the {@code height} in millimetres. {@code heatingSeconds} is {@link
     * HeatingTime}, null while it is unknown.
     */
    public record File(
            String name,
            double percent,
            @Nullable Integer currentLayer,
            @Nullable Integer totalLayers,
            @Nullable Long elapsedSeconds,
            @Nullable Long remainingSeconds,
            @Nullable Double usedGrams,
            @Nullable Long position,
            @Nullable Double height,
            @Nullable Long heatingSeconds) {

        /** Creates a file without position and height, for printers that report layers or no position. */
        public File(
                String name,
                double percent,
                @Nullable Integer currentLayer,
                @Nullable Integer totalLayers,
                @Nullable Long elapsedSeconds,
                @Nullable Long remainingSeconds,
                @Nullable Double usedGrams) {
            this(
                    name,
                    percent,
                    currentLayer,
                    totalLayers,
                    elapsedSeconds,
                    remainingSeconds,
                    usedGrams,
                    null,
                    null,
                    null);
        }

        public File withPosition(@Nullable Long byteOfFile, @Nullable Double millimetres) {
            return new File(
                    name,
                    percent,
                    currentLayer,
                    totalLayers,
                    elapsedSeconds,
                    remainingSeconds,
                    usedGrams,
                    byteOfFile,
                    millimetres,
                    heatingSeconds);
        }

        public boolean hasPosition() {
            return position != null || height != null;
        }

        private File withoutProgress() {
            return new File(
                    name,
                    0,
                    currentLayer,
                    totalLayers,
                    elapsedSeconds,
                    null,
                    usedGrams,
                    position,
                    height,
                    heatingSeconds);
        }

        private File withLayer(LayerIndex layers, boolean complete) {
            Integer layer = null;
            if (complete) {
                layer = layers.layerCount();
            } else if (position != null) {
                layer = layers.layerAtByte(position);
            } else if (height != null) {
                layer = layers.layerAtHeight(height);
            }
            return new File(
                    name,
                    percent,
                    layer,
                    layers.layerCount(),
                    elapsedSeconds,
                    remainingSeconds,
                    usedGrams,
                    position,
                    height,
                    heatingSeconds);
        }

        private File withHeatingSeconds(long seconds) {
            return new File(
                    name,
                    percent,
                    currentLayer,
                    totalLayers,
                    elapsedSeconds,
                    remainingSeconds,
                    usedGrams,
                    position,
                    height,
                    seconds);
        }
    }

    /** Returns this status with the layer that belongs to the position in the file. */
    public PrinterStatus withLayer(LayerIndex layers) {
        if (file == null || !file.hasPosition() || layers.layerCount() == 0) {
            return this;
        }
        return withFile(file.withLayer(layers, ending == Ending.COMPLETED));
    }

    /** Returns this status with the heating time of its print. */
    public PrinterStatus withHeatingSeconds(long seconds) {
        return file == null ? this : withFile(file.withHeatingSeconds(seconds));
    }

    private PrinterStatus withFile(File changed) {
        return new PrinterStatus(
                status, ending, message, changed, temperatures, filamentSlots, errors, printCounter, warnings);
    }

    /** Returns whether more has changed than temperatures, slots and progress. */
    public boolean isSignificantChangeFrom(PrinterStatus before) {
        return status != before.status
                || ending != before.ending
                || !Objects.equals(message, before.message)
                || !fileName().equals(before.fileName())
                || !Objects.equals(printCounter, before.printCounter)
                || !errors.equals(before.errors);
    }

    public boolean isShowing(Job job) {
        return fileName().equals(job.fileName());
    }

    /** Returns the name of the file, empty without one. */
    public String fileName() {
        return file == null ? "" : file.name();
    }

    /** Returns all errors as one text; null if there are none. */
    public @Nullable String faultText() {
        return errors.isEmpty()
                ? null
                : String.join("; ", errors.stream().map(Fault::message).toList());
    }

    /** Returns the reason for the end of the print, or null. */
    public @Nullable String endReason() {
        return message == null ? faultText() : message;
    }

    /** Returns whether a print is running or paused. */
    public boolean isPrintInProgress() {
        return status.isBusy() && ending == null;
    }

    /** Returns whether the status shows the printer's current or last activity. */
    public boolean isActivityKnown() {
        return switch (status) {
            case idle, preparing, printing, paused, finished, failed, cancelled -> true;
            case error -> file != null;
            case offline, unknown -> false;
        };
    }

    /** Returns whether a print can be started now. */
    public boolean isStartable() {
        return isAtRest(status);
    }

    /** Returns the reason why no print can be started now, or null if one can. */
    public @Nullable String startObjection() {
        return switch (status) {
            case idle, finished, failed, cancelled -> null;
            case preparing, printing, paused -> "the printer is busy" + (file == null ? "" : " with " + fileName());
            case offline -> "the printer is offline";
            case error, unknown -> errors.isEmpty() ? "the printer is not ready" : faultText();
        };
    }
}
