package farm.gantry.ingest.mesh;

import farm.gantry.ingest.reading.Bounds;
import java.util.List;

/** One object on the bed; its volumes have their final placement. */
public record BuildItem(String objectId, String name, List<Volume> volumes) {

    /** The bounds of what is printed of it. */
    public Bounds bounds() {
        return volumes.stream()
                .filter(volume -> volume.kind() == Volume.Kind.PART)
                .map(Volume::bounds)
                .reduce(Bounds.NOTHING, Bounds::and);
    }

    public BuildItem moved(Transform move) {
        return new BuildItem(
                objectId,
                name,
                volumes.stream().map(volume -> volume.moved(move)).toList());
    }
}
