package farm.gantry.edge.provider.bambu;

import farm.gantry.json.Tree;
import java.util.Map;

/** A message of a printer. */
sealed interface BambuLabMessage {

    /** A status report, whole or with the changes only. */
    record Report(Map<String, Object> print) implements BambuLabMessage {}

    /** The response to a command; {@code number} is the sequence number of the command. */
    record Answer(String number, Map<String, Object> order) implements BambuLabMessage {}

    record Other() implements BambuLabMessage {}

    static BambuLabMessage parse(Map<String, Object> message) {
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
