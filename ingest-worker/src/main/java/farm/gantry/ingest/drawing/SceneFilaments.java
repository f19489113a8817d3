package farm.gantry.ingest.drawing;

import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.mesh.PaintLayer;
import farm.gantry.ingest.mesh.Scene;
import farm.gantry.ingest.mesh.Volume;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The filaments that a plate's objects are assigned to or painted with. */
public final class SceneFilaments {
    private SceneFilaments() {}

    /** The indices of the filaments, from 0. */
    public static SortedSet<Integer> find(Scene scene) {
        SortedSet<Integer> filaments = new TreeSet<>();
        scene.items().stream()
                .flatMap(item -> item.volumes().stream())
                .filter(volume -> volume.kind() == Volume.Kind.PART || volume.kind() == Volume.Kind.MODIFIER)
                .forEach(volume -> {
                    if (volume.tool() != Volume.AS_AROUND) {
                        filaments.add(volume.tool());
                    }
                    addPainted(volume.mesh(), filaments);
                });
        return filaments;
    }

    private static void addPainted(Mesh mesh, SortedSet<Integer> filaments) {
        Set<@Nullable String> seen = new HashSet<>();
        for (int triangle = 0; triangle < mesh.triangles(); triangle++) {
            String code = mesh.paint(PaintLayer.COLOR, triangle);
            if (code != null && seen.add(code)) {
                PaintCodeDecoder.filaments(code).forEach(filament -> filaments.add(filament - 1));
            }
        }
    }
}
