package farm.gantry.ingest.mesh;

import farm.gantry.ingest.reading.Bounds;

/** A mesh with its placement in an object. {@code tool} is the filament, from 0; a modifier may have none. */
public record Volume(String id, String name, Kind kind, int tool, Mesh mesh, Transform place) {
    public static final int AS_AROUND = -1;

    /** How the slicer treats the volume. */
    public enum Kind {
        PART,
        NEGATIVE,
        MODIFIER,
        SUPPORT_BLOCKER,
        SUPPORT_ENFORCER
    }

    public Bounds bounds() {
        return mesh.bounds(place);
    }

    public Volume moved(Transform move) {
        return new Volume(id, name, kind, tool, mesh, place.then(move));
    }
}
