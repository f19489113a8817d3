package farm.gantry.ingest.gcode;

import farm.gantry.ingest.reading.GcodeMetadata;
import farm.gantry.ingest.reading.GcodeMetadata.Filaments;
import farm.gantry.ingest.reading.GcodeMetadata.FirstLayer;
import farm.gantry.ingest.reading.GcodeMetadata.Layers;
import farm.gantry.ingest.reading.GcodeMetadata.Machine;
import farm.gantry.ingest.reading.GcodeMetadata.Slicer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** G-code of Cura, in its plain flavours and in Griffin. Placeholders that CuraEngine writes may still be in the file. */
final class Cura implements SlicerDialect {
    private static final Pattern SIGNATURE = Pattern.compile("^Generated with Cura_SteamEngine (\\S+)");
    private static final Pattern LENGTH = Pattern.compile("([\\d.]+)(mm|m)");
    private static final String UNFILLED_TIME = "6666";
    private static final double MAX_VALUE = 100_000;
    private static final double PLA_GRAMS_PER_MILLIMETRE = Math.PI * 1.75 * 1.75 / 4 * 1.24 / 1000;

    @Override
    public @Nullable Slicer identify(GcodeComments comments) {
        Matcher found = comments.find(SIGNATURE);
        if (found != null) {
            return new Slicer("Cura", found.group(1), null);
        }
        return comments.text("generator.name").equals("Cura_SteamEngine")
                ? new Slicer("Cura", comments.text("generator.version"), null)
                : null;
    }

    @Override
    public GcodeMetadata read(Slicer slicer, GcodeComments comments, SlicerSettings settings) {
        boolean filled = !comments.text("time").equals(UNFILLED_TIME);
        List<Double> lengths = filled ? lengths(comments.text("filament used")) : List.of();
        if (!lengths.isEmpty()) {
            comments.warn("Cura does not say what its filament weighs: it is taken for PLA of 1.75 mm");
        }
        return new GcodeMetadata(
                slicer,
                null,
                filled ? comments.seconds("time", "print.time") : null,
                Filaments.used(
                        List.of(),
                        List.of(),
                        lengths,
                        lengths.stream()
                                .map(length -> length * PLA_GRAMS_PER_MILLIMETRE)
                                .toList()),
                new Layers(count(comments), comments.number("layer height"), null, height(comments)),
                new FirstLayer(
                        comments.number("build_plate.initial_temperature", "m140", "m190"),
                        comments.number("extruder_train.0.initial_temperature", "m104", "m109")),
                Machine.of(
                        comments.text("target_machine.name").replaceFirst("^#.*#$", ""),
                        comments.text("extruder_train.0.nozzle.diameter")));
    }

    private static List<Double> lengths(String list) {
        List<Double> millimetres = new ArrayList<>();
        for (String tool : list.split(",", -1)) {
            var length = LENGTH.matcher(tool.strip());
            Double number = length.matches() ? NumberParser.of(length.group(1)) : null;
            if (number == null) {
                return List.of();
            }
            millimetres.add(length.group(2).equals("m") ? number * 1000 : number);
        }
        return List.copyOf(millimetres);
    }

    private static @Nullable Integer count(GcodeComments comments) {
        Double count = comments.number("layer_count");
        return count == null ? null : count.intValue();
    }

    private static @Nullable Double height(GcodeComments comments) {
        return Stream.of("maxz", "print.size.max.z")
                .map(comments::text)
                .filter(text -> !text.contains("e"))
                .map(NumberParser::of)
                .filter(height -> height != null && height < MAX_VALUE)
                .findFirst()
                .orElse(null);
    }
}
