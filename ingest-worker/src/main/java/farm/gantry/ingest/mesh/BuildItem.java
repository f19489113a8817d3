package farm.gantry.ingest.mesh;

import farm.gantry.ingest.reading.Bounds;
import java.util.List;

/** One object on the bed; its volumes have their final placement. */
public record BuildItem(String objectId, String name, List<Volume> bodies) {

    /** The bounds of what is printed of it. */
    public Bounds bounds() {
        return bodies.stream()
                .filter(body -> body.kind() == Volume.Kind.part)
                .map(Volume::bounds)
                .reduce(Bounds.NOTHING, Bounds::and);
    }

    public BuildItem moved(Transform move) {
        return new BuildItem(
                objectId, name, bodies.stream().map(body -> body.moved(move)).toList());
    }
}
