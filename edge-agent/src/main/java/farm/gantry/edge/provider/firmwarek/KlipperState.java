package farm.gantry.edge.provider.firmwarek;

import farm.gantry.json.Tree;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Klipper's objects as last told, the metadata of the file they are about, and Moonraker's number of the newest print,
 * null where it keeps no history.
 */
record KlipperState(
        Map<String, Map<String, Object>> objects,
        Map<String, Object> metadata,
        @Nullable String newestPrint) {
    /** What M73 in the file announces. */
    static final String ANNOUNCED = "display_status";

    private static final List<String> TEMPERATURE = List.of("temperature", "target");

    static KlipperState empty() {
        return new KlipperState(Map.of(), Map.of(), null);
    }

    /**
     * Deltas name whole fields: each replaces the old one, nested or not. What the last print said of its progress goes on
     * to be told after another has begun, until that says something itself.
     */
    KlipperState merge(Map<String, Object> delta) {
        Map<String, Map<String, Object>> merged = new HashMap<>(objects);
        String state = Tree.text(delta, "print_stats", "state");
        if ("printing".equals(state) && !isActive()) {
            merged.remove(ANNOUNCED);
        }
        delta.forEach((name, fields) -> {
            Map<String, Object> object = new HashMap<>(merged.getOrDefault(name, Map.of()));
            object.putAll(Tree.object(fields));
            merged.put(name, object);
        });
        return new KlipperState(merged, metadata, newestPrint);
    }

    private boolean isActive() {
        String state = Tree.text(object("print_stats"), "state");
        return "printing".equals(state) || "paused".equals(state);
    }

    KlipperState about(Map<String, Object> newMetadata) {
        return new KlipperState(objects, newMetadata, newestPrint);
    }

    KlipperState counted(@Nullable String newest) {
        return new KlipperState(objects, metadata, newest);
    }

    Map<String, Object> object(String name) {
        return objects.getOrDefault(name, Map.of());
    }

    /** Whether it runs a script or moves, without a print that is on: a start waits until that is over. */
    boolean isScriptOn() {
        return "Printing".equals(Tree.text(object("idle_timeout"), "state")) && !isActive();
    }

    String fileName() {
        String name = Tree.text(object("print_stats"), "filename");
        return name == null ? "" : name;
    }

    /** What to subscribe to, of the objects that are there: as few fields as will do, because each is sent 4 times a second. */
    static Map<String, List<String>> wanted(List<?> present) {
        Map<String, List<String>> all = new HashMap<>();
        all.put("webhooks", List.of("state", "state_message"));
        all.put("print_stats", List.of("filename", "print_duration", "filament_used", "state", "message", "info"));
        all.put("virtual_sdcard", List.of("progress"));
        all.put(ANNOUNCED, List.of("progress"));
        all.put("idle_timeout", List.of("state"));
        all.put("gcode_move", List.of("gcode_position"));
        all.put(MmuGates.UNIT, List.of("gate_status", "gate_material", "gate_color"));
        Set<String> names = Set.copyOf(present.stream().map(String::valueOf).toList());
        names.stream().filter(KlipperHeaters::isOne).forEach(name -> all.put(name, TEMPERATURE));
        all.keySet().retainAll(names);
        return all;
    }
}
