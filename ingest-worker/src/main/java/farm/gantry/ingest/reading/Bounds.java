package farm.gantry.ingest.reading;

/** An axis-aligned bounding box in mm; an empty one has its minimum above its maximum. */
public record Bounds(double minX, double minY, double minZ, double maxX, double maxY, double maxZ) {
    public static final Bounds NOTHING = new Bounds(
            Double.POSITIVE_INFINITY,
            Double.POSITIVE_INFINITY,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            Double.NEGATIVE_INFINITY);

    public boolean isEmpty() {
        return minX > maxX;
    }

    public double width() {
        return maxX - minX;
    }

    public double depth() {
        return maxY - minY;
    }

    public double height() {
        return maxZ - minZ;
    }

    public double middleX() {
        return (minX + maxX) / 2;
    }

    public double middleY() {
        return (minY + maxY) / 2;
    }

    public Bounds and(Bounds other) {
        return new Bounds(
                Math.min(minX, other.minX),
                Math.min(minY, other.minY),
                Math.min(minZ, other.minZ),
                Math.max(maxX, other.maxX),
                Math.max(maxY, other.maxY),
                Math.max(maxZ, other.maxZ));
    }
}
