package farm.gantry.printer;

import io.micronaut.serde.annotation.Serdeable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a printer, as its agent sees it at {@code at}. Temperatures are °C by heater ({@code nozzle},
 * {@code nozzle1}, {@code bed}, {@code chamber}); {@code connectionReason} says why a printer is offline. {@code
 * printCounter} changes with every print that the machine starts, from any source (its job counter, or the newest entry
 * of its history); null if the provider has none.
 */
@Serdeable
public record PrinterState(
        Connection connection,
        @Nullable String connectionReason,
        Status status,
        @Nullable Progress job,
        Map<String, Temperature> temperatures,
        List<FilamentSlot> filamentSlots,
        List<Fault> errors,
        @Nullable String printCounter,
        Instant at) {

    /** The minimum duration of any print that leaves something on the bed. */
    public static final Duration MIN_PRINT = Duration.ofMinutes(2);

    @Serdeable
    public enum Connection {
        online,
        offline
    }

    @Serdeable
    public enum Status {
        idle,
        preparing,
        printing,
        paused,
        finished,
        failed,
        cancelled,
        /** The state {@code error} means that the machine has a fault and cannot print until a person fixes it. */
        error,
        offline,
        unknown;

        /** Returns whether a print is in progress or paused. */
        public boolean isBusy() {
            return switch (this) {
                case preparing, printing, paused -> true;
                case idle, finished, failed, cancelled, error, offline, unknown -> false;
            };
        }

        /** Returns whether the machine's state is known and has no fault. */
        public boolean isHealthy() {
            return switch (this) {
                case idle, preparing, printing, paused, finished, failed, cancelled -> true;
                case error, offline, unknown -> false;
            };
        }
    }

    /** Returns this state as the last known one of a printer whose agent is unreachable. */
    public PrinterState asOffline() {
        return new PrinterState(
                Connection.offline,
                connectionReason == null ? "its agent cannot be reached" : connectionReason,
                Status.offline,
                job,
                temperatures,
                filamentSlots,
                errors,
                printCounter,
                at);
    }

    /** Returns whether something is being printed. A machine that prepares without a file is homing or being moved by hand. */
    public boolean isPrinting() {
        return switch (status) {
            case printing, paused -> true;
            case preparing -> hasFile();
            case idle, finished, failed, cancelled, error, offline, unknown -> false;
        };
    }

    /**
     * Returns whether the machine's state is known and no fault is present. At rest, a machine with a fault has the status
     * {@code error}; the errors of any other status are then the printer's message about the end of its last print.
     */
    public boolean isWithoutFault() {
        return status.isHealthy() && (errors.isEmpty() || !status.isBusy());
    }

    /** Returns whether it names a file that is being printed or was printed last. */
    public boolean hasFile() {
        return job != null && job.fileName() != null && !job.fileName().isBlank();
    }

    /**
     * The current or last print. {@code jobId} is null if the farm did not start it; {@code percent} is 0 to 100. {@code heatingSeconds} is
     * the time from the start command until the print began; null while the printer heats, or if the agent did not observe both.
     */
    @Serdeable
    public record Progress(
            @Nullable String jobId,
            @Nullable Integer attempt,
            @Nullable String fileName,
            double percent,
            @Nullable Integer currentLayer,
            @Nullable Integer totalLayers,
            @Nullable Long elapsedSeconds,
            @Nullable Long remainingSeconds,
            @Nullable Long heatingSeconds) {}

    @Serdeable
    public record Temperature(double actual, double target) {}

    /** The filament in a slot; {@code remainingGrams} is measured by the printer, null if it cannot. */
    @Serdeable
    public record FilamentSlot(
            int amsIndex,
            int slotIndex,
            boolean loaded,
            @Nullable String materialType,
            @Nullable String color,
            @Nullable Double remainingGrams) {

        /** Creates a slot whose remaining filament the printer does not know. */
        public FilamentSlot(
                int amsIndex, int slotIndex, boolean loaded, @Nullable String materialType, @Nullable String color) {
            this(amsIndex, slotIndex, loaded, materialType, color, null);
        }
    }

    @Serdeable
    public record Fault(@Nullable String code, String message) {}
}
