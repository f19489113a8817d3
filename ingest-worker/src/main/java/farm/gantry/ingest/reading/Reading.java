package farm.gantry.ingest.reading;

import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one look at a part file found. {@code type} is what the content is; {@code gcode} is keyed by plate, a plain
 * G-code's under 1.
 */
public record Reading(
        Part.Type type,
        @Nullable PartMetadata metadata,
        @Nullable List<Part.PartMaterial> materials,
        SortedMap<Integer, GcodeFacts> gcode) {

    /** A kind of file that says nothing of itself. */
    public static Reading silent(Part.Type type) {
        return new Reading(type, null, null, new TreeMap<>());
    }

    public Reading with(PartMetadata changed) {
        return new Reading(type, changed, materials, gcode);
    }

    /** The G-code of the first plate that has one. */
    public @Nullable GcodeFacts firstGcode() {
        return gcode.isEmpty() ? null : gcode.firstEntry().getValue();
    }
}
