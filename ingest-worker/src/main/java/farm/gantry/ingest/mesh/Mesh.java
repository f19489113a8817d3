package farm.gantry.ingest.mesh;

import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.Bounds;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Triangles over shared points, in mm; painted ones have the codes of a slicer's paint tools. */
public final class Mesh {
    private static final int XYZ = 3;

    private final float[] points;
    private final int[] corners;
    private final Map<PaintLayer, @Nullable String[]> paint;

    private Mesh(float[] points, int[] corners, Map<PaintLayer, @Nullable String[]> paint) {
        this.points = points;
        this.corners = corners;
        this.paint = paint;
    }

    public int triangles() {
        return corners.length / XYZ;
    }

    public int points() {
        return points.length / XYZ;
    }

    /** The point at a corner (0 to 2) of a triangle. */
    public int corner(int triangle, int corner) {
        return corners[triangle * XYZ + corner];
    }

    public float x(int point) {
        return points[point * XYZ];
    }

    public float y(int point) {
        return points[point * XYZ + 1];
    }

    public float z(int point) {
        return points[point * XYZ + 2];
    }

    public @Nullable String paint(PaintLayer brush, int triangle) {
        @Nullable String[] codes = paint.get(brush);
        return codes == null ? null : codes[triangle];
    }

    /** Some of the triangles, with the points that they use. */
    public Mesh range(int first, int count) {
        int[] renamed = new int[points()];
        float[] kept = new float[Math.min(points.length, count * XYZ * XYZ)];
        int[] copied = new int[count * XYZ];
        int known = 0;
        for (int at = 0; at < copied.length; at++) {
            int point = corners[first * XYZ + at];
            if (renamed[point] == 0) {
                System.arraycopy(points, point * XYZ, kept, known * XYZ, XYZ);
                renamed[point] = ++known;
            }
            copied[at] = renamed[point] - 1;
        }
        return new Mesh(
                Arrays.copyOf(kept, known * XYZ),
                copied,
                mapped(codes -> Arrays.copyOfRange(codes, first, first + count), paint));
    }

    /** Joins equal points, if there are more points than a closed surface can have. */
    public Mesh joined() throws BadFileException {
        if (points() <= triangles()) {
            return this;
        }
        Builder joined = new Builder(triangles());
        int[] numbers = new int[points()];
        for (int point = 0; point < points(); point++) {
            numbers[point] = joined.joined(x(point), y(point), z(point));
        }
        int[] renamed = Arrays.stream(corners).map(point -> numbers[point]).toArray();
        return new Mesh(Arrays.copyOf(joined.points, joined.pointNumbers), renamed, paint);
    }

    /** A copy with the orientation of some triangles reversed. */
    Mesh flipped(BitSet triangles) {
        int[] turned = corners.clone();
        triangles.stream().forEach(triangle -> {
            turned[triangle * XYZ] = corners[triangle * XYZ + 2];
            turned[triangle * XYZ + 2] = corners[triangle * XYZ];
        });
        return new Mesh(points, turned, paint);
    }

    private static Map<PaintLayer, @Nullable String[]> mapped(
            UnaryOperator<@Nullable String[]> change, Map<PaintLayer, @Nullable String[]> paint) {
        Map<PaintLayer, @Nullable String[]> mapped = new EnumMap<>(PaintLayer.class);
        paint.forEach((brush, codes) -> mapped.put(brush, change.apply(codes)));
        return mapped;
    }

    /** Returns the mesh in another place. */
    public Mesh moved(Transform move) throws BadFileException {
        Builder moved = new Builder(triangles());
        moved.add(this, move);
        return moved.build();
    }

    public Bounds bounds(Transform place) {
        double[] low = {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY};
        double[] high = {Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY};
        for (int point = 0; point < points(); point++) {
            double x = x(point);
            double y = y(point);
            double z = z(point);
            widen(low, high, 0, place.x(x, y, z));
            widen(low, high, 1, place.y(x, y, z));
            widen(low, high, 2, place.z(x, y, z));
        }
        return new Bounds(low[0], low[1], low[2], high[0], high[1], high[2]);
    }

    private static void widen(double[] low, double[] high, int axis, double to) {
        low[axis] = Math.min(low[axis], to);
        high[axis] = Math.max(high[axis], to);
    }

    /** Collects points and triangles, and rejects numbers that no real part has. */
    public static final class Builder {
        private static final int FIRST = 1 << 10;
        private static final float FARTHEST = 1e7f;

        private final int most;
        private float[] points = new float[FIRST];
        private int[] corners = new int[FIRST];
        private final Map<PaintLayer, @Nullable String[]> paint = new EnumMap<>(PaintLayer.class);
        private int pointNumbers;
        private int cornerNumbers;
        /** The points that were joined, by their places: 0 is none, and others count from 1. */
        private int[] places = new int[FIRST];

        /** Creates a builder that throws if the mesh has more triangles than this. */
        public Builder(int most) {
            this.most = most;
        }

        public int points() {
            return pointNumbers / XYZ;
        }

        public int triangles() {
            return cornerNumbers / XYZ;
        }

