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
 * Klipper's last reported objects, the metadata of the printed file, and Moonraker's id of the newest print, null
 * without a history. {@code streamed} is how many millimetres of filament the running script has extruded while the
 * head moved.
 */
record KlipperState(
        Map<String, Map<String, Object>> objects,
        Map<String, Object> metadata,
        @Nullable String newestPrint,
        double streamed) {
    /**
     * The minimum length of filament, in millimetres, from which a script counts as a streamed print. Loading and
     * purging extrude while the head rests, so most of their filament does not count.
     */
    private static final double MIN_STREAMED = 25;

    private static final int AXES = 4;
    private static final int FILAMENT = 3;
    /** The object with the progress that M73 commands in the file report. */
    static final String ANNOUNCED = "display_status";

    private static final List<String> TEMPERATURE = List.of("temperature", "target");

    static KlipperState empty() {
        return new KlipperState(Map.of(), Map.of(), null, 0);
    }

    /**
     * Merges a report; each field in it replaces the old one. After a print has begun, the progress from the last
     * print's M73 commands is ignored until the new print sends its own.
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
                merged, metadata, newestPrint, next.isScriptRunning() ? streamed + next.filamentPushedSince(this) : 0);
    }

    private double filamentPushedSince(KlipperState before) {
        List<Double> from = before.position();
        List<Double> to = position();
        boolean isComparable = from.size() == AXES
                && to.size() == AXES
                && Objects.equals(extruder(), before.extruder())
                && !from.subList(0, 2).equals(to.subList(0, 2));
        return isComparable ? Math.max(0, to.get(FILAMENT) - from.get(FILAMENT)) : 0;
    }

    /** Returns the position of the head, and of the filament, during a move. */
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

    KlipperState withMetadata(Map<String, Object> newMetadata) {
        return new KlipperState(objects, newMetadata, newestPrint, streamed);
    }

    KlipperState withNewestPrint(@Nullable String newest) {
        return new KlipperState(objects, metadata, newest, streamed);
    }

    Map<String, Object> object(String name) {
        return objects.getOrDefault(name, Map.of());
    }

    /** Returns whether a script or a move runs without a print, so that a start would wait for its end. */
    boolean isScriptRunning() {
        return "Printing".equals(Tree.text(object("idle_timeout"), "state")) && !isActive();
    }

    /**
     * Returns whether the printer prints G-code that is not a file of Klipper's, such as G-code from another host on
     * the serial port.
     */
    boolean isStreaming() {
        return streamed >= MIN_STREAMED;
    }

    String fileName() {
        String name = Tree.text(object("print_stats"), "filename");
        return name == null ? "" : name;
    }

    /**
     * Returns the fields to subscribe to, of the objects that exist: as few as possible, because each is sent 4 times a
     * second.
     */
    static Map<String, List<String>> subscription(List<?> present) {
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
        names.stream().filter(KlipperHeaters::isHeater).forEach(name -> all.put(name, TEMPERATURE));
        all.keySet().retainAll(names);
        return all;
    }
}
