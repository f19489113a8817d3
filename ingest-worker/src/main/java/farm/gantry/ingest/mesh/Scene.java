package farm.gantry.ingest.mesh;

import farm.gantry.ingest.reading.Bounds;
import java.util.List;

/** All objects on a bed, or in a file. */
public record Scene(List<BuildItem> items) {

    /** Returns a scene of one mesh. */
    public static Scene of(String name, Mesh mesh) {
        return new Scene(List.of(
                new BuildItem("1", name, List.of(new Volume("1", name, Volume.Kind.PART, 0, mesh, Transform.NONE)))));
    }

    public Bounds bounds() {
        return items.stream().map(BuildItem::bounds).reduce(Bounds.NOTHING, Bounds::and);
    }

    public Scene moved(Transform move) {
        return new Scene(items.stream().map(item -> item.moved(move)).toList());
    }
}
