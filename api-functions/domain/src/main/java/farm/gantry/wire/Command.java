package farm.gantry.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import farm.gantry.RecordBuilder;
import farm.gantry.job.PrintJob;
import farm.gantry.printer.PrinterState;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * API → agent: a command for a printer. The agent writes it to its journal before acting, except for one that {@link
 * Action#stops stops} a machine while the journal cannot be written. Expired commands are not executed.
 */
@Serdeable
public record Command(String commandId, String deviceId, Instant expiresAt, Action action) {

    @Serdeable
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    public sealed interface Action {
        /** Whether the command only stops or pauses the machine. */
        default boolean onlyStopsMachine() {
            return switch (this) {
                case Cancel _, Pause _ -> true;
                case Print _, Resume _ -> false;
                case Send send -> Send.STOPS.contains(send.command());
            };
        }
    }

    /**
     * Prints a file. {@code jobId} and {@code attempt} are a fencing token: the pair is started at most once, and never
     * after a later attempt of the job. {@code plateEntry} is the entry of a 3MF archive to print; {@code
     * materialMapping} maps filament index to slot, for providers that support it; {@code skipObjects} lists objects to
     * leave out, for those that support it. {@code heardSequence} is the agent's last event that the API had applied
     * when it decided on this print: the agent starts nothing on a bed about which it sent later events. Null from an
     * API that does not send it.
     */
    @Serdeable
    @JsonTypeName("print")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Print(
            String jobId,
            int attempt,
            String fileName,
            String url,
            long size,
            String sha256,
            @Nullable Integer plateId,
            @Nullable String plateEntry,
            int taskId,
            @Nullable Map<String, Object> options,
            @Nullable Map<String, PrintJob.Slot> materialMapping,
            @Nullable List<String> skipObjects,
            @Nullable Long heardSequence)
            implements Action {

        /** Returns the print with its file at another URL. */
        public Print withUrl(String address) {
            return RecordBuilder.copyOf(this).with(Print::url, address).build();
        }
    }

    @Serdeable
    @JsonTypeName("pause")
    public record Pause(String jobId, int attempt) implements Action {}

    @Serdeable
    @JsonTypeName("resume")
    public record Resume(String jobId, int attempt) implements Action {}

    /** Stops the job wherever it is. An unknown job has already ended and is acknowledged as cancelled. */
    @Serdeable
    @JsonTypeName("cancel")
    public record Cancel(String jobId, int attempt) implements Action {}

    /**
     * A manual command, named as at {@code /v1/printer-commands/send}, or a macro. If it depends on the bed, it has a
     * {@code heardSequence} like a print.
     */
    @Serdeable
    @JsonTypeName("send")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Send(
            String command,
            Map<String, Object> arguments,
            @Nullable Long heardSequence) implements Action {
        /** Maximum duration of a script: a bed may have to cool down before a print can be pushed off. */
        public static final Duration MAX_SCRIPT = Duration.ofHours(2);

        private static final Set<String> STOPS = Set.of("emergency-stop", "stop", "pause");
        private static final Set<String> MOVES_IN_PAUSE =
                Set.of("move-axis", "load-filament", "unload-filament", "extrude-filament");
        private static final Set<String> MOVES_AT_REST = Set.of("home-axis", "select-tool", "calibration");

        /** Creates a command that does not depend on earlier events. */
        public Send(String command, Map<String, Object> arguments) {
            this(command, arguments, null);
        }

        /**
         * Whether the command would move the head through the running print of a printer in that state. While a print
         * is paused, filament may be changed and the head moved away. G-code and macros are their author's
         * responsibility.
         */
        public boolean disturbsPrint(PrinterState.Status status) {
            return switch (status) {
                case preparing, printing -> MOVES_AT_REST.contains(command) || MOVES_IN_PAUSE.contains(command);
                case paused -> MOVES_AT_REST.contains(command);
                case idle, finished, failed, cancelled, error, offline, unknown -> false;
            };
        }
    }
}
