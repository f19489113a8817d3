package farm.gantry.ingest.gcode;

import farm.gantry.ingest.gcode.MarkerParser.Printing;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.ExtrusionListener;
import farm.gantry.ingest.reading.GcodeMetadata.Slicer;
import farm.gantry.ingest.reading.ToolpathSummary;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Follows the nozzle through a whole G-code in one pass, byte by byte. */
public final class ToolpathParser {
    private static final int BUFFER = 1 << 17;
    private static final int LONGEST_COMMENT = 200;
    private static final int MOST_TOOLS = 256;
    private static final int LINES_PER_TURN = 32;
    private static final int LONGEST_LINE = 1 << 20;

    private final ExtrusionListener listener;
    private final MarkerParser markers;
    private final ByteArrayOutputStream cut = new ByteArrayOutputStream();
    private final Reach objects = new Reach();
    private final Reach unmarked = new Reach();
    private final double[] from = new double[3];
    private final double[] to = new double[3];
    private final double[] center = new double[2];
    private boolean relative;
    private boolean relativeExtrusion;
    private double extruded;
    private int tool;
    private int position;

    public ToolpathParser(Slicer slicer, ExtrusionListener listener) {
        this.listener = listener;
        this.markers = new MarkerParser(slicer, listener);
    }

    /** Of a whole G-code, which is followed to its end. */
    public static ToolpathSummary parse(InputStream gcode, Slicer slicer, ExtrusionListener listener)
            throws IOException {
        var parser = new ToolpathParser(slicer, listener);
        byte[] buffer = new byte[BUFFER];
        for (int count = gcode.read(buffer); count >= 0; count = gcode.read(buffer)) {
            parser.take(buffer, count);
        }
        return parser.toolpath();
    }

    public void take(byte[] text) throws BadFileException {
        take(text, text.length);
    }

    /** The next bytes of the G-code, which may end within a line. */
    private void take(byte[] text, int length) throws BadFileException {
        int start = 0;
        for (int end = 0; end < length; end++) {
            if (text[end] == '\n') {
                if (cut.size() > 0) {
                    keep(text, start, end);
                    takeCut();
                } else {
                    line(text, start, end);
                }
                start = end + 1;
            }
        }
        keep(text, start, length);
    }

    /** The beginning of a line whose end is not known yet. */
    private void keep(byte[] text, int start, int end) throws BadFileException {
        if (cut.size() + end - start > LONGEST_LINE) {
            throw new BadFileException("The G-code has a line of more than a megabyte, which no printer reads");
        }
        cut.write(text, start, end - start);
    }

    private void takeCut() {
        byte[] whole = cut.toByteArray();
        cut.reset();
        line(whole, 0, whole.length);
    }

    public ToolpathSummary toolpath() {
        takeCut();
        return new ToolpathSummary(
                (markers.printing() == Printing.UNMARKED ? unmarked : objects).bounds(),
                markers.missing(),
                markers.missingFooter());
    }

    private void line(byte[] text, int start, int end) {
        int at = start;
        while (at < end && text[at] <= ' ' && text[at] >= 0) {
            at++;
        }
        if (at == end) {
            return;
        }
        switch (text[at]) {
            case ';' -> {
                if (end - at < LONGEST_COMMENT) {
                    markers.comment(words(text, at, end).stripTrailing());
                }
            }
            case 'G' -> motion(text, at + 1, end);
            case 'M' -> setting(text, at + 1, end);
            case 'E' -> markers.command(words(text, at, Math.min(end, at + LONGEST_COMMENT)));
            case 'T' -> tool(text, at + 1, end);
            default -> {}
        }
    }

    private static String words(byte[] text, int start, int end) {
        return new String(text, start, end - start, StandardCharsets.ISO_8859_1);
    }

    /** Higher numbers are some printers' macros. */
    private void tool(byte[] text, int start, int end) {
        int number = code(text, start, end);
        tool = number >= 0 && number < MOST_TOOLS ? number : tool;
    }

    private void setting(byte[] text, int start, int end) {
        switch (code(text, start, end)) {
            case 82 -> relativeExtrusion = false;
            case 83 -> relativeExtrusion = true;
            case 73 -> markers.progress((int) value(text, position, end, 'P', -1));
            default -> {}
        }
    }

    private void motion(byte[] text, int start, int end) {
        int code = code(text, start, end);
        switch (code) {
            case 0, 1, 2, 3 -> move(text, position, end, code);
            case 90 -> relative = false;
            case 91 -> relative = true;
            case 92 -> extruded = value(text, position, end, 'E', extruded);
            default -> {}
        }
    }

    /** The number of a command; -1 where there is none. */
    private int code(byte[] text, int start, int end) {
        int code = 0;
        position = start;
        while (position < end && text[position] >= '0' && text[position] <= '9' && code < 10_000) {
            code = code * 10 + text[position++] - '0';
        }
        return position == start ? -1 : code;
    }

    private double value(byte[] text, int start, int end, char name, double otherwise) {
        for (int at = start; at < end && text[at] != ';'; at++) {
            if (text[at] == name) {
                return number(text, at + 1, end);
            }
        }
        return otherwise;
    }

