package farm.gantry.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterMetadata;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * API → agent. Events up to {@code ackSequence} are applied and may be deleted; a value above the request's {@code
 * sequence} means that the agent's data is an older copy. {@code printers} is the complete configuration, present if it
 * changed since the session's last response. Commands are repeated until acknowledged. The agent polls again after
 * {@code pollAfterMs}; it then includes non-urgent changes if {@code reportAfterMs}, when present, have passed since it
 * last did. {@code stills} are camera snapshots to send, may be absent. {@code version} is the server's, present in the
 * first response of a session; older servers do not send it.
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LinkResponse(
        long ackSequence,
        @Nullable List<PrinterConfig> printers,
        List<Command> commands,
        long pollAfterMs,
        @Nullable Long reportAfterMs,
        @Nullable List<SnapshotRequest> stills,
        @Nullable String version) {

    /** Creates a response that requests no snapshots. */
    public LinkResponse(
            long ackSequence, @Nullable List<PrinterConfig> printers, List<Command> commands, long pollAfterMs) {
        this(ackSequence, printers, commands, pollAfterMs, null, null, null);
    }

    /**
     * A request for camera snapshots of a printer, as {@link SnapshotUpload}s: for how many seconds, and the maximum width in pixels, 0 for
     * the camera's own width.
     */
    @Serdeable
    public record SnapshotRequest(String deviceId, int width, int seconds) {}

    /**
     * A printer for the agent to serve, with secrets in clear text. {@code capability} and {@code bindings} are those
     * of its provider with the printer's own patches applied.
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record PrinterConfig(
            String printerId,
            String deviceId,
            String name,
            Printer.Provider provider,
            @Nullable PrinterMetadata metadata,
            @Nullable Map<String, Object> providerConfig,
            @Nullable Map<String, Object> printerAdapterBindingsPatch,
            @Nullable Map<String, Object> capability,
            @Nullable Map<String, Object> bindings) {

        /** Creates a configuration with the provider's defaults. */
        public PrinterConfig(
                String printerId,
                String deviceId,
                String name,
                Printer.Provider provider,
                @Nullable PrinterMetadata metadata,
                @Nullable Map<String, Object> providerConfig,
                @Nullable Map<String, Object> printerAdapterBindingsPatch) {
            this(
                    printerId,
                    deviceId,
                    name,
                    provider,
                    metadata,
                    providerConfig,
                    printerAdapterBindingsPatch,
                    null,
                    null);
        }
    }
}
