package farm.gantry.edge.discovery;

import farm.gantry.printer.Printer;
import io.micronaut.serde.annotation.Serdeable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A printer that answered, and what it tells of itself; {@code deviceId} is what it is known by, wherever it is. */
@Serdeable
public record Found(Printer.Provider make, String name, String host, int port, String deviceId, String model) {
    private static final int LONGEST = 80;

    /** Whatever anybody in the network says is shown to a person: without what is no text, and not at any length. */
    public static Found of(
            Printer.Provider make,
            @Nullable String name,
            String host,
            int port,
            @Nullable String deviceId,
            @Nullable String model) {
        return new Found(make, clean(name), host, port, clean(deviceId), clean(model));
    }

    private static String clean(@Nullable String told) {
        String text =
                Objects.requireNonNullElse(told, "").replaceAll("\\p{C}", "").strip();
        return text.substring(0, Math.min(text.length(), LONGEST));
    }
}
