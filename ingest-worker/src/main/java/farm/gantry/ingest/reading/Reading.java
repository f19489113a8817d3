package farm.gantry.ingest.reading;

import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one look at a part file found. {@code type} is what the content is; {@code gcode} is keyed by plate, a plain
 * G-code's under 1, and {@code printed} tells where on the bed each prints, once its moves were followed; {@code mesh} is what was made of a model that has no triangles of its own; {@code warnings} say what
 * of the file is not believed.
 */
public record Reading(
        Part.Type type,
        @Nullable PartMetadata metadata,
        @Nullable List<Part.PartMaterial> materials,
        SortedMap<Integer, GcodeFacts> gcode,
        SortedMap<Integer, Bounds> printed,
        @Nullable Path mesh,
        List<String> warnings) {

    /** What a file says of itself, before its moves were followed. */
    public static Reading of(
            Part.Type type,
            @Nullable PartMetadata metadata,
            @Nullable List<Part.PartMaterial> materials,
            SortedMap<Integer, GcodeFacts> gcode,
            List<String> warnings) {
        return new Reading(type, metadata, materials, gcode, new TreeMap<>(), null, warnings);
    }

    /** A kind of file that says nothing of itself. */
    public static Reading silent(Part.Type type) {
        return of(type, null, null, new TreeMap<>(), List.of());
    }

    public Reading with(PartMetadata changed) {
        return new Reading(type, changed, materials, gcode, printed, mesh, warnings);
    }

    public Reading with(Path made) {
        return new Reading(type, metadata, materials, gcode, printed, made, warnings);
    }

    public Reading with(SortedMap<Integer, Bounds> followed) {
        return new Reading(type, metadata, materials, gcode, followed, mesh, warnings);
    }

    public Reading with(List<String> doubts) {
        return new Reading(type, metadata, materials, gcode, printed, mesh, doubts);
    }

    /** The G-code of the first plate that has one. */
    public @Nullable GcodeFacts firstGcode() {
        return gcode.isEmpty() ? null : gcode.firstEntry().getValue();
    }
}
