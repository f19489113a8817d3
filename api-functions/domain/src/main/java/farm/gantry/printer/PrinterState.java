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

    /** Every print that leaves something on the bed takes longer than this. */
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
        /** The machine itself is in fault and prints nothing until somebody sees to it. */
        error,
        offline,
        unknown;

        /** Whether a job is on the bed and not over. */
        public boolean isBusy() {
            return switch (this) {
                case preparing, printing, paused -> true;
                case idle, finished, failed, cancelled, error, offline, unknown -> false;
            };
        }

        /** Whether the machine is known to be in order. */
        public boolean isHealthy() {
            return switch (this) {
                case idle, preparing, printing, paused, finished, failed, cancelled -> true;
                case error, offline, unknown -> false;
            };
        }
    }

    /** The last of a printer whose agent is out of reach. */
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

    /** Whether something is being printed. A machine that prepares without a file is homing or moved by hand. */
    public boolean isPrinting() {
        return switch (status) {
            case printing, paused -> true;
            case preparing -> hasFile();
            case idle, finished, failed, cancelled, error, offline, unknown -> false;
        };
    }

    /** Whether a file is named, printed now or last. */
    public boolean hasFile() {
        return job != null && job.fileName() != null && !job.fileName().isBlank();
    }

    /**
     * The file on the bed. {@code jobId} is null for a print the farm did not start; {@code percent} is 0 to 100. {@code heatingSeconds}
     * is the time from the start command until the printer printed, null while it heats or where the agent did not see both.
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

    /** {@code remainingGrams} is what the printer itself reads or weighs of the spool; null where it cannot. */
    @Serdeable
    public record FilamentSlot(
            int amsIndex,
            int slotIndex,
            boolean loaded,
            @Nullable String materialType,
            @Nullable String color,
            @Nullable Double remainingGrams) {

        /** One of whose spool the printer does not know how much is left. */
        public FilamentSlot(
                int amsIndex, int slotIndex, boolean loaded, @Nullable String materialType, @Nullable String color) {
            this(amsIndex, slotIndex, loaded, materialType, color, null);
        }
    }

    @Serdeable
    public record Fault(@Nullable String code, String message) {}
}
