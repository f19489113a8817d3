package farm.gantry.ingest.threemf.model;

import farm.gantry.ingest.mesh.PaintLayer;
import farm.gantry.ingest.threemf.model.ByteParser.Token;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A run of triangles that are written as nearly all are: their corners in order, and behind them properties and paint.
 * Those of a run have their properties from the same group.
 */
final class PlainTriangleParser {
    /** No group of properties. */
    static final int NO_GROUP = -1;

    private static final Token FIRST = Token.of("<triangle v1=\"");
    private static final Token SECOND = Token.of("\" v2=\"");
    private static final Token THIRD = Token.of("\" v3=\"");
    private static final List<PaintLayer> BRUSHES = List.of(PaintLayer.values());
    private static final int NO_BRUSH = -1;
    private static final List<Attribute> ATTRIBUTES = attributes();

    /**
     * An attribute and what it tells: paint, the group of the properties, or one of its properties, which is not used. The
     * brush is a place among all, or none.
     */
    private record Attribute(Token token, int bit, int brush, boolean isGroup) {}

    private final int[] corners = new int[MeshRun.MAX_LENGTH * MeshRun.XYZ];
    /** The codes of each brush by triangle; null for one that has none in this run. */
    private final @Nullable String[] @Nullable [] paint = new String[BRUSHES.size()][];

    private int length;
    private int group = NO_GROUP;

    // Of the triangle that is being read.
    private final String[] codes = new String[BRUSHES.size()];
    private int painted; // a bit for each brush
    private int foundGroup;
    private Attribute last = ATTRIBUTES.getFirst();

    private static List<Attribute> attributes() {
        List<Attribute> attributes = new ArrayList<>();
        for (String property : List.of("pid", "p1", "p2", "p3")) {
            attributes.add(attribute(property, 1 << attributes.size(), NO_BRUSH));
        }
        for (int brush = 0; brush < BRUSHES.size(); brush++) {
            int bit = 1 << attributes.size();
            attributes.add(attribute(BRUSHES.get(brush).bambu(), bit, brush));
            attributes.add(attribute("slic3rpe:" + BRUSHES.get(brush).prusa(), bit, brush));
        }
        return attributes;
    }

    private static Attribute attribute(String name, int bit, int brush) {
        return new Attribute(Token.of("\" " + name + "=\""), bit, brush, name.equals("pid"));
    }

    boolean isEmpty() {
        return length == 0;
    }

    int group() {
        return group;
    }

    /** Reads a plain triangle into the run. Returns false if there is none or the run is full. */
    boolean read(ByteParser cursor, int limit) {
        if (length == corners.length || !cursor.skip(FIRST)) {
            return false;
        }
        int one = cursor.parseWhole();
        if (!cursor.skip(SECOND)) {
            return false;
        }
        int two = cursor.parseWhole();
        if (!cursor.skip(THIRD)) {
            return false;
        }
        int three = cursor.parseWhole();
        if ((one | two | three) < 0) {
            return false;
        }
        foundGroup = NO_GROUP;
        painted = 0;
        boolean ended = cursor.skipEnd() || readAttributes(cursor, limit);
        if (!ended || cursor.at() > limit || (length > 0 && foundGroup != group)) {
            return false;
        }
        group = foundGroup;
        for (int rest = painted; rest != 0; rest &= rest - 1) {
            paint(Integer.numberOfTrailingZeros(rest));
        }
        corners[length++] = one;
        corners[length++] = two;
        corners[length++] = three;
        return true;
    }

    /** Whether the element ends behind nothing but attributes of which each is there once. */
    private boolean readAttributes(ByteParser cursor, int limit) {
        int seen = 0;
        do {
            Attribute attribute = next(cursor);
            if (attribute == null || (seen & attribute.bit) != 0 || !readValue(cursor, attribute, limit)) {
                return false;
            }
            seen |= attribute.bit;
        } while (!cursor.skipEnd());
        return true;
    }

    /** Reads the next attribute name; tries the previous one first, because triangles repeat their attributes. */
    private @Nullable Attribute next(ByteParser cursor) {
        if (cursor.skip(last.token)) {
            return last;
        }
        for (Attribute attribute : ATTRIBUTES) {
            if (cursor.skip(attribute.token)) {
                last = attribute;
                return attribute;
            }
        }
        return null;
    }

    private boolean readValue(ByteParser cursor, Attribute attribute, int limit) {
        if (attribute.brush == NO_BRUSH) {
            int number = cursor.parseWhole();
            foundGroup = attribute.isGroup ? number : foundGroup;
            return number >= 0;
        }
        String code = cursor.parseLetters(limit);
        if (code == null) {
            return false;
        }
        codes[attribute.brush] = code;
        painted |= 1 << attribute.brush;
        return true;
    }

    private void paint(int brush) {
        @Nullable String[] all = paint[brush];
        if (all == null) {
            all = new String[MeshRun.MAX_LENGTH];
            paint[brush] = all;
        }
        all[length / MeshRun.XYZ] = codes[brush];
    }

    /** Returns the run and starts another. */
    MeshRun run() {
        int[] run = Arrays.copyOf(corners, length);
        Map<PaintLayer, @Nullable String[]> codesOfRun = new EnumMap<>(PaintLayer.class);
        for (int brush = 0; brush < paint.length; brush++) {
            @Nullable String[] all = paint[brush];
            if (all != null) {
                codesOfRun.put(BRUSHES.get(brush), Arrays.copyOf(all, length / MeshRun.XYZ));
            }
        }
        Arrays.fill(paint, null);
        length = 0;
        return new MeshRun.Triangles(run, codesOfRun);
    }
}
