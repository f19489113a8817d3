package farm.gantry.ingest.mesh;

import farm.gantry.ingest.reading.Bounds;

/** A mesh in its place. {@code tool} counts filaments from 0; a modifier may leave them as they are. */
public record Body(String id, String name, Kind kind, int tool, Mesh mesh, Transform place) {
    public static final int AS_AROUND = -1;

    /** What the slicer makes of the space inside. */
    public enum Kind {
        part,
        negative,
        modifier,
        supportBlocker,
        supportEnforcer
    }

    public Bounds bounds() {
        return mesh.bounds(place);
    }

    public Body moved(Transform move) {
        return new Body(id, name, kind, tool, mesh, place.then(move));
    }
}
