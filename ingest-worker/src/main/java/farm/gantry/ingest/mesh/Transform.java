package farm.gantry.ingest.mesh;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** An affine transformation as in 3MF: three rows of rotation and scale, and one of translation. */
public final class Transform {
    private static final int NUMBERS = 12;
    private static final double FARTHEST = 1e7;
    private static final double FLAT = 1e-12;

    public static final Transform NONE = new Transform(new double[] {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});

    private final double[] m;

    private Transform(double[] numbers) {
        this.m = numbers;
    }

    public static Transform translation(double x, double y, double z) {
        return new Transform(new double[] {1, 0, 0, 0, 1, 0, 0, 0, 1, x, y, z});
    }

    public static Transform scaling(double factor) {
        return new Transform(new double[] {factor, 0, 0, 0, factor, 0, 0, 0, factor, 0, 0, 0});
    }

    /** Parses a transform. Returns null if the text is invalid or moves something farther than {@code FARTHEST}. */
    public static @Nullable Transform parse(String text) {
        String[] words = text.strip().split("\\s+", -1);
        if (words.length != NUMBERS) {
            return null;
        }
        double[] numbers = new double[NUMBERS];
        try {
            for (int at = 0; at < NUMBERS; at++) {
                numbers[at] = Double.parseDouble(words[at]);
            }
        } catch (NumberFormatException garbage) {
            return null;
        }
        return Arrays.stream(numbers).allMatch(number -> Math.abs(number) < FARTHEST) ? new Transform(numbers) : null;
    }

    /** Returns this transformation followed by the other. */
    public Transform then(Transform after) {
        double[] n = after.m;
        double[] product = new double[NUMBERS];
        for (int row = 0; row < 4; row++) {
            for (int column = 0; column < 3; column++) {
                double sum = row == 3 ? n[9 + column] : 0;
                for (int k = 0; k < 3; k++) {
                    sum += m[row * 3 + k] * n[k * 3 + column];
                }
                product[row * 3 + column] = sum;
            }
        }
        return new Transform(product);
    }

    /** The inverse; null for a singular one. */
    public @Nullable Transform inverse() {
        double a = m[4] * m[8] - m[5] * m[7];
        double b = m[5] * m[6] - m[3] * m[8];
        double c = m[3] * m[7] - m[4] * m[6];
        double volume = m[0] * a + m[1] * b + m[2] * c;
        if (Math.abs(volume) < FLAT) {
            return null;
        }
        double[] n = {
            a,
            m[2] * m[7] - m[1] * m[8],
            m[1] * m[5] - m[2] * m[4],
            b,
            m[0] * m[8] - m[2] * m[6],
            m[2] * m[3] - m[0] * m[5],
            c,
            m[1] * m[6] - m[0] * m[7],
            m[0] * m[4] - m[1] * m[3],
            0,
            0,
            0
        };
        for (int at = 0; at < 9; at++) {
            n[at] /= volume;
        }
        for (int column = 0; column < 3; column++) {
            n[9 + column] = -(m[9] * n[column] + m[10] * n[3 + column] + m[11] * n[6 + column]);
        }
        return new Transform(n);
    }

    public double x(double x, double y, double z) {
        return m[0] * x + m[3] * y + m[6] * z + m[9];
    }

    public double y(double x, double y, double z) {
        return m[1] * x + m[4] * y + m[7] * z + m[10];
    }

    public double z(double x, double y, double z) {
        return m[2] * x + m[5] * y + m[8] * z + m[11];
    }

    /** Whether it mirrors, which reverses the orientation of triangles. */
    public boolean isMirror() {
        return m[0] * (m[4] * m[8] - m[5] * m[7])
                        - m[1] * (m[3] * m[8] - m[5] * m[6])
                        + m[2] * (m[3] * m[7] - m[4] * m[6])
                < 0;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Transform transform && Arrays.equals(m, transform.m);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(m);
    }

    /** As 3MF writes it. */
    @Override
    public String toString() {
        return IntStream.range(0, NUMBERS)
                .mapToObj(at -> m[at] == Math.rint(m[at]) ? Long.toString((long) m[at]) : Double.toString(m[at]))
                .collect(Collectors.joining(" "));
    }
}
