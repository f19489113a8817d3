package farm.gantry.ingest.gcode;

import farm.gantry.ingest.gcode.MarkerParser.ExtrusionKind;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.ExtrusionListener;
import farm.gantry.ingest.reading.GcodeMetadata.Slicer;
import farm.gantry.ingest.reading.ToolpathSummary;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Follows the nozzle through a whole G-code in one pass, byte by byte. */
public final class ToolpathParser {
    private static final int BUFFER = 1 << 17;
    private static final int MAX_COMMENT = 200;
    private static final int MAX_TOOLS = 256;
    private static final int LINES_PER_TURN = 32;
    private static final int MAX_LINE = 1 << 20;
    private static final double MM_PER_INCH = 25.4;
    private static final int LOWER = 'a' - 'A';

    private final ExtrusionListener listener;
    private final MarkerParser markers;
    private final ByteArrayOutputStream cut = new ByteArrayOutputStream();
    private final ExtrusionBounds objects = new ExtrusionBounds();
    private final ExtrusionBounds unmarked = new ExtrusionBounds();
    private final double[] from = new double[3];
    private final double[] to = new double[3];
    /** Offset from the file's coordinates to the printer's, in mm, as set by G92. */
    private final double[] shift = new double[3];

    private final double[] center = new double[2];
    private final TemperatureParser temperatures = new TemperatureParser();
    private boolean relative;
    private boolean relativeExtrusion;
    private double extruded;
    private double unit = 1;
    private boolean moves;
    private int tool;
    private int position;

    public ToolpathParser(Slicer slicer, ExtrusionListener listener) {
        this.listener = listener;
        this.markers = new MarkerParser(slicer, listener);
    }

    /** Parses a whole G-code. */
    public static ToolpathSummary parse(InputStream gcode, Slicer slicer, ExtrusionListener listener)
            throws IOException {
        var parser = new ToolpathParser(slicer, listener);
        byte[] buffer = new byte[BUFFER];
        for (int count = gcode.read(buffer); count >= 0; count = gcode.read(buffer)) {
            parser.accept(buffer, count);
        }
        return parser.summary();
    }

    public void accept(byte[] text) throws BadFileException {
        accept(text, text.length);
    }

    /** Parses the next bytes of the G-code, which may end within a line. */
    private void accept(byte[] text, int length) throws BadFileException {
        int start = 0;
        for (int end = 0; end < length; end++) {
            if (text[end] == '\n') {
                if (cut.size() > 0) {
                    storePartialLine(text, start, end);
                    acceptPartialLine();
                } else {
                    parseLine(text, start, end);
                }
                start = end + 1;
            }
        }
        storePartialLine(text, start, length);
    }

    /** Stores the beginning of a line whose end has not been read yet. */
    private void storePartialLine(byte[] text, int start, int end) throws BadFileException {
        if (cut.size() + end - start > MAX_LINE) {
            throw new BadFileException("The G-code has a line of more than a megabyte, which printers do not accept");
        }
        cut.write(text, start, end - start);
    }

    private void acceptPartialLine() {
        byte[] whole = cut.toByteArray();
        cut.reset();
        parseLine(whole, 0, whole.length);
    }

    public ToolpathSummary summary() {
        acceptPartialLine();
        return new ToolpathSummary(
                (markers.printing() == ExtrusionKind.UNMARKED ? unmarked : objects).bounds(),
                temperatures.nozzle(),
                temperatures.bed(),
                moves,
                markers.truncationError(),
                markers.missingFooterWarning());
    }

    private void parseLine(byte[] text, int start, int end) {
        int at = start;
        while (at < end && text[at] <= ' ' && text[at] >= 0) {
            at++;
        }
        if (at == end) {
            return;
        }
        command(text, at, end);
    }

    /** Klipper and some others read commands in lower case, too. */
    private void command(byte[] text, int at, int end) {
        switch (text[at]) {
            case ';' -> {
                if (end - at < MAX_COMMENT) {
                    markers.parseComment(words(text, at, end).stripTrailing());
                }
            }
            case 'G', 'g' -> parseMotion(text, at + 1, end);
            case 'M', 'm' -> parseSetting(text, at + 1, end);
            case 'N', 'n' -> parseNumberedLine(text, at + 1, end);
            case 'E', 'e' -> markers.command(words(text, at, Math.min(end, at + MAX_COMMENT)));
            case 'S', 's' -> temperatures.parseMacro(words(text, at, Math.min(end, at + MAX_COMMENT)));
            case 'T', 't' -> tool(text, at + 1, end);
            default -> {}
        }
    }

    /** A line such as {@code N12 G1 X10*71}: its number, its command and a checksum. */
    private void parseNumberedLine(byte[] text, int start, int end) {
        if (parseCode(text, start, end) >= 0) {
            int at = position;
            while (at < end && text[at] <= ' ' && text[at] >= 0) {
                at++;
            }
            if (at < end && text[at] != 'N' && text[at] != 'n') {
                command(text, at, end);
            }
        }
    }

    private static String words(byte[] text, int start, int end) {
        return new String(text, start, end - start, StandardCharsets.ISO_8859_1);
    }

    /** Selects a tool. Higher numbers are macros of some printers and are ignored. */
    private void tool(byte[] text, int start, int end) {
        int number = parseCode(text, start, end);
        tool = number >= 0 && number < MAX_TOOLS ? number : tool;
    }

