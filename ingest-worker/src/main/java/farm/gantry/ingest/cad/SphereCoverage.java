package farm.gantry.ingest.cad;

import farm.gantry.ingest.mesh.Mesh;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Computes how much of a sphere the triangles of a mesh cover. */
final class SphereCoverage {
    private static final int MAX_LIFTS = 16;

    private final Mesh mesh;

    SphereCoverage(Mesh mesh) {
        this.mesh = mesh;
    }

    /**
     * Returns the maximum solid angle of the sphere that the mesh covers. A STEP reader may move the mesh up or down,
     * so that it stands on the bed: its position is where it has all these vertices. 0 if no position has them.
     */
    double solidAngle(Sphere sphere, List<Vector> vertices) {
        if (vertices.isEmpty()) {
            return 0;
        }
        double tolerance = sphere.tolerance();
        return verticalOffsets(vertices.getFirst(), tolerance)
                .filter(lift -> vertices.stream().allMatch(vertex -> hasVertex(vertex, lift, tolerance)))
                .map(lift -> solidAngle(new Sphere(sphere.center().plus(new Vector(0, 0, lift)), sphere.radius())))
                .max()
                .orElse(0);
    }

    private DoubleStream verticalOffsets(Vector vertex, double tolerance) {
        return IntStream.range(0, mesh.points())
                .filter(point -> isOnVerticalLine(point, vertex, tolerance))
                .mapToDouble(point -> mesh.z(point) - vertex.z())
                .limit(MAX_LIFTS);
    }

    private boolean hasVertex(Vector vertex, double lift, double tolerance) {
        return IntStream.range(0, mesh.points())
                .anyMatch(point -> isOnVerticalLine(point, vertex, tolerance)
                        && Math.abs(mesh.z(point) - vertex.z() - lift) <= tolerance);
    }

    /** Returns whether the point is vertically below or above the vertex. */
    private boolean isOnVerticalLine(int point, Vector vertex, double tolerance) {
        return Math.abs(mesh.x(point) - vertex.x()) <= tolerance && Math.abs(mesh.y(point) - vertex.y()) <= tolerance;
    }

    private double solidAngle(Sphere sphere) {
        double sum = 0;
        for (int triangle = 0; triangle < mesh.triangles(); triangle++) {
            Vector a = corner(triangle, 0);
            if (sphere.touches(a, sphere.tolerance())) {
                sum += solidAngle(sphere, a, corner(triangle, 1), corner(triangle, 2));
            }
        }
        return sum;
    }

    private static double solidAngle(Sphere sphere, Vector a, Vector b, Vector c) {
        Vector normal = b.minus(a).cross(c.minus(a));
        boolean isOn = sphere.touches(b, sphere.tolerance())
                && sphere.touches(c, sphere.tolerance())
                && Math.abs(a.minus(sphere.center()).dot(normal))
                        >= Sphere.MIN_PLANE * sphere.radius() * normal.length();
        return isOn && normal.length() > 0
                ? Math.abs(Vector.solidAngle(direction(sphere, a), direction(sphere, b), direction(sphere, c)))
                : 0;
    }

    private static Vector direction(Sphere sphere, Vector point) {
        return point.minus(sphere.center()).unit();
    }

    private Vector corner(int triangle, int corner) {
        int point = mesh.corner(triangle, corner);
        return new Vector(mesh.x(point), mesh.y(point), mesh.z(point));
    }
}
