package farm.gantry.ingest.slicer;

import farm.gantry.part.SlicingEstimate;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Everything that a slicer is told, with nothing left to inherit, and where it came from. */
public record Recipe(
        Map<String, Object> machine,
        Map<String, Object> process,
        List<Map<String, Object>> filaments,
        boolean arrangeable,
        SlicingEstimate.Profiles profiles) {

    /** The same text for the same settings, whatever order they came in. */
    String text() {
        return sorted(machine)
                + sorted(process)
                + filaments.stream().map(Recipe::sorted).collect(Collectors.joining())
                + arrangeable;
    }

    private static String sorted(Map<String, Object> settings) {
        return new TreeMap<>(settings) + "\n";
    }
}
