package farm.gantry.ingest.slicer;

import farm.gantry.part.SlicingEstimate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The resolved settings for a slicer, and the profiles that they come from. */
public record SliceSettings(
        Map<String, Object> machine,
        Map<String, Object> process,
        List<Map<String, Object>> filaments,
        boolean arrangeable,
        SlicingEstimate.Profiles profiles) {

    private static final Set<String> NOZZLE_TEMPERATURES =
            Set.of("temperature", "first_layer_temperature", "nozzle_temperature", "nozzle_temperature_initial_layer");

    /** Returns whether any profile has a temperature. Without one, a slicer uses its own default and leaves the bed cold. */
    boolean haveTemperature() {
        return Stream.concat(Stream.of(machine, process), filaments.stream())
                .anyMatch(settings -> settings.keySet().stream().anyMatch(NOZZLE_TEMPERATURES::contains));
    }

    /** The number of extruders of the machine. */
    int extruders() {
        Object nozzles = machine.getOrDefault("nozzle_diameter", "");
        return nozzles instanceof List<?> list
                ? list.size()
                : nozzles.toString().split(",", -1).length;
    }

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
