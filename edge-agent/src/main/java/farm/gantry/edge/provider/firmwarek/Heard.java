package farm.gantry.edge.provider.firmwarek;

import farm.gantry.json.Tree;
import java.util.Map;
import java.util.Set;

/** What Moonraker tells without being asked. */
sealed interface Heard {
    record Delta(Map<String, Object> status) implements Heard {
        private static final Set<String> NUMBERS = Set.of("print_duration", "filament_used", "info");

        /** Whether it tells more than how temperatures and a print go on. */
        boolean isNews() {
            return status.containsKey("webhooks")
                    || !NUMBERS.containsAll(Tree.object(status, "print_stats").keySet());
        }
    }

    record Metadata(String fileName, Map<String, Object> metadata) implements Heard {}

    /** Moonraker has put another print into its history. */
    record Begun(String print) implements Heard {}

    record KlippyReady() implements Heard {}

    record KlippyShutdown() implements Heard {}

    record KlippyDisconnected() implements Heard {}

    record Closed(String reason) implements Heard {}
}
