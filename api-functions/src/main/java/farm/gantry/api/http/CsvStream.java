package farm.gantry.api.http;

import io.micronaut.json.tree.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;

/** Records as CSV with these columns. The next page of records is read when the one before has been read to its end. */
final class CsvStream extends InputStream {
    private final List<String> columns;
    private final Iterator<List<JsonNode>> pages;
    private InputStream page;

    private CsvStream(List<String> columns, Iterator<List<JsonNode>> pages) {
        this.columns = columns;
        this.pages = pages;
        this.page = toStream(CsvTable.header(columns) + (pages.hasNext() ? lines(pages.next()) : ""));
    }

    /** Reads the first page, so that the failures of most requests get an error response. */
    static InputStream of(List<String> columns, Iterator<List<JsonNode>> pages) {
        return new CsvStream(columns, pages);
    }

    @Override
    public int read() throws IOException {
        byte[] single = new byte[1];
        return read(single, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(single[0]);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        try {
            int read = page.read(into, offset, length);
            while (read < 0 && pages.hasNext()) {
                page = toStream(lines(pages.next()));
                read = page.read(into, offset, length);
            }
            return read;
        } catch (RuntimeException e) {
            throw new IOException("the rest of the table cannot be read", e);
        }
    }

    private String lines(List<JsonNode> records) {
        return records.stream().map(record -> CsvTable.line(columns, record)).collect(Collectors.joining());
    }

    private static InputStream toStream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}
