package farm.gantry.ingest.drawing;

import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.mesh.PaintLayer;
import farm.gantry.ingest.mesh.Scene;
import farm.gantry.ingest.mesh.Volume;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.Bounds;
import farm.gantry.ingest.reading.Png;
import java.util.List;

/** Renders a scene in the colours of its filaments, with its shadow on a transparent background. */
public final class SceneRenderer {
    /** The version of the rendering; changes when the same scene looks different. */
    public static final int STYLE = 1;

    static final int OVERSAMPLING = 2;
    private static final double[] KEY = unit(-0.45, 0.62, 0.64);
    private static final double[] FILL = unit(0.85, 0.10, 0.52);
    private static final double[] GLANCE = unit(-0.25, 0.38, 0.89);

    private final List<Volume> volumes;
    private final Palette palette;
    private final ViewProjection projection;
    private final double ground;
    private final int size;

    private SceneRenderer(Scene scene, Palette palette, int size) {
        this.volumes = scene.items().stream()
                .flatMap(item -> item.volumes().stream())
                .filter(volume -> volume.kind() == Volume.Kind.PART)
                .toList();
        Bounds bounds = scene.bounds();
        this.palette = palette;
        this.projection = new ViewProjection(bounds);
        this.ground = bounds.minZ();
        this.size = size;
    }

    private static double[] unit(double x, double y, double z) {
        double length = Math.sqrt(x * x + y * y + z * z);
        return new double[] {x / length, y / length, z / length};
    }

    /** Renders a square PNG of this size in pixels. The image of an empty scene is transparent. */
    public static byte[] renderPng(Scene scene, List<String> colors, int size) {
        if (scene.bounds().isEmpty()) {
            return Png.encode(size, size, new byte[size * size * 4]);
        }
        return new SceneRenderer(scene, new Palette(colors), size).renderPng();
    }

    /** An empty plate. */
    public static byte[] renderEmptyPlate(int size) throws BadFileException {
        var bed = new Mesh.Builder(2);
        bed.point(0, 0, 0);
        bed.point(1, 0, 0);
        bed.point(1, 1, 0);
        bed.point(0, 1, 0);
        bed.triangle(0, 1, 2);
        bed.triangle(0, 2, 3);
        return renderPng(Scene.of("bed", bed.build()), List.of(), size);
    }

    private byte[] renderPng() {
        List<float[]> projected = volumes.stream().map(projection::projected).toList();
        List<float[]> shadows = volumes.stream()
                .map(volume -> projection.shadow(volume, ground))
                .toList();
        double[] box = emptyBox();
        projected.forEach(points -> extendBox(box, points));
        shadows.forEach(points -> extendBox(box, points));
        double[] fit = ViewProjection.fit(box, size);
        var raster = new Raster(size * OVERSAMPLING);
        var shadow = new Raster(size / 2);
        for (int volume = 0; volume < volumes.size(); volume++) {
            place(projected.get(volume), fit, OVERSAMPLING);
            place(shadows.get(volume), fit, 0.5);
            draw(raster, volumes.get(volume), projected.get(volume));
            castShadow(shadow, volumes.get(volume).mesh(), shadows.get(volume));
        }
        return Png.encode(size, size, new PostProcessor(raster, shadow).pixels(size));
    }

    static double[] emptyBox() {
        return new double[] {1e9, 1e9, -1e9, -1e9};
    }

    static void extendBox(double[] box, float[] points) {
        for (int at = 0; at < points.length; at += 3) {
            box[0] = Math.min(box[0], points[at]);
            box[1] = Math.min(box[1], points[at + 1]);
            box[2] = Math.max(box[2], points[at]);
            box[3] = Math.max(box[3], points[at + 1]);
        }
    }

    static void place(float[] points, double[] fit, double scale) {
        for (int at = 0; at < points.length; at += 3) {
            points[at] = (float) ((points[at] * fit[0] + fit[1]) * scale);
            points[at + 1] = (float) ((points[at + 1] * fit[0] + fit[2]) * scale);
        }
    }

