package farm.gantry.ingest.cad;

record Sphere(Vector center, double radius) {
    /** The solid angle of a whole sphere. */
    static final double WHOLE = 4 * Math.PI;

    /** A triangle whose plane is nearer to the center, in radii, does not count as a part of the sphere's surface. */
    static final double MIN_PLANE = 0.9;

    /** In mm: how far from the surface its points may be in a mesh. */
    double tolerance() {
        return 0.001 + radius * 1e-4;
    }

    boolean touches(Vector point, double tolerance) {
        return Math.abs(point.distance(center) - radius) <= tolerance;
    }

    /** Whether a mesh of the other sphere may be taken for one of this. */
    boolean isLike(Sphere other) {
        return center.distance(other.center) + Math.abs(radius - other.radius) <= 4 * tolerance();
    }
}
