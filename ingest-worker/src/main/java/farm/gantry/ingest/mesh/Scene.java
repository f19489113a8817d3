package farm.gantry.ingest.mesh;

import farm.gantry.ingest.reading.Bounds;
import java.util.List;

/** Everything that stands on a bed, or lies in a file. */
public record Scene(List<Item> items) {

    /** A file that holds nothing but one mesh. */
    public static Scene of(String name, Mesh mesh) {
        return new Scene(
                List.of(new Item("1", name, List.of(new Body("1", name, Body.Kind.part, 0, mesh, Transform.NONE)))));
    }

    public Bounds bounds() {
        return items.stream().map(Item::bounds).reduce(Bounds.NOTHING, Bounds::and);
    }

    public long triangles() {
        return items.stream()
                .flatMap(item -> item.bodies().stream())
                .mapToLong(body -> body.mesh().triangles())
                .sum();
    }

    public Scene moved(Transform move) {
        return new Scene(items.stream().map(item -> item.moved(move)).toList());
    }
}
