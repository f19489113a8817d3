package farm.gantry.api.database;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Rows of a COPY in text format, one line each, as a stream in which rows with secrets are converted. */
final class RowStream extends InputStream {
    private static final int BUFFER = 1 << 16;

    private final RowReader reader;
    private final UnaryOperator<String> convert;
    private InputStream row = InputStream.nullInputStream();
    private long count;

    RowStream(RowReader reader, UnaryOperator<String> convert) {
        this.reader = reader;
        this.convert = convert;
    }

    /** Reads the next row with its line end; null after the last. */
    @FunctionalInterface
    interface RowReader {
        byte @Nullable [] next() throws IOException, SQLException;
    }

    /** Returns the lines of a stream as rows. */
    static RowStream ofLines(InputStream lines, UnaryOperator<String> convert) {
        InputStream buffered = new BufferedInputStream(lines, BUFFER);
        return new RowStream(() -> readLine(buffered), convert);
    }

    private static byte @Nullable [] readLine(InputStream lines) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int read = lines.read();
        while (read >= 0) {
            line.write(read);
            if (read == '\n') {
                break;
            }
            read = lines.read();
        }
        return line.size() == 0 ? null : line.toByteArray();
    }

    /** Returns how many rows were read. */
    long count() {
        return count;
    }

    @Override
    public int read() throws IOException {
        byte[] single = new byte[1];
        return read(single, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(single[0]);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int read = row.read(into, offset, length);
        while (read < 0) {
            byte[] next = readNext();
            if (next == null) {
                return -1;
            }
            count++;
            row = new ByteArrayInputStream(convert(next));
            read = row.read(into, offset, length);
        }
        return read;
    }

    private byte @Nullable [] readNext() throws IOException {
        try {
            return reader.next();
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    private byte[] convert(byte[] line) {
        String text = new String(line, StandardCharsets.UTF_8);
        return text.contains(Secrets.BEGINNING) ? convert.apply(text).getBytes(StandardCharsets.UTF_8) : line;
    }
}
