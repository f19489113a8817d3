package farm.gantry.edge.mqtt;

import java.util.Map;

/** What comes in over a line to a printer's broker. */
public sealed interface Heard {

    record Message(String topic, Map<String, Object> body) implements Heard {}

    record Closed(String reason) implements Heard {}
}
