package farm.gantry.ingest.threemf.model;

import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.mesh.PaintLayer;
import farm.gantry.ingest.reading.BadFileException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Points or triangles that follow each other in a model. */
sealed interface MeshRun {
    /** How many of them are a run. */
    int MAX_LENGTH = 1024;

    int XYZ = 3;

    void addTo(Mesh.Builder mesh, double unit) throws BadFileException;

    /** Three coordinates of each point, in the model's unit. */
    final class Points implements MeshRun {
        private final float[] coordinates;

        Points(float[] coordinates) {
            this.coordinates = coordinates;
        }

        float[] coordinates() {
            return coordinates;
        }

        @Override
        public void addTo(Mesh.Builder mesh, double unit) throws BadFileException {
            if (unit != 1) {
                for (int at = 0; at < coordinates.length; at++) {
                    coordinates[at] = (float) (coordinates[at] * unit);
                }
            }
            mesh.points(coordinates);
        }
    }

    /** Three corners of each triangle, and the codes of those that are painted. */
    final class Triangles implements MeshRun {
        private final int[] corners;
        private final Map<PaintLayer, @Nullable String[]> paint;

        Triangles(int[] corners, Map<PaintLayer, @Nullable String[]> paint) {
            this.corners = corners;
            this.paint = paint;
        }

        int[] corners() {
            return corners;
        }

        Map<PaintLayer, @Nullable String[]> paint() {
            return paint;
        }

        @Override
        public void addTo(Mesh.Builder mesh, double unit) throws BadFileException {
            int first = mesh.triangles();
            mesh.triangles(corners);
            paint.forEach((brush, codes) -> mesh.paint(brush, first, codes));
        }
    }
}
