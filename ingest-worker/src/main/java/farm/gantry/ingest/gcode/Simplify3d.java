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

/** Simplify3D lists its process as {@code name,value} at the head; the totals moved about between versions. */
final class Simplify3d implements SlicerDialect {
    private static final Pattern SIGNATURE = Pattern.compile("Simplify3D\\(R\\) Version (\\S+)");

    @Override
    public @Nullable Slicer identify(GcodeComments comments) {
        return comments.slicer("Simplify3D", SIGNATURE);
    }

    @Override
    public GcodeMetadata read(Slicer slicer, GcodeComments comments, SlicerSettings settings) {
        String material = comments.text("printmaterial");
        return new GcodeMetadata(
                slicer,
                null,
                comments.seconds("build time"),
                new Filaments(
                        material.isEmpty() ? List.of() : List.of(material),
                        List.of(),
                        List.of(),
                        comments.numbers("filamentdensities"),
                        comments.numbers("filamentdiameters"),
                        NumberParser.one(comments.number("filament length", "material length")),
                        NumberParser.one(comments.number("plastic weight", "material weight"))),
                new Layers(null, comments.number("layerheight"), null, comments.lastNumber("z")),
                new FirstLayer(comments.number("m140", "m190"), comments.number("m104", "m109")),
                Machine.of("", nozzleDiameter(comments)));
    }

    private static String nozzleDiameter(GcodeComments comments) {
        Double diameter = comments.number("extruderdiameter");
        return diameter == null ? "" : diameter.toString();
    }
}
