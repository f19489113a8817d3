package farm.gantry.ingest.reading;

import farm.gantry.part.Part;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;

/** A file's type by its first bytes, whatever its name. */
public enum DetectedFileType {
    EMPTY("empty"),
    ZIP("a ZIP archive, such as a 3MF"),
    GCODE("G-code"),
    BGCODE("binary G-code (.bgcode)"),
    STL("an STL mesh"),
    STEP("a STEP model"),
    TEXT("plain text"),
    BINARY("binary data");

    private static final int MAX_START_BYTES = 1 << 16;
    private static final int STL_HEADER = 84;
    private static final int STL_TRIANGLE = 50;
    /** Spaces match within one line only, so that matching stays linear over many empty lines. */
    private static final Pattern COMMAND =
            Pattern.compile("(?m)^[ \\t]*(N\\d+[ \\t]*)?[GMT]\\d+(\\.\\d+)?([A-Z][-+.\\d][-+.\\dA-Z]*)?([\\s;*]|$)");

    private final String words;

    DetectedFileType(String words) {
        this.words = words;
    }

    public static DetectedFileType detect(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return detect(in.readNBytes(MAX_START_BYTES), Files.size(file));
        }
    }

    private static DetectedFileType detect(byte[] head, long size) {
        if (head.length == 0) {
            return EMPTY;
        }
        String start = new String(head, StandardCharsets.ISO_8859_1);
        if (start.startsWith("PK\3\4") || start.startsWith("PK\5\6")) {
            return ZIP;
        }
        if (start.startsWith("GCDE")) {
            return BGCODE;
        }
        if (start.startsWith("xgcode 1.")) {
            return GCODE;
        }
        if (isBinaryStl(head, size)) {
            return STL;
        }
        return start.indexOf('\0') >= 0 ? BINARY : ofText(start);
    }

    private static DetectedFileType ofText(String start) {
        String text = start.replace("\u00ef\u00bb\u00bf", "").stripLeading();
        if (text.startsWith("ISO-10303-21")) {
            return STEP;
        }
        if (text.toLowerCase(Locale.ROOT).startsWith("solid")) {
            return STL;
        }
        return text.startsWith(";") || COMMAND.matcher(text).find() ? GCODE : TEXT;
    }

    /** Such a file has no signature: its length must follow from its count of triangles. */
    private static boolean isBinaryStl(byte[] head, long size) {
        if (head.length < STL_HEADER) {
            return false;
        }
        long triangles = Integer.toUnsignedLong(
                ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).getInt(STL_HEADER - Integer.BYTES));
        return size == STL_HEADER + STL_TRIANGLE * triangles;
    }

    /**
     * Throws if the content does not match the type. Confusions of gcode, gcode3mf and 3mf are accepted and corrected
     * later.
     */
    public void requireType(Part.Type type) throws BadFileException {
        if (!isAcceptedFor(type)) {
            throw new BadFileException("The file is not a " + nameOf(type) + " file: it is " + words);
        }
    }

    private boolean isAcceptedFor(Part.Type type) {
        return switch (type) {
            case gcode, gcode3mf, THREE_MF -> this == ZIP || this == GCODE || this == BGCODE;
            case stl -> this == STL || this == TEXT || this == BINARY;
            case step -> this == STEP;
            case scad, cadquery, build123d -> this == TEXT || this == GCODE || this == STL;
        };
    }

    private static String nameOf(Part.Type type) {
        return switch (type) {
            case THREE_MF -> "3mf";
            case gcode, gcode3mf, stl, step, scad, cadquery, build123d -> type.name();
        };
    }
}
