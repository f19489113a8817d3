package farm.gantry.edge.discovery;

import farm.gantry.printer.Printer;
import io.micronaut.serde.annotation.Serdeable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A printer that was discovered on the network. Its {@code deviceId} does not change when its address changes. */
@Serdeable
public record DiscoveredPrinter(
        Printer.Provider make, String name, String host, int port, String deviceId, String model) {
    private static final int MAX_LENGTH = 80;

    /**
     * Creates a printer from texts that any device on the network may have sent: removes control characters and limits
     * the length, because people read them.
     */
    public static DiscoveredPrinter of(
            Printer.Provider make,
            @Nullable String name,
            String host,
            int port,
            @Nullable String deviceId,
            @Nullable String model) {
        return new DiscoveredPrinter(make, clean(name), host, port, clean(deviceId), clean(model));
    }

    private static String clean(@Nullable String reported) {
        String text = Objects.requireNonNullElse(reported, "")
                .replaceAll("\\p{C}", "")
                .strip();
        return text.substring(0, Math.min(text.length(), MAX_LENGTH));
    }
}
