package farm.gantry.api.database;

import farm.gantry.api.json.RawJson;
import farm.gantry.api.query.Column;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

/**
 * Writes rows as JSON directly from the bytes that PostgreSQL sent: numbers and JSON are copied, text is quoted,
 * nothing is decoded.
 */
final class RowJsonWriter {
    private static final byte[] NULL = ascii("null");
    private static final byte[] TRUE = ascii("true");
    private static final byte[] FALSE = ascii("false");
    private static final byte[] HEX = ascii("0123456789abcdef");
    private static final int SECONDS = 19;

    private final SecretView secrets;
    private byte[] out;
    private int at;

    RowJsonWriter(int size, SecretView secrets) {
        this.out = new byte[size];
        this.secrets = secrets;
    }

    /** Returns the columns' JSON keys, encoded once per statement. */
    static byte[][] encodeKeys(List<Column> columns) {
        return columns.stream()
                .map(column -> ("\"" + column.name() + "\":").getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
    }

    void writeRow(ResultSet rows, List<Column> columns, byte[][] keys) throws SQLException {
        writeOpenRow(rows, columns, keys);
        append((byte) '}');
    }

    /** Writes the row's columns without the closing brace. */
    void writeOpenRow(ResultSet rows, List<Column> columns, byte[][] keys) throws SQLException {
        append((byte) '{');
        int start = at;
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            byte[] value = rows.getBytes(i + 1);
            if (value == null && column.omitted()) {
                continue;
            }
            if (at > start) {
                append((byte) ',');
            }
            append(keys[i]);
            if (value == null) {
                append(NULL);
            } else {
                writeValue(column, value);
            }
        }
    }

    private void writeValue(Column column, byte[] value) {
        switch (column.type()) {
            case INTEGER, DECIMAL, TEXTS -> append(value);
            case JSON -> append(column.encryptedKeys().isEmpty() ? value : secrets.convert(value));
            case FLAG -> append(value[0] == 't' ? TRUE : FALSE);
            case TEXT, CHOICE -> writeText(value);
            case INSTANT -> writeInstant(value);
        }
    }

    /** {@code 2026-01-01 00:00:37.12+00} → {@code "2026-01-01T00:00:37.120Z"}; the session's time zone is UTC. */
    private void writeInstant(byte[] value) {
        ensureCapacity(SECONDS + 7);
        out[at++] = '"';
        System.arraycopy(value, 0, out, at, SECONDS);
        out[at + 10] = 'T';
        at += SECONDS;
        out[at++] = '.';
        int digits = 0;
        if (value[SECONDS] == '.') {
            for (int i = SECONDS + 1; digits < 3 && value[i] >= '0' && value[i] <= '9'; i++, digits++) {
                out[at++] = value[i];
            }
        }
        for (; digits < 3; digits++) {
            out[at++] = '0';
        }
        out[at++] = 'Z';
        out[at++] = '"';
    }

    private void writeText(byte[] value) {
        ensureCapacity(value.length * 6 + 2);
        out[at++] = '"';
        int from = 0;
        for (int i = 0; i < value.length; i++) {
            byte b = value[i];
            if (b == '"' || b == '\\' || (b >= 0 && b < 0x20)) {
                System.arraycopy(value, from, out, at, i - from);
                at += i - from;
                from = i + 1;
                writeEscaped(b);
            }
        }
        System.arraycopy(value, from, out, at, value.length - from);
        at += value.length - from;
        out[at++] = '"';
    }

    private void writeEscaped(byte b) {
        out[at++] = '\\';
        switch (b) {
            case '"', '\\' -> out[at++] = b;
            case '\n' -> out[at++] = 'n';
            case '\r' -> out[at++] = 'r';
            case '\t' -> out[at++] = 't';
            default -> {
                out[at++] = 'u';
                out[at++] = '0';
                out[at++] = '0';
                out[at++] = HEX[b >> 4];
                out[at++] = HEX[b & 15];
            }
        }
    }

    void append(byte b) {
        ensureCapacity(1);
        out[at++] = b;
    }

    void append(byte[] bytes) {
        append(bytes, bytes.length);
    }

    void append(byte[] bytes, int length) {
        ensureCapacity(length);
        System.arraycopy(bytes, 0, out, at, length);
        at += length;
    }

    int length() {
        return at;
    }

    /** Truncates the output to this length. */
    void truncate(int length) {
        at = length;
    }

    void append(String json) {
        append(json.getBytes(StandardCharsets.UTF_8));
    }

    void appendQuoted(String text) {
        writeText(text.getBytes(StandardCharsets.UTF_8));
    }

    private void ensureCapacity(int more) {
        if (at + more > out.length) {
            out = Arrays.copyOf(out, Math.max(out.length * 2, at + more));
        }
    }

    <T> RawJson<T> json() {
        return new RawJson<>(out, at);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
