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
 * API → agent: do this to a printer. Written to the agent's journal before it acts, but for one that {@link Action#stops stops} a
 * machine while the journal cannot be written; not done once expired.
 */
@Serdeable
public record Command(String commandId, String deviceId, Instant expiresAt, Action action) {

    @Serdeable
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    public sealed interface Action {
        /** Whether it makes a machine stop, or pause, and do nothing else. */
        default boolean stops() {
            return switch (this) {
                case Cancel _, Pause _ -> true;
                case Print _, Resume _ -> false;
                case Send send -> Send.STOPS.contains(send.command());
            };
        }
    }

    /**
     * Start this file. {@code jobId} and {@code attempt} fence it: the pair is started at most once, and never after a
     * later attempt of the job was seen. {@code plateEntry} is the entry to print inside a 3MF archive;
     * {@code materialMapping} is filament index → the place it comes from, for makes that can be told, and
     * {@code skipObjects} what is to be left out by those that can. {@code heardSequence} is the agent's last event that the
     * API had taken in when it decided on this print: the agent starts nothing on a bed of which it has told since; null
     * from an API that does not say.
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

        /** The same print, its file at another address. */
        public Print at(String address) {
            return RecordBuilder.copyOf(this).with("url", address).build();
        }
    }

    @Serdeable
    @JsonTypeName("pause")
    public record Pause(String jobId, int attempt) implements Action {}

    @Serdeable
    @JsonTypeName("resume")
    public record Resume(String jobId, int attempt) implements Action {}

    /** Stop the job wherever it is; one that is unknown here is over already, and is answered as cancelled. */
    @Serdeable
    @JsonTypeName("cancel")
    public record Cancel(String jobId, int attempt) implements Action {}

    /**
     * A person's command, named as at {@code /v1/printer-commands/send}, or a macro's. One that depends on what is on the
     * bed has a {@code heardSequence} as a print has.
     */
    @Serdeable
    @JsonTypeName("send")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Send(
            String command,
            Map<String, Object> arguments,
            @Nullable Long heardSequence) implements Action {
        /** How long a script may run: a bed may have to cool down before what is on it can be pushed off. */
        public static final Duration MAX_SCRIPT = Duration.ofHours(2);

        private static final Set<String> STOPS = Set.of("emergency-stop", "stop", "pause");
        private static final Set<String> MOVES_IN_PAUSE =
                Set.of("move-axis", "load-filament", "unload-filament", "extrude-filament");
        private static final Set<String> MOVES_AT_REST = Set.of("home-axis", "select-tool", "calibration");

        /** A command that a person wants done, whatever happened. */
        public Send(String command, Map<String, Object> arguments) {
            this(command, arguments, null);
        }

        /**
         * Whether it would move the head of a printer in that state through its print. While a print is paused, filament can
         * be changed and the head be moved out of the way. G-code and macros are their author's to judge.
         */
        public boolean disturbs(PrinterState.Status status) {
            return switch (status) {
                case preparing, printing -> MOVES_AT_REST.contains(command) || MOVES_IN_PAUSE.contains(command);
                case paused -> MOVES_AT_REST.contains(command);
                case idle, finished, failed, cancelled, error, offline, unknown -> false;
            };
        }
    }
}
