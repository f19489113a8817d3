package farm.gantry.api.database;

import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.query.Column;
import farm.gantry.api.query.Columns;
import farm.gantry.api.query.Include;
import farm.gantry.api.query.Relation;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Loads the included records of a page, with one statement per relation. */
final class IncludeLoader {
    private static final int MAX_COUNT = 20_000;
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NONE = "[]".getBytes(StandardCharsets.US_ASCII);

    private final Tx tx;
    private final SecretView secrets;
    private final Function<Columns<?>, SecretView> ofOthers;

    /**
     * Creates the loader. {@code secrets} is the view of the secrets of the records, {@code ofOthers} that of the
     * included records.
     */
    IncludeLoader(Tx tx, SecretView secrets, Function<Columns<?>, SecretView> ofOthers) {
        this.tx = tx;
        this.secrets = secrets;
        this.ofOthers = ofOthers;
    }

    /** A record's JSON without its closing brace, and the key value of each include. */
    // buffers are never compared
    @SuppressWarnings("ArrayRecordComponent")
    record PartialRecord(byte[] json, int length, List<@Nullable String> values) {

        /** Reads the row's fields, and the includes' key columns from {@code from} on. */
        static PartialRecord read(RowJsonWriter writer, ResultSet rows, int from, int includes) throws SQLException {
            List<@Nullable String> values = new ArrayList<>(includes);
            for (int i = 0; i < includes; i++) {
                values.add(rows.getString(from + i));
            }
            return new PartialRecord(writer.json().bytes(), writer.json().length(), values);
        }
    }

    /** Writes the included records and the end of the record. */
    interface RecordCompletion {
        void complete(RowJsonWriter out, PartialRecord record);
    }

    RecordCompletion load(List<Include> includes, List<PartialRecord> records) {
        List<Map<String, byte[]>> found = new ArrayList<>();
        for (int i = 0; i < includes.size(); i++) {
            int at = i;
            String[] values = records.stream()
                    .map(record -> record.values().get(at))
                    .filter(Objects::nonNull)
                    .distinct()
                    .toArray(String[]::new);
            found.add(values.length == 0 ? Map.of() : fetch(includes.get(i), values));
        }
        return (out, record) -> {
            out.append(record.json(), record.length());
            for (int i = 0; i < includes.size(); i++) {
                Relation relation = includes.get(i).relation();
                out.append(record.length() == 1 && i == 0 ? "" : ",");
                out.appendQuoted(relation.name());
                out.append((byte) ':');
                String value = record.values().get(i);
                out.append(found.get(i).getOrDefault(value == null ? "" : value, relation.many() ? NONE : NULL));
            }
            out.append((byte) '}');
        };
    }

    /** Returns the included JSON by key: a record, or an array of records. */
    private Map<String, byte[]> fetch(Include include, String[] values) {
        Relation relation = include.relation();
        List<Column> columns = relation.target().all();
        byte[][] keys = RowJsonWriter.encodeKeys(columns);
        SqlStatement statement = SqlStatement.selectRelated(tx.store(), include, values, MAX_COUNT + 1);
        List<String> leads = new ArrayList<>();
        List<PartialRecord> records = tx.query(
                statement.sql(),
                rows -> {
                    List<PartialRecord> read = new ArrayList<>();
                    while (rows.next()) {
                        leads.add(rows.getString(columns.size() + 1));
                        RowJsonWriter writer = new RowJsonWriter(1024, ofOthers.apply(relation.target()));
                        writer.writeOpenRow(rows, columns, keys);
                        read.add(PartialRecord.read(
                                writer,
                                rows,
                                columns.size() + 2,
                                include.within().size()));
                    }
                    return read;
                },
                statement.values().toArray());
        if (records.size() > MAX_COUNT) {
            throw new ProblemException(new Problem.PageTooLarge("include: the page embeds more than " + MAX_COUNT + " "
                    + relation.name() + "; ask for a smaller limit"));
        }
        RecordCompletion closing = load(include.within(), records);
        return relation.many() ? loadArrays(closing, leads, records) : loadSingle(closing, leads, records);
    }

    private Map<String, byte[]> loadSingle(RecordCompletion closing, List<String> leads, List<PartialRecord> records) {
        Map<String, byte[]> found = HashMap.newHashMap(leads.size());
        for (int i = 0; i < leads.size(); i++) {
            RowJsonWriter out = new RowJsonWriter(records.get(i).length() + 64, secrets);
            closing.complete(out, records.get(i));
            found.put(leads.get(i), bytes(out));
        }
        return found;
    }

    private Map<String, byte[]> loadArrays(RecordCompletion closing, List<String> leads, List<PartialRecord> records) {
        Map<String, RowJsonWriter> arrays = new HashMap<>();
        for (int i = 0; i < leads.size(); i++) {
            RowJsonWriter out = arrays.get(leads.get(i));
            if (out == null) {
                out = new RowJsonWriter(1024, secrets);
                arrays.put(leads.get(i), out);
            }
            out.append((byte) (out.length() == 0 ? '[' : ','));
            closing.complete(out, records.get(i));
        }
        Map<String, byte[]> found = HashMap.newHashMap(arrays.size());
        arrays.forEach((lead, out) -> {
            out.append((byte) ']');
            found.put(lead, bytes(out));
        });
        return found;
    }

    private static byte[] bytes(RowJsonWriter writer) {
        return Arrays.copyOf(writer.json().bytes(), writer.length());
    }
}
