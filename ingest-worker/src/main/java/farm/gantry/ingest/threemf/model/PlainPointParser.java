package farm.gantry.ingest.threemf.model;

import farm.gantry.ingest.threemf.model.ByteParser.Token;
import java.util.Arrays;

/** Parses runs of points in their usual form: the attributes x, y and z in this order, and no other. */
final class PlainPointParser {
    private static final Token X = Token.of("<vertex x=\"");
    private static final Token Y = Token.of("\" y=\"");
    private static final Token Z = Token.of("\" z=\"");

    private final float[] coordinates = new float[MeshRun.MAX_LENGTH * MeshRun.XYZ];
    private int length;

    boolean isEmpty() {
        return length == 0;
    }

    /** Reads a plain point into the run. Returns false if there is none or the run is full. */
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

    /** Returns the run and starts another. */
    MeshRun run() {
        float[] run = Arrays.copyOf(coordinates, length);
        length = 0;
        return new MeshRun.Points(run);
    }
}
