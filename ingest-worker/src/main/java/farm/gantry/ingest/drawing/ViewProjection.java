package farm.gantry.ingest.drawing;

import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.mesh.Transform;
import farm.gantry.ingest.mesh.Volume;
import farm.gantry.ingest.reading.Bounds;

/** The perspective projection: from the front, a little from the right and above, as slicers show a scene. */
final class ViewProjection {
    private static final double AZIMUTH = Math.toRadians(-62);
    private static final double MIN_VALUE = 27;
    private static final double HIGHER = 23;
    private static final double PERSPECTIVE = 0.16;
    private static final double MARGIN = 0.06;

    private final double[] right;
    private final double[] toward;
    private final double[] up;
    private final double[] middle;
    private final double radius;

    /** Flat scenes are seen more from above. */
    ViewProjection(Bounds bounds) {
        double flat = 1 - Math.min(1, 2 * bounds.height() / Math.max(1e-6, Math.max(bounds.width(), bounds.depth())));
        double elevation = Math.toRadians(MIN_VALUE + HIGHER * flat);
        double low = Math.cos(elevation);
        double high = Math.sin(elevation);
        this.right = new double[] {-Math.sin(AZIMUTH), Math.cos(AZIMUTH), 0};
        this.toward = new double[] {Math.cos(AZIMUTH) * low, Math.sin(AZIMUTH) * low, high};
        this.up = new double[] {-Math.cos(AZIMUTH) * high, -Math.sin(AZIMUTH) * high, low};
        this.middle = new double[] {bounds.middleX(), bounds.middleY(), (bounds.minZ() + bounds.maxZ()) / 2};
        this.radius = Math.max(
                1e-6,
                Math.sqrt(bounds.width() * bounds.width()
                                + bounds.depth() * bounds.depth()
                                + bounds.height() * bounds.height())
                        / 2);
    }

    double radius() {
        return radius;
    }

    /** Projects one point. */
    private interface PointProjection {
        void at(double x, double y, double z, float[] projected, int index);
    }

    /** Each point's position on the picture plane and its depth: three numbers a point. */
    float[] projected(Volume volume) {
        return each(volume, this::project);
    }

    /** Projects each point's shadow on the ground. */
    float[] shadow(Volume volume, double ground) {
        return each(volume, (x, y, z, projected, index) -> cast(x, y, z, ground, projected, index));
    }

    private static float[] each(Volume volume, PointProjection projection) {
        Mesh mesh = volume.mesh();
        Transform place = volume.place();
        float[] projected = new float[mesh.points() * 3];
        for (int point = 0; point < mesh.points(); point++) {
            double x = mesh.x(point);
            double y = mesh.y(point);
            double z = mesh.z(point);
            projection.at(place.x(x, y, z), place.y(x, y, z), place.z(x, y, z), projected, point * 3);
        }
        return projected;
    }

    void cast(double x, double y, double z, double ground, float[] projected, int at) {
        double height = z - ground;
        project(x + height * 0.30, y + height * 0.18, ground, projected, at);
    }

    void project(double x, double y, double z, float[] projected, int at) {
        double dx = (x - middle[0]) / radius;
        double dy = (y - middle[1]) / radius;
        double dz = (z - middle[2]) / radius;
        double near = dx * toward[0] + dy * toward[1] + dz * toward[2];
        double scale = 1 / (1 - PERSPECTIVE * near);
        projected[at] = (float) ((dx * right[0] + dy * right[1]) * scale);
        projected[at + 1] = (float) (-(dx * up[0] + dy * up[1] + dz * up[2]) * scale);
        projected[at + 2] = (float) near;
    }

    /** Turns a normal into view space: right, up and toward the viewer. */
    void toViewSpace(double[] normal) {
        double x = normal[0];
        double y = normal[1];
        double z = normal[2];
        normal[0] = x * right[0] + y * right[1];
        normal[1] = x * up[0] + y * up[1] + z * up[2];
        normal[2] = x * toward[0] + y * toward[1] + z * toward[2];
    }

    /** Returns what scales the widest side to the picture: a factor, and the two shifts after it. */
    static double[] fit(double[] box, int size) {
        double wide = Math.max(box[2] - box[0], box[3] - box[1]);
        double factor = wide <= 0 ? 1 : size * (1 - 2 * MARGIN) / wide;
        return new double[] {
            factor, size / 2.0 - factor * (box[0] + box[2]) / 2, size / 2.0 - factor * (box[1] + box[3]) / 2
        };
    }
}
