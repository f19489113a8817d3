package farm.gantry.ingest.gcode;

import farm.gantry.ingest.reading.GcodeMetadata;
import farm.gantry.ingest.reading.GcodeMetadata.Filaments;
import farm.gantry.ingest.reading.GcodeMetadata.FirstLayer;
import farm.gantry.ingest.reading.GcodeMetadata.Layers;
import farm.gantry.ingest.reading.GcodeMetadata.Machine;
import farm.gantry.ingest.reading.GcodeMetadata.Slicer;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** ideaMaker counts its tools from 1, gives densities in g/L and writes the totals before its own long backup. */
final class IdeaMaker implements SlicerDialect {
    private static final Pattern SIGNATURE = Pattern.compile("^Sliced by ideaMaker ([^\\s,]+)");
    private static final Pattern SPACE = Pattern.compile("\\s+");
    private static final double GRAMS_PER_LITRE = 1000;
    private static final int NOZZLE = 3;

    @Override
    public @Nullable Slicer identify(GcodeComments comments) {
        return comments.slicer("ideaMaker", SIGNATURE);
    }

    @Override
    public GcodeMetadata read(Slicer slicer, GcodeComments comments, SlicerSettings settings) {
        List<Double> densities = comments.numbersPerTool("filament density #", "").stream()
                .map(density -> density / GRAMS_PER_LITRE)
                .toList();
        return new GcodeMetadata(
                slicer,
                null,
                comments.seconds("print time", "remaining_time"),
                Filaments.used(
                        densities,
                        comments.numbersPerTool("filament diameter #", ""),
                        comments.numbersPerTool("material#", " used"),
                        List.of()),
                new Layers(layerCount(comments), comments.lastNumber("height"), null, objectHeight(comments)),
                new FirstLayer(comments.number("m140", "m190"), comments.number("m104", "m109")),
                Machine.of("", nozzleDiameter(comments)));
    }

    /** A raft's layers count below zero. */
    private static @Nullable Integer layerCount(GcodeComments comments) {
        Double last = comments.lastNumber("layer");
        return last == null ? null : last.intValue() + 1;
    }

    /** {@code Bounding Box: x x y y z z}. */
    private static @Nullable Double objectHeight(GcodeComments comments) {
        String[] sides = SPACE.split(comments.text("bounding box"), -1);
        return NumberParser.of(sides[sides.length - 1]);
    }

    private static String nozzleDiameter(GcodeComments comments) {
        String[] dimension = SPACE.split(comments.text("dimension"), -1);
        Double diameter = dimension.length > NOZZLE ? NumberParser.of(dimension[NOZZLE]) : null;
        return diameter == null ? "" : diameter.toString();
    }
}
