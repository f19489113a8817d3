package farm.gantry.ingest.reading;

import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The result of reading a part file. {@code type} is that of the content; {@code gcode} is keyed by plate, a plain
 * G-code's under 1, and {@code printed} are the bounds of each print on the bed, once its moves were parsed; {@code mesh} is the tessellation of a CAD model; {@code warnings} name
 * implausible values.
 */
public record ReadResult(
        Part.Type type,
        @Nullable PartMetadata metadata,
        @Nullable List<Part.PartMaterial> materials,
        SortedMap<Integer, GcodeMetadata> gcode,
        SortedMap<Integer, Bounds> printed,
        @Nullable Path mesh,
        List<String> warnings) {

    /** The metadata of a file, before its moves are parsed. */
    public static ReadResult of(
            Part.Type type,
            @Nullable PartMetadata metadata,
            @Nullable List<Part.PartMaterial> materials,
            SortedMap<Integer, GcodeMetadata> gcode,
            List<String> warnings) {
        return new ReadResult(type, metadata, materials, gcode, new TreeMap<>(), null, warnings);
    }

    /** The result for a plain G-code file. */
    public static ReadResult of(GcodeMetadata gcode) {
        List<String> warnings = new ArrayList<>(GcodeMetadata.warnings(gcode.filaments(), gcode.machine()));
        warnings.addAll(gcode.warnings());
        if (gcode.estimatedSeconds() != null && !gcode.filaments().isWeighed()) {
            warnings.add(
                    "The G-code does not say what the print weighs, so costs and stock count no filament before it prints");
        }
        return of(
                Part.Type.gcode,
                gcode.metadata(),
                gcode.filaments().materials(),
                new TreeMap<>(Map.of(1, gcode)),
                List.copyOf(warnings));
    }

    /** The result for a file type without metadata. */
    public static ReadResult empty(Part.Type type) {
        return of(type, null, null, new TreeMap<>(), List.of());
    }

    public ReadResult with(PartMetadata changed) {
        return new ReadResult(type, changed, materials, gcode, printed, mesh, warnings);
    }

    public ReadResult with(Path made) {
        return new ReadResult(type, metadata, materials, gcode, printed, made, warnings);
    }

    public ReadResult with(SortedMap<Integer, Bounds> followed) {
        return new ReadResult(type, metadata, materials, gcode, followed, mesh, warnings);
    }

    public ReadResult with(List<String> doubts) {
        return new ReadResult(type, metadata, materials, gcode, printed, mesh, doubts);
    }

    /** The G-code of the first plate that has one. */
    public @Nullable GcodeMetadata firstGcode() {
        return gcode.isEmpty() ? null : gcode.firstEntry().getValue();
    }
}
