package farm.gantry.edge.provider.bambu;

import farm.gantry.json.Tree;
import java.util.Map;

/** What a message of a printer's is about. */
sealed interface BambuLabMessage {

    /** How the printer is, or what of that has changed. */
    record Report(Map<String, Object> print) implements BambuLabMessage {}

    /** What became of an order; {@code number} is the one it was given. */
    record Answer(String number, Map<String, Object> order) implements BambuLabMessage {}

    record Other() implements BambuLabMessage {}

    static BambuLabMessage of(Map<String, Object> message) {
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
