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
 * A reachable printer as its provider reads it. {@code file} is the last one it was told to print, {@code message} what
 * the printer says of its end; {@code errors} are the faults that are still there, with which a printer at rest prints
 * nothing, and {@code warnings} those that no print waits for. {@code printCounter} changes with every print that the machine
 * begins; null where it does not tell of one.
 */
public record Reading(
        Status status,
        @Nullable Ending ending,
        @Nullable String message,
        @Nullable File file,
        Map<String, Temperature> temperatures,
        List<FilamentSlot> filamentSlots,
        List<Fault> errors,
        @Nullable String printCounter,
        List<Fault> warnings) {

    public Reading {
        status = !errors.isEmpty() && isAtRest(status) ? Status.error : status;
        file = file != null && status == Status.preparing && ending == null ? file.unbegun() : file;
    }

    /** Of a printer that warns of nothing. */
    public Reading(
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

    /** Of a printer that counts no prints. */
    public Reading(
            Status status,
            @Nullable Ending ending,
            @Nullable String message,
            @Nullable File file,
            Map<String, Temperature> temperatures,
            List<FilamentSlot> filamentSlots,
            List<Fault> errors) {
        this(status, ending, message, file, temperatures, filamentSlots, errors, null);
    }

    public Reading counted(@Nullable String counter) {
        return new Reading(status, ending, message, file, temperatures, filamentSlots, errors, counter, warnings);
    }

    private static boolean isAtRest(Status status) {
        return switch (status) {
            case idle, finished, failed, cancelled -> true;
            case preparing, printing, paused, error, offline, unknown -> false;
        };
    }

    /** How the print of the file ended, once it has. */
    public enum Ending {
        COMPLETED,
        CANCELLED,
        FAILED
    }

    /**
     * The file and how far it is; {@code percent} is 0 to 100. A printer that knows of no layers may tell at which byte of
     * the file it is, or at which {@code height} in millimetres.
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
            @Nullable Double height) {

        /** Of a printer that knows its layers, or says nothing of where it is. */
        public File(
                String name,
                double percent,
                @Nullable Integer currentLayer,
                @Nullable Integer totalLayers,
                @Nullable Long elapsedSeconds,
                @Nullable Long remainingSeconds,
                @Nullable Double usedGrams) {
            this(name, percent, currentLayer, totalLayers, elapsedSeconds, remainingSeconds, usedGrams, null, null);
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
                    millimetres);
        }

        boolean isPlaced() {
            return position != null || height != null;
        }

        private File unbegun() {
            return new File(name, 0, currentLayer, totalLayers, elapsedSeconds, null, usedGrams, position, height);
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
                    height);
        }
    }

    /** The same, at the layer of its file that its place tells. */
    Reading in(Layers layers) {
        if (file == null || !file.isPlaced() || layers.count() == 0) {
            return this;
        }
        File placed = file.in(layers, ending == Ending.COMPLETED);
        return new Reading(
                status, ending, message, placed, temperatures, filamentSlots, errors, printCounter, warnings);
    }

    /** Whether more has changed than temperatures, slots and how far a print is. */
    public boolean isNewsAfter(Reading before) {
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

    /** Empty without a file. */
    public String fileName() {
        return file == null ? "" : file.name();
    }

    /** The faults in one sentence, or null. */
    public @Nullable String fault() {
        return errors.isEmpty()
                ? null
                : String.join("; ", errors.stream().map(Fault::message).toList());
    }

    /** Why the print ended as it did, or null. */
    @Nullable
    String reason() {
        return message == null ? fault() : message;
    }

    /** Whether a print is on, also one that is paused. */
    boolean isOn() {
        return status.isBusy() && ending == null;
    }

    /** Whether it says what the printer is on, or was last. */
    boolean isClear() {
        return switch (status) {
            case idle, preparing, printing, paused, finished, failed, cancelled -> true;
            case error -> file != null;
            case offline, unknown -> false;
        };
    }

    /** Whether a print can be started now. */
    public boolean isStartable() {
        return isAtRest(status);
    }

    /** Why nothing can be started now, or null when it can. */
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
