package farm.gantry.ingest.gcode;

import farm.gantry.ingest.reading.GcodeMetadata.Filaments;
import farm.gantry.ingest.reading.GcodeMetadata.FirstLayer;
import farm.gantry.ingest.reading.GcodeMetadata.Layers;
import farm.gantry.ingest.reading.GcodeMetadata.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of PrusaSlicer and its descendants, by their names: out of a G-code's comments, where a list of texts is
 * cut at {@code ;} and one of numbers at {@code ,}, or out of a project's JSON, where lists are lists.
 */
@FunctionalInterface
public interface SlicerSettings {

    List<String> values(String key, char separator);

    /** Returns settings that fall back to the others for keys that these do not have. */
    default SlicerSettings or(SlicerSettings others) {
        return (key, separator) -> {
            List<String> values = values(key, separator);
            return values.isEmpty() ? others.values(key, separator) : values;
        };
    }

    default List<String> texts(String key) {
        return values(key, ';');
    }

    default List<Double> numbers(String key) {
        return NumberParser.list(values(key, ','));
    }

    /** The first value of the first key that has one, else {@code ""}. */
    default String text(String... keys) {
        return Stream.of(keys)
                .flatMap(key -> texts(key).stream().limit(1))
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElse("");
    }

    default @Nullable Double number(int tool, String... keys) {
        for (String key : keys) {
            List<Double> numbers = numbers(key);
            if (!numbers.isEmpty()) {
                return numbers.get(Math.min(tool, numbers.size() - 1));
            }
        }
        return null;
    }

    default Filaments filaments(List<Double> usedMillimetres, List<Double> usedGrams) {
        List<String> colors = texts("filament_colour");
        return new Filaments(
                texts("filament_type"),
                colors.isEmpty() ? texts("extruder_colour") : colors,
                texts("filament_ids"),
                numbers("filament_density"),
                numbers("filament_diameter"),
                usedMillimetres,
                usedGrams);
    }

    default Layers layers(@Nullable Integer count, @Nullable Double objectHeight) {
        return new Layers(
                count,
                number(0, "layer_height"),
                number(0, "first_layer_height", "initial_layer_print_height"),
                objectHeight);
    }

    /** Returns the first-layer temperatures of the tool that prints first; each tool has its own. */
    default FirstLayer firstLayer(int tool) {
        return new FirstLayer(
                number(tool, "first_layer_bed_temperature", bedTemperature(text("curr_bed_type"))),
                number(tool, "first_layer_temperature", "nozzle_temperature_initial_layer"));
    }

    private static String bedTemperature(String bed) {
        return switch (bed) {
            case "Cool Plate", "Cool Plate (SuperTack)" -> "cool_plate_temp_initial_layer";
            case "Supertack Plate" -> "supertack_plate_temp_initial_layer";
            case "Engineering Plate" -> "eng_plate_temp_initial_layer";
            case "Textured PEI Plate" -> "textured_plate_temp_initial_layer";
            case "Textured Cool Plate" -> "textured_cool_plate_temp_initial_layer";
            default -> "hot_plate_temp_initial_layer";
        };
    }

    default Machine machine() {
        List<String> nozzles = values("nozzle_diameter", ',');
        return new Machine(
                text("printer_model"),
                nozzles.isEmpty() ? "" : nozzles.getFirst(),
                text("printer_settings_id"),
                texts("print_compatible_printers"),
                texts("upward_compatible_machine"));
    }

    /** Splits at the separator, except inside double quotes, and removes the quotes. */
    static List<String> split(String text, char separator) {
        if (text.isBlank()) {
            return List.of();
        }
        List<String> values = new ArrayList<>();
        var value = new StringBuilder();
        boolean quoted = false;
        for (int index = 0; index < text.length(); index++) {
            char letter = text.charAt(index);
            if (letter == '"') {
                quoted = !quoted;
            } else if (letter == separator && !quoted) {
                values.add(value.toString().strip());
                value.setLength(0);
            } else {
                value.append(letter);
            }
        }
        values.add(value.toString().strip());
        return List.copyOf(values);
    }
}
