package farm.gantry.edge.discovery;

import farm.gantry.edge.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Looks until something is found, however slow the machine is. */
public final class Looking {
    private static final Duration LOOK = Duration.ofMillis(200);

    private Looking() {}

    public static List<DiscoveredPrinter> in(Discovery... ways) {
        List<DiscoveredPrinter> found = new ArrayList<>();
        Patience.until("something is found", () -> {
            for (Discovery way : ways) {
                found.addAll(look(way));
            }
            return !found.isEmpty();
        });
        return found;
    }

    private static List<DiscoveredPrinter> look(Discovery way) {
        try {
            return way.look(LOOK);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
