package farm.gantry.edge.provider.vendora;

import farm.gantry.json.Tree;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a printer has told of itself so far. {@code fileName} is the print it is about: the name of the next one, told
 * while the state is still that of the last one's end, has to wait for that state to change.
 */
record VendorAState(Map<String, Object> print, String fileName) {
    private static final Set<String> ENDS = Set.of("FINISH", "FAILED");

    static VendorAState nothing() {
        return new VendorAState(Map.of(), "");
    }

    /** Deltas name whole fields, the material units apart. */
    VendorAState merge(Map<String, Object> report) {
        Map<String, Object> merged = new HashMap<>(print);
        merged.putAll(report);
        if (report.get("ams") instanceof Map<?, ?>) {
            merged.put("ams", AmsUnits.merge(Tree.object(print, "ams"), Tree.object(report, "ams"), isWhole(report)));
        }
        String state = Tree.text(merged, "gcode_state");
        boolean same = Objects.equals(state, Tree.text(print, "gcode_state"));
        boolean waits = same && state != null && ENDS.contains(state);
        return new VendorAState(merged, waits ? fileName : name(merged));
    }

    static boolean isWhole(Map<String, Object> report) {
        return report.get("gcode_state") != null && Tree.number(report, "msg", 0) == 0;
    }

    String state() {
        return Objects.requireNonNullElse(Tree.text(print, "gcode_state"), "");
    }

    private static String name(Map<String, Object> print) {
        String task = Tree.text(print, "subtask_name");
        return bare(task == null || task.isBlank() ? Tree.text(print, "gcode_file") : task);
    }

    /** A print begun at the screen is named after the file on the card, which we call after our own. */
    private static String bare(@Nullable String reported) {
        if (reported == null) {
            return "";
        }
        String name = reported.substring(reported.lastIndexOf('/') + 1);
        return name.startsWith("gantry-") ? name.replaceFirst("(\\.gcode)?(\\.3mf)?$", "") + ".gcode" : name;
    }
}
