package farm.gantry.edge.provider.vendora;

import farm.gantry.edge.json.Tree;
import java.util.Map;

/** What comes in over a printer's broker. */
sealed interface Heard {

    /** How the printer is, or what of that has changed. */
    record Report(Map<String, Object> print) implements Heard {}

    /** What became of an order; {@code number} is the one it was given. */
    record Answer(String number, Map<String, Object> order) implements Heard {}

    record Other() implements Heard {}

    record Closed(String reason) implements Heard {}

    static Heard of(Map<String, Object> message) {
        for (Object part : message.values()) {
            String command = Tree.text(part, "command");
            if ("push_status".equals(command)) {
                return new Report(Tree.object(part));
            }
            Object number = Tree.object(part).get("sequence_id");
            if (command != null && number != null) {
                return new Answer(String.valueOf(number), Tree.object(part));
            }
        }
        return new Other();
    }
}
