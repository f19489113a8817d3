package farm.gantry.ingest.slicer;

import farm.gantry.part.SlicingEstimate;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The resolved settings for a slicer, and the profiles that they come from. */
public record SliceSettings(
        Map<String, Object> machine,
        Map<String, Object> process,
        List<Map<String, Object>> filaments,
        boolean arrangeable,
        SlicingEstimate.Profiles profiles) {

    /** A canonical text, independent of the settings' order. */
    String text() {
        return sorted(machine)
                + sorted(process)
                + filaments.stream().map(SliceSettings::sorted).collect(Collectors.joining())
                + arrangeable;
    }

    private static String sorted(Map<String, Object> settings) {
        return new TreeMap<>(settings) + "\n";
    }
}
