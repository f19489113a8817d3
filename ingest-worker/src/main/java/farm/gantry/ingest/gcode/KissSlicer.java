package farm.gantry.ingest.gcode;

import farm.gantry.ingest.reading.GcodeMetadata;
import farm.gantry.ingest.reading.GcodeMetadata.Filaments;
import farm.gantry.ingest.reading.GcodeMetadata.FirstLayer;
import farm.gantry.ingest.reading.GcodeMetadata.Layers;
import farm.gantry.ingest.reading.GcodeMetadata.Machine;
import farm.gantry.ingest.reading.GcodeMetadata.Slicer;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** KISSlicer writes its settings at the head, once as requested and once as used, and its totals at the tail. */
final class KissSlicer implements SlicerDialect {
    private static final Pattern SIGNATURE = Pattern.compile("^KISSlicer");
    private static final Pattern VERSION = Pattern.compile("^version (.+)");
    private static final Pattern SPACE = Pattern.compile("\\s+");

    @Override
    public @Nullable Slicer identify(GcodeComments comments) {
        if (comments.find(SIGNATURE) == null) {
            return null;
        }
        Matcher version = comments.find(VERSION);
        String number = version == null ? "" : SPACE.matcher(version.group(1)).replaceAll("-");
        return new Slicer("KISSlicer", number, null);
    }

    @Override
    public GcodeMetadata read(Slicer slicer, GcodeComments comments, SlicerSettings settings) {
        Double diameter = comments.number("fiber_dia_mm");
        List<Double> used = comments.numbersPerTool("ext #", "");
        return new GcodeMetadata(
                slicer,
                null,
                comments.seconds("calculated-during-export build time", "estimated build time"),
                Filaments.used(
                        List.of(),
                        NumberParser.one(diameter),
                        used.isEmpty() ? comments.numbersPerTool("ext ", "") : used,
                        List.of()),
                new Layers(
                        null,
                        comments.lastNumber("max_layer_thickness_mm"),
                        comments.lastNumber("first_layer_thickness_mm"),
                        comments.lastNumber("begin_layer_object z")),
                new FirstLayer(comments.number("bed_c"), comments.number("first_layer_c", "temperature_c")),
                Machine.of(comments.text("printer_name"), ""));
    }
}
