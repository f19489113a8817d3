package farm.gantry.ingest.mesh;

import farm.gantry.ingest.reading.Bounds;
import java.util.List;

/** One object standing on the bed; its bodies are already in their places. */
public record Item(String objectId, String name, List<Body> bodies) {

    /** Around what is printed of it. */
    public Bounds bounds() {
        return bodies.stream()
                .filter(body -> body.kind() == Body.Kind.part)
                .map(Body::bounds)
                .reduce(Bounds.NOTHING, Bounds::and);
    }

    public Item moved(Transform move) {
        return new Item(
                objectId, name, bodies.stream().map(body -> body.moved(move)).toList());
    }
}