        public void point(float x, float y, float z) throws BadFileException {
            requireReal(x);
            requireReal(y);
            requireReal(z);
            if (pointNumbers + XYZ > points.length) {
                points = Arrays.copyOf(points, grown(points.length));
            }
            points[pointNumbers++] = x;
            points[pointNumbers++] = y;
            points[pointNumbers++] = z;
        }

        /** Several points, of each three numbers. */
        public void points(float[] numbers) throws BadFileException {
            for (float number : numbers) {
                requireReal(number);
            }
            while (pointNumbers + numbers.length > points.length) {
                points = Arrays.copyOf(points, grown(points.length));
            }
            System.arraycopy(numbers, 0, points, pointNumbers, numbers.length);
            pointNumbers += numbers.length;
        }

        /** Adds the point unless an equal one exists. Returns its index. */
        public int joined(float x, float y, float z) throws BadFileException {
            if (points() * 2 >= places.length) {
                places = new int[places.length * 2];
                for (int point = 0; point < points(); point++) {
                    places[place(points[point * XYZ], points[point * XYZ + 1], points[point * XYZ + 2])] = point + 1;
                }
            }
            int place = place(x, y, z);
            if (places[place] == 0) {
                point(x, y, z);
                places[place] = points();
            }
            return places[place] - 1;
        }

        private int place(float x, float y, float z) {
            int hash = (Float.hashCode(x + 0f) * 31 + Float.hashCode(y + 0f)) * 31 + Float.hashCode(z + 0f);
            int place = ((hash * 0x9E3779B9) >>> 8) & (places.length - 1);
            while (places[place] != 0 && !isAt((places[place] - 1) * XYZ, x, y, z)) {
                place = (place + 1) & (places.length - 1);
            }
            return place;
        }

        private boolean isAt(int at, float x, float y, float z) {
            return points[at] == x && points[at + 1] == y && points[at + 2] == z;
        }

        private static void requireReal(float number) throws BadFileException {
            if (!(Math.abs(number) < FARTHEST)) {
                throw new BadFileException(
                        "A point of the mesh is not a number, or lies outside of any printer's volume");
            }
        }

        /** Three points of those given so far. */
        public void triangle(int one, int two, int three) throws BadFileException {
            requirePoint(one);
            requirePoint(two);
            requirePoint(three);
            if (cornerNumbers + XYZ > corners.length) {
                corners = Arrays.copyOf(corners, grown(corners.length));
            }
            corners[cornerNumbers++] = one;
            corners[cornerNumbers++] = two;
            corners[cornerNumbers++] = three;
        }

        /** Several triangles, of each three points of those given so far. */
        public void triangles(int[] points) throws BadFileException {
            for (int point : points) {
                requirePoint(point);
            }
            while (cornerNumbers + points.length > corners.length) {
                corners = Arrays.copyOf(corners, grown(corners.length));
            }
            System.arraycopy(points, 0, corners, cornerNumbers, points.length);
            cornerNumbers += points.length;
        }

        private void requirePoint(int point) throws BadFileException {
            if (point < 0 || point >= points()) {
                throw new BadFileException("A triangle of the mesh refers to a point that does not exist");
            }
        }

        /** Adds the points, triangles and paint of another mesh, transformed. */
        public void add(Mesh mesh, Transform place) throws BadFileException {
            int before = points();
            for (int point = 0; point < mesh.points(); point++) {
                double x = mesh.x(point);
                double y = mesh.y(point);
                double z = mesh.z(point);
                point((float) place.x(x, y, z), (float) place.y(x, y, z), (float) place.z(x, y, z));
            }
            int first = place.isMirror() ? 2 : 0;
            for (int triangle = 0; triangle < mesh.triangles(); triangle++) {
                triangle(
                        before + mesh.corner(triangle, first),
                        before + mesh.corner(triangle, 1),
                        before + mesh.corner(triangle, 2 - first));
                for (PaintLayer brush : mesh.paint.keySet()) {
                    String code = mesh.paint(brush, triangle);
                    if (code != null) {
                        paint(brush, code);
                    }
                }
            }
        }

        /** Paints the triangle that was given last. */
        public void paint(PaintLayer brush, String code) {
            codes(brush)[triangles() - 1] = code;
        }

        /** Paints the triangles from that one on; one whose code is null is not painted. */
        public void paint(PaintLayer brush, int first, @Nullable String[] codes) {
            System.arraycopy(codes, 0, codes(brush), first, codes.length);
        }

        private @Nullable String[] codes(PaintLayer brush) {
            @Nullable String[] codes = paint.get(brush);
            if (codes == null || codes.length < corners.length / XYZ) {
                codes = codes == null ? new String[corners.length / XYZ] : Arrays.copyOf(codes, corners.length / XYZ);
                paint.put(brush, codes);
            }
            return codes;
        }

        private int grown(int length) throws BadFileException {
            long most = (long) this.most * XYZ * XYZ;
            if (length >= most) {
                throw new BadFileException("The mesh has more than " + this.most + " triangles");
            }
            return (int) Math.min(length + (long) length / 2, most);
        }

        public Mesh build() {
            return new Mesh(
                    Arrays.copyOf(points, pointNumbers),
                    Arrays.copyOf(corners, cornerNumbers),
                    mapped(codes -> Arrays.copyOf(codes, cornerNumbers / XYZ), paint));
        }
    }
}
