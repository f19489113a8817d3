package farm.gantry.ingest.cad;

record Sphere(Vector center, double radius) {
    /** Solid angle of a whole sphere, in steradians. */
    static final double WHOLE = 4 * Math.PI;

    /** A triangle whose plane is nearer to the center, in radii, does not count as a part of the sphere's surface. */
    static final double MIN_PLANE = 0.9;

    /** Returns the maximum distance in mm between the surface and the points of a mesh of it. */
    double tolerance() {
        return 0.001 + radius * 1e-4;
    }

    boolean touches(Vector point, double tolerance) {
        return Math.abs(point.distance(center) - radius) <= tolerance;
    }

    /** Returns whether the spheres are so similar that a mesh of one could be a mesh of the other. */
    boolean isNearlyEqual(Sphere other) {
        return center.distance(other.center) + Math.abs(radius - other.radius) <= 4 * tolerance();
    }
}
