package farm.gantry.ingest.threemf;

import farm.gantry.ingest.mesh.PaintLayer;
import farm.gantry.ingest.threemf.ByteParser.Token;
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
    private static final List<Attribute> ATTRIBUTES = attributes();

    /** An attribute and what it tells: paint, the group of the properties, or one of its properties, which is not used. */
    private record Attribute(Token token, int bit, @Nullable PaintLayer brush, boolean isGroup) {}

    private final int[] corners = new int[MeshRun.LONGEST * MeshRun.XYZ];
    private final Map<PaintLayer, @Nullable String[]> paint = new EnumMap<>(PaintLayer.class);
    private int length;
    private int group = NO_GROUP;
    /** Of the triangle that is being read. */
    private final Map<PaintLayer, String> codes = new EnumMap<>(PaintLayer.class);

    private int foundGroup;

    private static List<Attribute> attributes() {
        List<Attribute> attributes = new ArrayList<>();
        for (String property : List.of("pid", "p1", "p2", "p3")) {
            attributes.add(attribute(property, 1 << attributes.size(), null));
        }
        for (PaintLayer brush : PaintLayer.values()) {
            int bit = 1 << attributes.size();
            attributes.add(attribute(brush.bambu(), bit, brush));
            attributes.add(attribute("slic3rpe:" + brush.prusa(), bit, brush));
        }
        return attributes;
    }

    private static Attribute attribute(String name, int bit, @Nullable PaintLayer brush) {
        return new Attribute(Token.of("\" " + name + "=\""), bit, brush, name.equals("pid"));
    }

    boolean isEmpty() {
        return length == 0;
    }

    int group() {
        return group;
    }

    /** Whether a plain triangle was there that still fitted into the run. */
    boolean read(ByteParser cursor, int limit) {
        if (length == corners.length || !cursor.skip(FIRST)) {
            return false;
        }
        int one = cursor.whole();
        if (!cursor.skip(SECOND)) {
            return false;
        }
        int two = cursor.whole();
        if (!cursor.skip(THIRD)) {
            return false;
        }
        int three = cursor.whole();
        if ((one | two | three) < 0) {
            return false;
        }
        foundGroup = NO_GROUP;
        if (!codes.isEmpty()) {
            codes.clear();
        }
        boolean ended = cursor.skipEnd() || readAttributes(cursor, limit);
        if (!ended || cursor.at() > limit || (length > 0 && foundGroup != group)) {
            return false;
        }
        group = foundGroup;
        if (!codes.isEmpty()) {
            codes.forEach(this::paint);
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

    private static @Nullable Attribute next(ByteParser cursor) {
        for (Attribute attribute : ATTRIBUTES) {
            if (cursor.skip(attribute.token)) {
                return attribute;
            }
        }
        return null;
    }

    private boolean readValue(ByteParser cursor, Attribute attribute, int limit) {
        if (attribute.brush == null) {
            int number = cursor.whole();
            foundGroup = attribute.isGroup ? number : foundGroup;
            return number >= 0;
        }
        String code = cursor.letters(limit);
        if (code == null) {
            return false;
        }
        codes.put(attribute.brush, code);
        return true;
    }

    private void paint(PaintLayer brush, String code) {
        paint.computeIfAbsent(brush, _ -> new String[MeshRun.LONGEST])[length / MeshRun.XYZ] = code;
    }

    /** The run, after which another begins. */
    MeshRun run() {
        int[] run = Arrays.copyOf(corners, length);
        Map<PaintLayer, @Nullable String[]> painted = new EnumMap<>(PaintLayer.class);
        paint.forEach((brush, all) -> painted.put(brush, Arrays.copyOf(all, length / MeshRun.XYZ)));
        paint.clear();
        length = 0;
        return new MeshRun.Triangles(run, painted);
    }
}
