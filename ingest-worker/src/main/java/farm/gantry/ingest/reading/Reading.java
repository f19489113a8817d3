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
 * G-code's under 1; {@code mesh} is what was made of a model that has no triangles of its own; {@code warnings} say what
 * of the file is not believed.
 */
public record Reading(
        Part.Type type,
        @Nullable PartMetadata metadata,
        @Nullable List<Part.PartMaterial> materials,
        SortedMap<Integer, GcodeFacts> gcode,
        @Nullable Path mesh,
        List<String> warnings) {

    /** A kind of file that says nothing of itself. */
    public static Reading silent(Part.Type type) {
        return new Reading(type, null, null, new TreeMap<>(), null, List.of());
    }

    public Reading with(PartMetadata changed) {
        return new Reading(type, changed, materials, gcode, mesh, warnings);
    }

    public Reading with(Path made) {
        return new Reading(type, metadata, materials, gcode, made, warnings);
    }

    /** The G-code of the first plate that has one. */
    public @Nullable GcodeFacts firstGcode() {
        return gcode.isEmpty() ? null : gcode.firstEntry().getValue();
    }
}
