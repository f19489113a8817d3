package farm.gantry.ingest.sample;

import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.mesh.Scene;
import farm.gantry.ingest.reading.BadFileException;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Small solids as test data. */
public final class Solids {
    private static final int[][] FACES = {
        {0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6},
        {1, 3, 5}, {3, 7, 5}
    };

    private Solids() {}

    public static Mesh box(double x, double y, double z, double width, double depth, double height)
            throws BadFileException {
        var mesh = new Mesh.Builder(12);
        for (int corner = 0; corner < 8; corner++) {
            mesh.point((float) (x + (corner & 1) * width), (float) (y + (corner >> 1 & 1) * depth), (float)
                    (z + (corner >> 2) * height));
        }
        for (int[] face : FACES) {
            mesh.triangle(face[0], face[1], face[2]);
        }
        return mesh.build();
    }

    /** Returns a cylinder that stands on the bed, around the origin. */
    public static Mesh cylinder(double diameter, double height, int sides) throws BadFileException {
        var mesh = new Mesh.Builder(4 * sides);
        mesh.point(0, 0, 0);
        mesh.point(0, 0, (float) height);
        for (int side = 0; side < sides; side++) {
            double angle = 2 * Math.PI * side / sides;
            float x = (float) (diameter / 2 * Math.cos(angle));
            float y = (float) (diameter / 2 * Math.sin(angle));
            mesh.point(x, y, 0);
            mesh.point(x, y, (float) height);
        }
        for (int side = 0; side < sides; side++) {
            int here = 2 + 2 * side;
            int next = 2 + 2 * ((side + 1) % sides);
            mesh.triangle(0, next, here);
            mesh.triangle(1, here + 1, next + 1);
            mesh.triangle(here, next, next + 1);
            mesh.triangle(here, next + 1, here + 1);
        }
        return mesh.build();
    }

    public static int triangles(Scene scene) {
        return scene.items().stream()
                .flatMap(item -> item.volumes().stream())
                .mapToInt(volume -> volume.mesh().triangles())
                .sum();
    }

    /** Returns the volume in mm³; it is negative when the triangles face inwards. */
    public static double volume(Mesh mesh) {
        return IntStream.range(0, mesh.triangles())
                .mapToDouble(triangle -> {
                    int a = mesh.corner(triangle, 0);
                    int b = mesh.corner(triangle, 1);
                    int c = mesh.corner(triangle, 2);
                    return (mesh.x(a) * (mesh.y(b) * mesh.z(c) - mesh.z(b) * mesh.y(c))
                                    - mesh.y(a) * (mesh.x(b) * mesh.z(c) - mesh.z(b) * mesh.x(c))
                                    + mesh.z(a) * (mesh.x(b) * mesh.y(c) - mesh.y(b) * mesh.x(c)))
                            / 6;
                })
                .sum();
    }

    /** Returns the mesh as a text STL. */
    public static String text(String name, Mesh mesh) {
        return IntStream.range(0, mesh.triangles())
                .mapToObj(triangle -> IntStream.range(0, 3)
                        .mapToObj(corner -> mesh.corner(triangle, corner))
                        .map(point -> String.format(
                                Locale.ROOT, "   vertex %s %s %s\n", mesh.x(point), mesh.y(point), mesh.z(point)))
                        .collect(Collectors.joining(
                                "", " facet normal 0 0 0\n  outer loop\n", "  endloop\n endfacet\n")))
                .collect(Collectors.joining("", "solid " + name + "\n", "endsolid " + name + "\n"));
    }

    /** Returns the mesh as an object of a 3MF model. */
    public static String object(String id, Mesh mesh) {
        String points = IntStream.range(0, mesh.points())
                .mapToObj(point ->
                        "<vertex x=\"%s\" y=\"%s\" z=\"%s\"/>".formatted(mesh.x(point), mesh.y(point), mesh.z(point)))
                .collect(Collectors.joining());
        String triangles = IntStream.range(0, mesh.triangles())
                .mapToObj(triangle -> "<triangle v1=\"%d\" v2=\"%d\" v3=\"%d\"/>"
                        .formatted(mesh.corner(triangle, 0), mesh.corner(triangle, 1), mesh.corner(triangle, 2)))
                .collect(Collectors.joining());
        return "<object id=\"%s\" type=\"model\"><mesh><vertices>%s</vertices><triangles>%s</triangles></mesh></object>"
                .formatted(id, points, triangles);
    }
}
