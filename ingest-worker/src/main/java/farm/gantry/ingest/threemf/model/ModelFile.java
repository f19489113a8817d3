package farm.gantry.ingest.threemf.model;

import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.mesh.Transform;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One model of an archive: objects, and in the root model the build items. Lengths are in mm. */
public record ModelFile(
        Map<String, ModelObject> objects,
        List<ObjectPlacement> build,
        List<String> slicePaths,
        boolean hasSliceReferences,
        List<String> warnings) {

    /** The content of an object: a mesh, or other objects. */
    public sealed interface ModelObject {
        String name();
    }

    public record MeshObject(String name, Mesh mesh) implements ModelObject {}

    public record ComponentObject(String name, List<ObjectPlacement> components) implements ModelObject {}

    /** An object in its place; {@code path} names the model that holds it where that is another. */
    public record ObjectPlacement(@Nullable String path, String objectId, Transform place, boolean printable) {}
}
