package farm.gantry.edge.provider.firmwarek;

import java.util.Map;

/** What Moonraker tells without being asked. */
sealed interface Heard {
    record Delta(Map<String, Object> status) implements Heard {}

    record Metadata(String fileName, Map<String, Object> metadata) implements Heard {}

    record KlippyReady() implements Heard {}

    record KlippyShutdown() implements Heard {}

    record KlippyDisconnected() implements Heard {}

    record Closed(String reason) implements Heard {}
}
