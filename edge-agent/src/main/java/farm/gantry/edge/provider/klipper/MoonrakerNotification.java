package farm.gantry.edge.provider.klipper;

import farm.gantry.json.Tree;
import java.util.Map;
import java.util.Set;

/** A notification of Moonraker, or the result of a query that one caused. */
sealed interface MoonrakerNotification {
    record StatusUpdate(Map<String, Object> status) implements MoonrakerNotification {
        private static final Set<String> NUMBERS = Set.of("print_duration", "filament_used", "info");

        /** Returns whether more has changed than temperatures and the progress of a print. */
        boolean isSignificant() {
            return status.containsKey("webhooks")
                    || !NUMBERS.containsAll(Tree.object(status, "print_stats").keySet());
        }
    }

    record Metadata(String fileName, Map<String, Object> metadata) implements MoonrakerNotification {}

    /** Moonraker has added a print to its history. */
    record PrintAdded(String print) implements MoonrakerNotification {}

    record KlippyReady() implements MoonrakerNotification {}

    record KlippyShutdown() implements MoonrakerNotification {}

    record KlippyDisconnected() implements MoonrakerNotification {}
}
