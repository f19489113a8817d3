package farm.gantry.edge.provider.klipper;

import farm.gantry.json.Tree;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Klipper's objects as last told, the metadata of the file they are about, and Moonraker's number of the newest print,
 * null where it keeps no history. {@code streamed}: how many millimetres of filament the script that is on has pushed out while
 * the head travelled.
 */
record KlipperState(
        Map<String, Map<String, Object>> objects,
        Map<String, Object> metadata,
        @Nullable String newestPrint,
        double streamed) {
    /**
     * In millimetres of filament. Filament is loaded and purged at one place; of these, only the ends are counted, which are moves
     * to and from there.
     */
    private static final double MIN_STREAMED = 25;

    private static final int AXES = 4;
    private static final int FILAMENT = 3;
    /** What M73 in the file announces. */
    static final String ANNOUNCED = "display_status";

    private static final List<String> TEMPERATURE = List.of("temperature", "target");

    static KlipperState empty() {
        return new KlipperState(Map.of(), Map.of(), null, 0);
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
        KlipperState next = new KlipperState(merged, metadata, newestPrint, streamed);
        return new KlipperState(
                merged, metadata, newestPrint, next.isScriptOn() ? streamed + next.pushedSince(this) : 0);
    }

    private double pushedSince(KlipperState before) {
        List<Double> from = before.position();
        List<Double> to = position();
        boolean isComparable = from.size() == AXES
                && to.size() == AXES
                && Objects.equals(extruder(), before.extruder())
                && !from.subList(0, 2).equals(to.subList(0, 2));
        return isComparable ? Math.max(0, to.get(FILAMENT) - from.get(FILAMENT)) : 0;
    }

    /** Where the head is while it moves, and how far the filament. */
    private List<Double> position() {
        return Tree.list(object("motion_report"), "live_position").stream()
                .flatMap(axis -> axis instanceof Number number ? Stream.of(number.doubleValue()) : Stream.empty())
                .toList();
    }

    private @Nullable String extruder() {
        return Tree.text(object("toolhead"), "extruder");
    }

    private boolean isActive() {
        String state = Tree.text(object("print_stats"), "state");
        return "printing".equals(state) || "paused".equals(state);
    }

    KlipperState about(Map<String, Object> newMetadata) {
        return new KlipperState(objects, newMetadata, newestPrint, streamed);
    }

    KlipperState counted(@Nullable String newest) {
        return new KlipperState(objects, metadata, newest, streamed);
    }

    Map<String, Object> object(String name) {
        return objects.getOrDefault(name, Map.of());
    }

    /** Whether it runs a script or moves, without a print that is on: a start waits until that is over. */
    boolean isScriptOn() {
        return "Printing".equals(Tree.text(object("idle_timeout"), "state")) && !isActive();
    }

    /** Whether G-code prints that is no file of Klipper's, as another host sends it by the serial port. */
    boolean isStreaming() {
        return streamed >= MIN_STREAMED;
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
        all.put("motion_report", List.of("live_position"));
        all.put("toolhead", List.of("extruder"));
        all.put(MmuGates.UNIT, List.of("gate_status", "gate_material", "gate_color"));
        Set<String> names = Set.copyOf(present.stream().map(String::valueOf).toList());
        names.stream().filter(KlipperHeaters::isOne).forEach(name -> all.put(name, TEMPERATURE));
        all.keySet().retainAll(names);
        return all;
    }
}
