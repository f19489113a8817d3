package farm.gantry.ingest.threemf;

import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.mesh.Transform;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One model of an archive: objects, and in the root model the build items. Lengths are in mm. */
record ModelFile(
        Map<String, Shape> objects,
        List<Placed> build,
        List<String> slicePaths,
        boolean hasSliceReferences,
        List<String> warnings) {

    /** The content of an object: a mesh, or other objects. */
    sealed interface Shape {
        String name();
    }

    record Meshed(String name, Mesh mesh) implements Shape {}

    record Composed(String name, List<Placed> components) implements Shape {}

    /** An object in its place; {@code path} names the model that holds it where that is another. */
    record Placed(@Nullable String path, String objectId, Transform place, boolean printable) {}
}
