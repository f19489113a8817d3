package farm.gantry.api.database;

import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.query.Cursor;
import farm.gantry.api.query.FieldType;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.Sort;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Writes the response of a list: records up to the limit or the maximum response size of the host, then the meta. */
final class PageWriter<R> {
    /**
     * Upper bound of the size of a row. Within this many bytes of the limit, the sort values of each row are kept for
     * the cursor.
     */
    private static final int MAX_ROW = 16 << 20;

    private final ListQuery query;
    private final ResponseSizeLimit size;
    private final RowJsonWriter out;
    private final boolean hasCursor;
    private int count;
    private long total;
    private long taken;
    private boolean more;
    private @Nullable List<String> lastSortValues;

    PageWriter(ListQuery query, ResponseSizeLimit size, SecretView secrets) {
        this.query = query;
        this.size = size;
        this.out = new RowJsonWriter(query.limit() > 100 ? 1 << 20 : 1 << 16, secrets);
        this.hasCursor = query.meta() && Cursor.supports(query.sort());
        out.append(query.meta() ? "{\"data\":[" : "[");
    }

    void write(ResultSet rows, byte[][] keys) throws SQLException {
        more = rows.next();
        while (more && count < query.limit()) {
            readTotal(rows);
            int before = beginRow();
            out.writeRow(rows, query.fields(), keys);
            if (!endRow(before, needsCursor() ? sortValues(rows) : null)) {
                return;
            }
            more = rows.next();
        }
    }

    void write(ResultSet rows, byte[][] keys, IncludeLoader includes, SecretView secrets) throws SQLException {
        List<IncludeLoader.PartialRecord> records = new ArrayList<>();
        List<@Nullable List<String>> places = new ArrayList<>();
        int behind = query.fields().size() + (query.meta() ? 2 : 1);
        int from = behind + (hasCursor ? query.sort().size() : 0);
        boolean beyond = rows.next();
        while (beyond && records.size() < query.limit()) {
            readTotal(rows);
            RowJsonWriter writer = new RowJsonWriter(1024, secrets);
            writer.writeOpenRow(rows, query.fields(), keys);
            records.add(IncludeLoader.PartialRecord.read(
                    writer, rows, from, query.includes().size()));
            places.add(hasCursor ? sortValues(rows) : null);
            beyond = rows.next();
        }
        more = beyond;
        IncludeLoader.RecordCompletion closing = includes.load(query.includes(), records);
        for (IncludeLoader.PartialRecord record : records) {
            int before = beginRow();
            closing.complete(out, record);
            if (!endRow(before, places.get(count))) {
                return;
            }
        }
    }

    private void readTotal(ResultSet rows) throws SQLException {
        if (query.meta() && total == 0) {
            total = rows.getLong(query.fields().size() + 1);
        }
    }

    private int beginRow() {
        int before = out.length();
        if (count > 0) {
            out.append((byte) ',');
        }
        return before;
    }

    /** Whether the record just written fits; if not, removes it and ends the page. */
    private boolean endRow(int before, @Nullable List<String> itsPlace) {
        taken += size.usedBytes(out.json().bytes(), before, out.length());
        if (taken <= size.most()) {
            count++;
            lastSortValues = itsPlace;
            return true;
        }
        out.truncate(before);
        more = true;
        if (!query.meta() || count == 0) {
            throw new ProblemException(new Problem.PageTooLarge(
                    count == 0
                            ? "the record exceeds the maximum response size; select the fields you need with fields="
                            : "the response would be too large; limit=" + count
                                    + " fits, and with meta=true the page ends" + " by itself where it is full"));
        }
        return false;
    }

    private boolean needsCursor() {
        return hasCursor && (count == query.limit() - 1 || taken > size.most() - MAX_ROW);
    }

    /** Returns the sort values of the row, which follow its fields and the total. */
    private List<String> sortValues(ResultSet rows) throws SQLException {
        return sortValues(rows, query.sort(), query.fields().size() + 2);
    }

    /** Returns the sort values of the row, of which {@code first} is the index of the first; the order has cursors. */
    static List<String> sortValues(ResultSet rows, List<Sort> sort, int first) throws SQLException {
        List<String> read = new ArrayList<>();
        for (int i = 0; i < sort.size(); i++) {
            read.add(
                    sort.get(i).column().type() == FieldType.INSTANT
                            ? rows.getObject(first + i, OffsetDateTime.class)
                                    .toInstant()
                                    .toString()
                            : rows.getString(first + i));
        }
        return read;
    }

    /** Returns the complete response; {@code all} counts the matches if the page is past the end. */
    RawJson<List<R>> finish(long started, LongSupplier all) {
        out.append((byte) ']');
        if (query.meta()) {
            if (count == 0 && (query.offset() > 0 || query.after() != null)) {
                total = all.getAsLong();
            }
            writeMeta(started);
        }
        return out.json();
    }

    private void writeMeta(long started) {
        out.append(",\"meta\":{\"count\":" + count
                + ",\"executionTime\":" + (System.nanoTime() - started) / 1_000_000
                + ",\"hasMore\":" + more
                + ",\"limit\":" + query.limit()
                + ",\"offset\":" + query.offset()
                + ",\"total\":" + total
                + (more && lastSortValues != null
                        ? ",\"nextCursor\":\"" + Cursor.encode(query.sort(), lastSortValues) + "\""
                        : ""));
        if (!query.ignored().isEmpty()) {
            out.append(",\"ignored\":[");
            for (int i = 0; i < query.ignored().size(); i++) {
                out.append(i == 0 ? "" : ",");
                out.appendQuoted(query.ignored().get(i));
            }
            out.append("]");
        }
        out.append("}}");
    }
}