    private void move(byte[] text, int start, int end, int code) {
        System.arraycopy(from, 0, to, 0, 3);
        center[0] = 0;
        center[1] = 0;
        double extrusion = 0;
        double radius = 0;
        position = start;
        while (position < end) {
            byte letter = text[position++];
            if (letter == ';') {
                break;
            }
            if (letter <= ' ') {
                continue;
            }
            double number = number(text, position, end);
            switch (letter) {
                case 'X' -> to[0] = relative ? from[0] + number : number;
                case 'Y' -> to[1] = relative ? from[1] + number : number;
                case 'Z' -> to[2] = relative ? from[2] + number : number;
                case 'I' -> center[0] = number;
                case 'J' -> center[1] = number;
                case 'R' -> radius = Math.abs(number);
                case 'E' -> {
                    extrusion = relativeExtrusion ? number : number - extruded;
                    extruded = number;
                }
                default -> {}
            }
        }
        if (extrusion > 0 && (to[0] != from[0] || to[1] != from[1] || code > 1) && !markers.isBesideObjects()) {
            Reach reach = markers.printing() == Printing.OBJECT ? objects : unmarked;
            reach.add(from[0], from[1], to[2]);
            reach.add(to[0], to[1], to[2]);
            if (code > 1) {
                arc(reach, radius, code == 2);
            } else {
                listener.line(from[0], from[1], to[0], to[1], to[2], tool);
            }
        }
        System.arraycopy(to, 0, from, 0, 3);
    }

    /** Where an arc runs parallel to an axis it reaches farther than its ends; of one given by its radius, both sides. */
    private void arc(Reach reach, double radius, boolean clockwise) {
        if (radius > 0) {
            lines(radius, clockwise);
            reach.add(Math.min(from[0], to[0]) - radius, Math.min(from[1], to[1]) - radius, to[2]);
            reach.add(Math.max(from[0], to[0]) + radius, Math.max(from[1], to[1]) + radius, to[2]);
            return;
        }
        double x = from[0] + center[0];
        double y = from[1] + center[1];
        double round = Math.hypot(center[0], center[1]);
        double first = Math.atan2(-center[1], -center[0]);
        double last = Math.atan2(to[1] - y, to[0] - x);
        double sweep = clockwise ? first - last : last - first;
        double turned = sweep <= 0 ? sweep + 2 * Math.PI : sweep;
        lines(x, y, round, first, clockwise ? -turned : turned);
        for (int quarter = 0; quarter < 4; quarter++) {
            double angle = quarter * Math.PI / 2;
            double ahead = clockwise ? first - angle : angle - first;
            if ((ahead + 4 * Math.PI) % (2 * Math.PI) < turned) {
                reach.add(x + round * Math.cos(angle), y + round * Math.sin(angle), to[2]);
            }
        }
    }

    /** An arc given by its radius is the shorter of the two. */
    private void lines(double radius, boolean clockwise) {
        double dx = to[0] - from[0];
        double dy = to[1] - from[1];
        double distance = Math.hypot(dx, dy);
        if (distance == 0) {
            return;
        }
        double round = Math.max(radius, distance / 2);
        double away = Math.sqrt(round * round - distance * distance / 4) * (clockwise ? 1 : -1) / distance;
        double x = from[0] + dx / 2 + dy * away;
        double y = from[1] + dy / 2 - dx * away;
        double turned = 2 * Math.asin(distance / 2 / round);
        lines(x, y, round, Math.atan2(from[1] - y, from[0] - x), clockwise ? -turned : turned);
    }

    private void lines(double x, double y, double round, double first, double turned) {
        int lines = Math.max(1, (int) Math.ceil(Math.abs(turned) / (2 * Math.PI) * LINES_PER_TURN));
        double lastX = from[0];
        double lastY = from[1];
        for (int line = 1; line <= lines; line++) {
            double angle = first + turned * line / lines;
            double nextX = line == lines ? to[0] : x + round * Math.cos(angle);
            double nextY = line == lines ? to[1] : y + round * Math.sin(angle);
            listener.line(lastX, lastY, nextX, nextY, to[2], tool);
            lastX = nextX;
            lastY = nextY;
        }
    }

    /** A decimal without exponent, as G-code has them; {@code position} is behind it then. */
    private double number(byte[] text, int start, int end) {
        int at = start;
        while (at < end && text[at] == ' ') {
            at++;
        }
        boolean negative = at < end && text[at] == '-';
        if (at < end && (negative || text[at] == '+')) {
            at++;
        }
        long digits = 0;
        double scale = 1;
        boolean fraction = false;
        for (; at < end; at++) {
            byte letter = text[at];
            if (letter >= '0' && letter <= '9') {
                if (digits < Long.MAX_VALUE / 100) {
                    digits = digits * 10 + letter - '0';
                    scale = fraction ? scale * 10 : scale;
                }
            } else if (letter == '.' && !fraction) {
                fraction = true;
            } else {
                break;
            }
        }
        position = at;
        double number = digits / scale;
        return negative ? -number : number;
    }
}
