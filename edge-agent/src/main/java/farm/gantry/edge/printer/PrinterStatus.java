package farm.gantry.edge.printer;

import farm.gantry.edge.file.Layers;
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
 * The status of a reachable printer. {@code file} is the last file that it was ordered to print, {@code message} its
 * message about the end of that print. {@code errors} are present faults with which an idle printer cannot start a
 * print; {@code warnings} do not prevent one. {@code printCounter} changes with every print that the machine begins,
 * null without a counter.
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
        file = file != null && status == Status.preparing && ending == null ? file.unbegun() : file;
    }

    /** The status of a printer without warnings. */
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

    /** The status of a printer without a print counter. */
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

    public PrinterStatus counted(@Nullable String counter) {
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

        /** The file of a printer that knows its layers, or reports no position. */
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

        public File at(@Nullable Long byteOfFile, @Nullable Double millimetres) {
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

        boolean isPlaced() {
            return position != null || height != null;
        }

        private File unbegun() {
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

        private File in(Layers layers, boolean complete) {
            Integer layer = null;
            if (complete) {
                layer = layers.count();
            } else if (position != null) {
                layer = layers.atByte(position);
            } else if (height != null) {
                layer = layers.atHeight(height);
            }
            return new File(
                    name,
                    percent,
                    layer,
                    layers.count(),
                    elapsedSeconds,
                    remainingSeconds,
                    usedGrams,
                    position,
                    height,
                    heatingSeconds);
        }

        private File heated(long seconds) {
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
    PrinterStatus in(Layers layers) {
        if (file == null || !file.isPlaced() || layers.count() == 0) {
            return this;
        }
        return with(file.in(layers, ending == Ending.COMPLETED));
    }

    /** Returns this status of a print that began after so many seconds of heating. */
    PrinterStatus heated(long seconds) {
        return file == null ? this : with(file.heated(seconds));
    }

    private PrinterStatus with(File changed) {
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

    boolean isShowing(Job job) {
        return fileName().equals(job.fileName());
    }

    /** Returns the name of the file, empty without one. */
    public String fileName() {
        return file == null ? "" : file.name();
    }

    /** Returns the faults in one sentence, null without any. */
    public @Nullable String fault() {
        return errors.isEmpty()
                ? null
                : String.join("; ", errors.stream().map(Fault::message).toList());
    }

    /** Returns why the print ended as it did, or null. */
    @Nullable
    String reason() {
        return message == null ? fault() : message;
    }

    /** Returns whether a print is running or paused. */
    boolean isOn() {
        return status.isBusy() && ending == null;
    }

    /** Returns whether the status says what the printer does, or did last. */
    boolean isClear() {
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

    /** Returns why nothing can be started now, or null if it can. */
    @Nullable
    String objection() {
        return switch (status) {
            case idle, finished, failed, cancelled -> null;
            case preparing, printing, paused -> "the printer is busy" + (file == null ? "" : " with " + fileName());
            case offline -> "the printer is offline";
            case error, unknown -> errors.isEmpty() ? "the printer is not ready" : fault();
        };
    }
}