    private void parseSetting(byte[] text, int start, int end) {
        switch (parseCode(text, start, end)) {
            case 82 -> relativeExtrusion = false;
            case 83 -> relativeExtrusion = true;
            case 104, 109 -> temperatures.setNozzle(temperature(text, end));
            case 140, 190 -> temperatures.setBed(temperature(text, end));
            case 73 -> markers.progress((int) value(text, position, end, 'P', -1));
            default -> {}
        }
    }

    private double temperature(byte[] text, int end) {
        int start = position;
        return Math.max(value(text, start, end, 'S', 0), value(text, start, end, 'R', 0));
    }

    private void parseMotion(byte[] text, int start, int end) {
        int code = parseCode(text, start, end);
        switch (code) {
            case 0, 1, 2, 3 -> move(text, position, end, code);
            case 20 -> unit = MM_PER_INCH;
            case 21 -> unit = 1;
            case 28 -> Arrays.fill(shift, 0);
            case 90 -> relative = false;
            case 91 -> relative = true;
            case 92 -> setPosition(text, position, end);
            default -> {}
        }
    }

    /** Applies G92, which changes the coordinates of the current position without a move. */
    private void setPosition(byte[] text, int start, int end) {
        extruded = value(text, start, end, 'E', extruded / unit) * unit;
        for (int axis = 0; axis < 3; axis++) {
            double called = value(text, start, end, (char) ('X' + axis), from[axis] / unit) * unit;
            shift[axis] += from[axis] - called;
            from[axis] = called;
        }
    }

    /** The number of a command; -1 where there is none. */
    private int parseCode(byte[] text, int start, int end) {
        int code = 0;
        position = start;
        while (position < end && text[position] >= '0' && text[position] <= '9' && code < 10_000) {
            code = code * 10 + text[position++] - '0';
        }
        return position == start ? -1 : code;
    }

    private double value(byte[] text, int start, int end, char name, double otherwise) {
        for (int at = start; at < end && text[at] != ';'; at++) {
            if (text[at] == name || text[at] == name + LOWER) {
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
            double number = number(text, position, end) * unit;
            switch (letter) {
                case 'X', 'x' -> to[0] = relative ? from[0] + number : number;
                case 'Y', 'y' -> to[1] = relative ? from[1] + number : number;
                case 'Z', 'z' -> to[2] = relative ? from[2] + number : number;
                case 'I', 'i' -> center[0] = number;
                case 'J', 'j' -> center[1] = number;
                case 'R', 'r' -> radius = Math.abs(number);
                case 'E', 'e' -> {
                    extrusion = relativeExtrusion ? number : number - extruded;
                    extruded = number;
                }
                default -> {}
            }
        }
        moves |= to[0] != from[0] || to[1] != from[1];
        if (extrusion > 0 && (to[0] != from[0] || to[1] != from[1] || code > 1) && !markers.isBesideObjects()) {
            ExtrusionBounds reach = markers.printing() == ExtrusionKind.OBJECT ? objects : unmarked;
            add(reach, from[0], from[1]);
            add(reach, to[0], to[1]);
            if (code > 1) {
                addArc(reach, radius, code == 2);
            } else {
                listener.line(from[0], from[1], to[0], to[1], to[2], tool);
            }
        }
        System.arraycopy(to, 0, from, 0, 3);
    }

    /** Adds a point of this layer, in the printer's coordinates. */
    private void add(ExtrusionBounds reach, double x, double y) {
        reach.add(x + shift[0], y + shift[1], to[2] + shift[2]);
    }

    /**
     * Adds an arc, which extends beyond its ends where it runs parallel to an axis. For an arc given by its radius,
     * adds both possible circles.
     */
    private void addArc(ExtrusionBounds reach, double radius, boolean clockwise) {
        if (radius > 0) {
            reportArc(radius, clockwise);
            add(reach, Math.min(from[0], to[0]) - radius, Math.min(from[1], to[1]) - radius);
            add(reach, Math.max(from[0], to[0]) + radius, Math.max(from[1], to[1]) + radius);
            return;
        }
        double x = from[0] + center[0];
        double y = from[1] + center[1];
        double round = Math.hypot(center[0], center[1]);
        double first = Math.atan2(-center[1], -center[0]);
        double last = Math.atan2(to[1] - y, to[0] - x);
        double sweep = clockwise ? first - last : last - first;
        double turned = sweep <= 0 ? sweep + 2 * Math.PI : sweep;
        reportArc(x, y, round, first, clockwise ? -turned : turned);
        for (int quarter = 0; quarter < 4; quarter++) {
            double angle = quarter * Math.PI / 2;
            double ahead = clockwise ? first - angle : angle - first;
            if ((ahead + 4 * Math.PI) % (2 * Math.PI) < turned) {
                add(reach, x + round * Math.cos(angle), y + round * Math.sin(angle));
            }
        }
    }

    /** An arc given by its radius is the shorter of the two. */
    private void reportArc(double radius, boolean clockwise) {
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
        reportArc(x, y, round, Math.atan2(from[1] - y, from[0] - x), clockwise ? -turned : turned);
    }

    private void reportArc(double x, double y, double round, double first, double turned) {
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

    /** Parses a decimal without exponent and sets {@code position} to the byte after it. */
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
