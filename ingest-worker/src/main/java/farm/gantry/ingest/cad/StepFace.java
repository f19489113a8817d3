package farm.gantry.ingest.cad;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A face of a STEP file. {@code solidAngle} is that of the part of its sphere inside its bounds, and the whole sphere's where that is not
 * certain. {@code sphere} and {@code plane} are null for a face of another surface.
 */
record StepFace(@Nullable Sphere sphere, @Nullable Plane plane, double solidAngle, List<Vector> vertices) {
    static final String SPHERICAL_SURFACE = "SPHERICAL_SURFACE";

    /** Minimum solid angle of a partial face. Bounds that enclose less are the seam of a whole sphere. */
    private static final double MIN_SOLID_ANGLE = 0.001 * Sphere.WHOLE;

    record Plane(Vector point, Vector normal) {
        double distance(Vector from) {
            return Math.abs(from.minus(point).dot(normal));
        }
    }

    static StepFace of(StepFile file, StepGeometry geometry, StepInstance face) throws UnsupportedStepException {
        StepInstance surface = file.instance(face.argument(2));
        List<StepInstance> bounds = new ArrayList<>();
        List<Vector> vertices = new ArrayList<>();
        for (Object reference : face.list(1)) {
            StepInstance bound = file.instance(reference);
            bounds.add(bound);
            vertices.addAll(geometry.vertices(bound));
        }
        if (surface.is(SPHERICAL_SURFACE)) {
            Sphere sphere = new Sphere(
                    geometry.location(file.instance(surface.argument(1))), geometry.length(surface.number(2)));
            return new StepFace(sphere, null, solidAngle(geometry, sphere, bounds, face.isTrue(3)), vertices);
        }
        if (surface.is("PLANE")) {
            StepInstance placement = file.instance(surface.argument(1));
            return new StepFace(null, new Plane(geometry.location(placement), geometry.axis(placement)), 0, vertices);
        }
        return new StepFace(null, null, 0, vertices);
    }

    /** Returns the solid angle of a face, which lies to the left of its bounds as seen from the side to which it points. */
    private static double solidAngle(
            StepGeometry geometry, Sphere sphere, List<StepInstance> bounds, boolean pointsOutside) {
        double sum = Sphere.WHOLE;
        try {
            for (StepInstance bound : bounds) {
                List<Vector> outline = geometry.outline(bound);
                double left = solidAngleLeftOf(sphere, pointsOutside ? outline : outline.reversed());
                sum += (left < MIN_SOLID_ANGLE ? Sphere.WHOLE : left) - Sphere.WHOLE;
            }
        } catch (UnsupportedStepException notUnderstood) {
            return Sphere.WHOLE;
        }
        return sum < MIN_SOLID_ANGLE ? Sphere.WHOLE : sum;
    }

    /** Returns the solid angle to the left of a closed line, as seen from outside the sphere. */
    private static double solidAngleLeftOf(Sphere sphere, List<Vector> outline) {
        Vector apex = new Vector(0.36, 0.48, 0.8); // Any direction will do.
        double sum = 0;
        for (int i = 0; i < outline.size(); i++) {
            Vector from = outline.get(i).minus(sphere.center()).unit();
            Vector to =
                    outline.get((i + 1) % outline.size()).minus(sphere.center()).unit();
            sum += Vector.solidAngle(apex, from, to);
        }
        double turned = sum % Sphere.WHOLE;
        return turned < 0 ? turned + Sphere.WHOLE : turned;
    }

    /** Returns the maximum solid angle of a sphere that a mesh of this face covers. */
    double maxSolidAngle(Sphere of) {
        if (sphere != null) {
            return of.isNearlyEqual(sphere) ? solidAngle : 0;
        }
        if (vertices.stream().anyMatch(vertex -> !of.touches(vertex, 4 * of.tolerance()))) {
            return 0; // A triangle of it may lie on the sphere, but not all.
        }
        if (plane == null) {
            return Sphere.WHOLE;
        }
        double distance = plane.distance(of.center()) / of.radius();
        return distance < Sphere.MIN_PLANE - 0.05 || distance > 1 ? 0 : 2 * Math.PI * (1 - distance);
    }
}
