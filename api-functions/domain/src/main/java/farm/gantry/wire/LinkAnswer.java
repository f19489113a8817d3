package farm.gantry.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterMetadata;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * API → agent. Events up to {@code ackSequence} are kept and may be forgotten; one above the request's {@code sequence} tells an agent
 * that its data is an older copy. {@code printers} is present when the
 * configuration changed since the session's last answer, and is then the whole list. A command comes again until it is
 * acknowledged. The agent asks again after {@code pollAfterMs}, and then tells of what is not urgent as well where
 * {@code reportAfterMs} have passed since it last did, if that is said. {@code stills} are pictures that somebody looks at
 * now, and may be absent.
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LinkAnswer(
        long ackSequence,
        @Nullable List<PrinterConfig> printers,
        List<Command> commands,
        long pollAfterMs,
        @Nullable Long reportAfterMs,
        @Nullable List<SnapshotRequest> stills) {

    /** One of which nobody looks at a camera. */
    public LinkAnswer(
            long ackSequence, @Nullable List<PrinterConfig> printers, List<Command> commands, long pollAfterMs) {
        this(ackSequence, printers, commands, pollAfterMs, null, null);
    }

    /**
     * A printer whose camera's pictures are to be sent for so many seconds, at most {@code width} pixels wide, or as they
     * are where it is 0; each as a {@link SnapshotUpload}.
     */
    @Serdeable
    public record SnapshotRequest(String deviceId, int width, int seconds) {}

    /**
     * A printer the agent is to serve, its secrets in clear; {@code capability} is what it can do and {@code bindings} how
     * that is asked of it, with the printer's own patches applied to what holds for its make.
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

        /** A printer that does what its make does. */
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
