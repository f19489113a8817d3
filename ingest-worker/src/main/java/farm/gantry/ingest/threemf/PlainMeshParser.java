package farm.gantry.ingest.threemf;

import farm.gantry.Id;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A model's bytes with the plain points and triangles taken out of them, for most of a model is nothing else and XML
 * readers are slow at it. Where some stood, one element says which run of them is meant, under a name that no file can
 * know; whatever is not quite plain is left as it is.
 */
final class PlainMeshParser extends InputStream {
    private static final int BUFFER = 1 << 16;
    /** No plain element is longer. */
    private static final int LOOK = 256;

    private static final int LONGEST_RUN = 1024;
    /** Runs are taken as soon as the XML reader meets them; those in comments never are. */
    private static final int MOST_RUNS = 512;

    private static final int XYZ = 3;
    /** As many digits as a double holds exactly. */
    private static final int DIGITS = 15;

    private static final double[] POWERS = powers();
    private static final byte[] VERTEX = bytes("<vertex ");
    private static final byte[] TRIANGLE = bytes("<triangle ");
    private static final byte[][] COORDINATES = {bytes("x=\""), bytes("y=\""), bytes("z=\"")};
    private static final byte[][] CORNERS = {bytes("v1=\""), bytes("v2=\""), bytes("v3=\"")};

    private final InputStream in;
    private final String mark = "run-" + Id.random(16);
    private final LinkedHashMap<String, double[]> runs = new LinkedHashMap<>();
    private final byte[] raw = new byte[BUFFER];
    private final double[] run = new double[LONGEST_RUN * XYZ];
    private final double[] found = new double[XYZ];
    private int position;
    private int limit;
    private boolean ended;
    private boolean triangles;
    private int length;
    private int number;
    private byte[] ready = new byte[0];
    private int given;

    PlainMeshParser(InputStream in) {
        this.in = in;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static double[] powers() {
        double[] powers = new double[DIGITS + 1];
        Arrays.setAll(powers, exponent -> Math.pow(10, exponent));
        return powers;
    }

    /** The attribute that stands for a run. */
    String mark() {
        return mark;
    }

    /** Three numbers of each element of the run, which is forgotten then; null where there is none of that name. */
    double @Nullable [] take(String name) {
        return runs.remove(name);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] to, int offset, int most) throws IOException {
        if (most == 0) {
            return 0;
        }
        while (given == ready.length) {
            if (position == limit && !fill()) {
                if (length == 0) {
                    return -1;
                }
                flush();
                break;
            }
            advance();
        }
        int count = Math.min(most, ready.length - given);
        System.arraycopy(ready, given, to, offset, count);
        given += count;
        return count;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private boolean fill() throws IOException {
        System.arraycopy(raw, position, raw, 0, limit - position);
        limit -= position;
        position = 0;
        while (!ended && limit < LOOK) {
            int count = in.read(raw, limit, raw.length - limit);
            ended = count < 0;
            limit += Math.max(0, count);
        }
        return limit > 0;
    }

    /** Takes the next element into the run, or gives on what is none. */
    private void advance() throws IOException {
        if (limit - position < LOOK && !ended) {
            fill();
        }
        int from = position;
        if (raw[from] == '<' && (isPlain(VERTEX, COORDINATES, false) || isPlain(TRIANGLE, CORNERS, true))) {
            if (length == LONGEST_RUN) {
                flush();
            }
        } else if (length > 0) {
            flush();
        } else {
            int to = from + 1;
            while (to < limit && raw[to] != '<') {
                to++;
            }
            ready = Arrays.copyOfRange(raw, from, to);
            given = 0;
            position = to;
        }
    }

    /** A run that has ended becomes one element. */
    private void flush() {
        String name = Integer.toString(number++);
        runs.put(name, Arrays.copyOf(run, length * XYZ));
        if (runs.size() > MOST_RUNS) {
            runs.pollFirstEntry();
        }
        ready = bytes((triangles ? "<triangle " : "<vertex ") + mark + "=\"" + name + "\"/>");
        given = 0;
        length = 0;
    }

    private boolean isPlain(byte[] element, byte[][] attributes, boolean ofTriangles) {
        int at = skip(position, element);
        for (int attribute = 0; at >= 0 && attribute < XYZ; attribute++) {
            at = skip(at, attributes[attribute]);
            at = at < 0 ? at : number(at, attribute, ofTriangles);
            at = at < 0 ? at : blank(at, attribute < XYZ - 1);
        }
        if (at < 0
                || at + 1 >= limit
                || raw[at] != '/'
                || raw[at + 1] != '>'
                || (length > 0 && triangles != ofTriangles)) {
            return false;
        }
        triangles = ofTriangles;
        System.arraycopy(found, 0, run, length * XYZ, XYZ);
        length++;
        position = at + 2;
        while (position < limit && raw[position] <= ' ') {
            position++;
        }
        return true;
    }

    private int blank(int from, boolean needed) {
        int at = from;
        while (at < limit && raw[at] == ' ') {
            at++;
        }
        return needed && at == from ? -1 : at;
    }

    private int skip(int at, byte[] text) {
        return at + text.length <= limit && Arrays.equals(raw, at, at + text.length, text, 0, text.length)
                ? at + text.length
                : -1;
    }

    /** Behind the number and its closing quote; -1 where it is not written plainly. */
    private int number(int from, int place, boolean whole) {
        boolean negative = from < limit && raw[from] == '-';
        int at = negative ? from + 1 : from;
        int first = at;
        long digits = 0;
        int point = -1;
        while (at < limit && raw[at] != '"') {
            int digit = raw[at] - '0';
            if (digit >= 0 && digit <= 9) {
                digits = digits * 10 + digit;
            } else if (raw[at] == '.' && point < 0 && at > first && !whole) {
                point = at;
            } else {
                return -1;
            }
            if (++at - first > DIGITS) {
                return -1;
            }
        }
        boolean empty = at == first || point == at - 1;
        if (at >= limit || empty || (whole && negative)) {
            return -1;
        }
        double size = point < 0 ? digits : digits / POWERS[at - 1 - point];
        found[place] = negative ? -size : size;
        return at + 1;
    }
}
