package farm.gantry.ingest.cad;

/** A point or a direction in space. */
record Vector(double x, double y, double z) {
    Vector plus(Vector other) {
        return new Vector(x + other.x, y + other.y, z + other.z);
    }

    Vector minus(Vector other) {
        return plus(other.times(-1));
    }

    Vector times(double factor) {
        return new Vector(x * factor, y * factor, z * factor);
    }

    double dot(Vector other) {
        return x * other.x + y * other.y + z * other.z;
    }

    Vector cross(Vector other) {
        return new Vector(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x);
    }

    double length() {
        return Math.sqrt(dot(this));
    }

    Vector unit() {
        return times(1 / length());
    }

    double distance(Vector other) {
        return minus(other).length();
    }

    /**
     * The solid angle of the triangle of three unit vectors, positive where they turn counterclockwise as seen from
     * outside.
     */
    static double solidAngle(Vector a, Vector b, Vector c) {
        return 2 * Math.atan2(a.dot(b.cross(c)), 1 + a.dot(b) + b.dot(c) + c.dot(a));
    }
}
