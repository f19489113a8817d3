package farm.gantry.edge.discovery;

import farm.gantry.edge.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Repeats discovery until a printer is found, so that a slow machine does not fail a test. */
public final class RepeatedDiscovery {
    private static final Duration TIMEOUT = Duration.ofMillis(200);

    private RepeatedDiscovery() {}

    public static List<DiscoveredPrinter> in(Discovery... ways) {
        List<DiscoveredPrinter> found = new ArrayList<>();
        Eventually.until("something is found", () -> {
            for (Discovery way : ways) {
                found.addAll(look(way));
            }
            return !found.isEmpty();
        });
        return found;
    }

    private static List<DiscoveredPrinter> look(Discovery way) {
        try {
            return way.findPrinters(TIMEOUT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
