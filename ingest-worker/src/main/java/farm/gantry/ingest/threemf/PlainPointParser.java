package farm.gantry.ingest.threemf;

import farm.gantry.ingest.threemf.ByteParser.Token;
import java.util.Arrays;

/** A run of points that are written as nearly all are: x, y and z in this order, and nothing else. */
final class PlainPointParser {
    private static final Token X = Token.of("<vertex x=\"");
    private static final Token Y = Token.of("\" y=\"");
    private static final Token Z = Token.of("\" z=\"");

    private final float[] coordinates = new float[MeshRun.MAX_LENGTH * MeshRun.XYZ];
    private int length;

    boolean isEmpty() {
        return length == 0;
    }

    /** Whether a plain point was there that still fitted into the run. */
    boolean read(ByteParser cursor, int limit) {
        if (length == coordinates.length || !cursor.skip(X)) {
            return false;
        }
        float x = cursor.decimal();
        if (!cursor.skip(Y)) {
            return false;
        }
        float y = cursor.decimal();
        if (!cursor.skip(Z)) {
            return false;
        }
        float z = cursor.decimal();
        if (!cursor.skipEnd() || cursor.at() > limit || Float.isNaN(x) || Float.isNaN(y) || Float.isNaN(z)) {
            return false;
        }
        coordinates[length++] = x;
        coordinates[length++] = y;
        coordinates[length++] = z;
        return true;
    }

    /** The run, after which another begins. */
    MeshRun run() {
        float[] run = Arrays.copyOf(coordinates, length);
        length = 0;
        return new MeshRun.Points(run);
    }
}