    private void draw(Raster raster, Volume volume, float[] projected) {
        Mesh mesh = volume.mesh();
        double[] normal = new double[3];
        float[] usual = palette.color(volume.tool());
        double side = volume.place().isMirror() ? -1 : 1;
        for (int triangle = 0; triangle < mesh.triangles(); triangle++) {
            int a = mesh.corner(triangle, 0);
            int b = mesh.corner(triangle, 1);
            int c = mesh.corner(triangle, 2);
            computeNormal(volume, a, b, c, side, normal);
            int painted = PaintCodeDecoder.dominantFilament(mesh.paint(PaintLayer.COLOR, triangle));
            int color = shade(painted == 0 ? usual : palette.color(painted - 1), normal);
            fillTriangle(raster, projected, a * 3, b * 3, c * 3, color);
        }
    }

    private static void castShadow(Raster shadow, Mesh mesh, float[] projected) {
        for (int triangle = 0; triangle < mesh.triangles(); triangle++) {
            fillTriangle(
                    shadow,
                    projected,
                    mesh.corner(triangle, 0) * 3,
                    mesh.corner(triangle, 1) * 3,
                    mesh.corner(triangle, 2) * 3,
                    0);
        }
    }

    static void fillTriangle(Raster raster, float[] projected, int a, int b, int c, int color) {
        raster.drawTriangle(
                projected[a],
                projected[a + 1],
                projected[a + 2],
                projected[b],
                projected[b + 1],
                projected[b + 2],
                projected[c],
                projected[c + 1],
                projected[c + 2],
                color);
    }

    private void computeNormal(Volume volume, int a, int b, int c, double side, double[] normal) {
        Mesh mesh = volume.mesh();
        var place = volume.place();
        double ux = mesh.x(b) - mesh.x(a);
        double uy = mesh.y(b) - mesh.y(a);
        double uz = mesh.z(b) - mesh.z(a);
        double vx = mesh.x(c) - mesh.x(a);
        double vy = mesh.y(c) - mesh.y(a);
        double vz = mesh.z(c) - mesh.z(a);
        double ox = place.x(0, 0, 0);
        double oy = place.y(0, 0, 0);
        double oz = place.z(0, 0, 0);
        double px = place.x(ux, uy, uz) - ox;
        double py = place.y(ux, uy, uz) - oy;
        double pz = place.z(ux, uy, uz) - oz;
        double qx = place.x(vx, vy, vz) - ox;
        double qy = place.y(vx, vy, vz) - oy;
        double qz = place.z(vx, vy, vz) - oz;
        normal[0] = side * (py * qz - pz * qy);
        normal[1] = side * (pz * qx - px * qz);
        normal[2] = side * (px * qy - py * qx);
        double length = Math.sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
        if (length > 0) {
            for (int axis = 0; axis < 3; axis++) {
                normal[axis] /= length;
            }
        }
        projection.toViewSpace(normal);
    }

    /** Returns the shaded colour. A back face, seen only through a hole, is lit as if it faced the viewer. */
    static int shade(float[] base, double[] normal) {
        double facing = normal[2] < 0 ? -1 : 1;
        double key = Math.max(0, facing * dot(normal, KEY));
        double fill = Math.max(0, facing * dot(normal, FILL));
        double sky = 0.5 + 0.5 * facing * normal[1];
        double shine = Math.pow(Math.max(0, facing * dot(normal, GLANCE)), 40) * 0.10;
        double amount = 0.16 + 0.20 * sky + 0.62 * key + 0.14 * fill;
        int color = 0;
        for (int channel = 0; channel < 3; channel++) {
            color = color << 10 | (int) Math.round(1023 * Math.clamp(base[channel] * amount + shine, 0, 1));
        }
        return color;
    }

    private static double dot(double[] a, double[] b) {
        return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }
}
