package farm.gantry.api.csv;

import farm.gantry.api.error.Faults;
import farm.gantry.api.error.ProblemException;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** A CSV file whose first line names the columns. */
public final class CsvFile {
    private static final int MAX_ROWS = 5000;

    /** A line of the file as a JSON object, nested by the dots in the names of its columns. */
    public record Row(int line, JsonNode body) {
        /** Returns where a field is, for messages. */
        public String place(String column) {
            return CsvFile.place(line, column);
        }
    }

    private static String place(int line, String column) {
        return "line " + line + (column.isEmpty() ? "" : ", column " + column);
    }

    private CsvFile() {}

    /** Reads the rows of a file of records of this type; there is at least one. */
    static List<Row> read(InputStream body, int maxBytes, Class<?> type) {
        return read(body, maxBytes, name -> CsvColumn.find(type, name));
    }

    /** Reads the rows of a file whose columns begin with the name of a record and a dot; throws with every fault of its columns. */
    static List<Row> read(InputStream body, int maxBytes, Map<String, Class<?>> types) {
        return read(body, maxBytes, name -> {
            int dot = name.indexOf('.');
            Class<?> type = types.get(dot < 0 ? name : name.substring(0, dot));
            return type == null || dot < 0
                    ? Optional.empty()
                    : CsvColumn.find(type, name.substring(dot + 1)).map(column -> column.under(name.substring(0, dot)));
        });
    }

    private static List<Row> read(InputStream body, int maxBytes, Function<String, Optional<CsvColumn>> find) {
        CsvParser.Table table = CsvParser.parse(text(body, maxBytes));
        List<CsvParser.Line> lines = table.lines();
        if (lines.size() < 2) {
            throw ProblemException.invalid(
                    "",
                    "required",
                    "the body must be CSV: a line with the names of the columns, and a line per record");
        } else if (lines.size() - 1 > MAX_ROWS) {
            throw ProblemException.invalid(
                    "",
                    "too_many",
                    "the file has " + (lines.size() - 1) + " rows; send at most " + MAX_ROWS + " at once");
        }
        Faults faults = new Faults();
        List<Optional<CsvColumn>> columns = columns(lines.getFirst(), find, faults);
        boolean hasDecimalComma = table.separator() == ';';
        List<Row> rows = new ArrayList<>();
        for (CsvParser.Line line : lines.subList(1, lines.size())) {
            if (line.cells().size() > columns.size()) {
                String place = place(line.number(), "");
                faults.add(
                        place,
                        "invalid",
                        "%s has %d cells, but the first line has %d; put a cell that contains the separator in quotation marks"
                                .formatted(place, line.cells().size(), columns.size()));
            }
            rows.add(new Row(line.number(), body(line, columns, hasDecimalComma)));
        }
        faults.check();
        return rows;
    }

    private static String text(InputStream body, int maxBytes) {
        try {
            byte[] bytes = body.readNBytes(maxBytes + 1);
            if (bytes.length > maxBytes) {
                throw ProblemException.invalid("", "too_large", "the file is larger than " + maxBytes + " bytes");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw ProblemException.invalid("", "encoding", "the file must be in UTF-8; save it as \"CSV UTF-8\"");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the columns of the first line; empty for those that only the server sets. */
    private static List<Optional<CsvColumn>> columns(
            CsvParser.Line header, Function<String, Optional<CsvColumn>> find, Faults faults) {
        List<Optional<CsvColumn>> columns = new ArrayList<>();
        List<String> names = header.cells().stream().map(String::strip).toList();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            Optional<CsvColumn> column = find.apply(name);
            String place = place(header.number(), name.isEmpty() ? String.valueOf(i + 1) : name);
            if (column.isEmpty()) {
                faults.add(place, "unknown", place + ": there is no field of this name");
            } else if (names.indexOf(name) < i) {
                faults.add(place, "duplicate", place + " occurs twice");
            } else if (names.stream().anyMatch(other -> other.startsWith(name + "."))) {
                faults.add(
                        place,
                        "duplicate",
                        place + " is a whole object; leave it out, or leave out the columns of its fields");
            }
            columns.add(column.filter(each -> !each.isReadOnly()));
        }
        return columns;
    }

    private static JsonNode body(CsvParser.Line line, List<Optional<CsvColumn>> columns, boolean hasDecimalComma) {
        Map<String, Object> body = new LinkedHashMap<>();
        for (int i = 0; i < Math.min(line.cells().size(), columns.size()); i++) {
            String cell = line.cells().get(i);
            if (!cell.isBlank()) {
                columns.get(i).ifPresent(column -> put(body, column.path(), column.parse(cell, hasDecimalComma)));
            }
        }
        return toNode(body);
    }

    @SuppressWarnings("unchecked") // the values are nodes, and maps like this one
    private static void put(Map<String, Object> object, List<String> path, JsonNode value) {
        if (path.size() == 1) {
            object.put(path.getFirst(), value);
        } else {
            Object inner = object.computeIfAbsent(path.getFirst(), _ -> new LinkedHashMap<String, Object>());
            if (inner instanceof Map<?, ?> map) {
                put((Map<String, Object>) map, path.subList(1, path.size()), value);
            }
        }
    }

    private static JsonNode toNode(Object value) {
        if (value instanceof JsonNode node) {
            return node;
        }
        Map<String, JsonNode> members = new LinkedHashMap<>();
        ((Map<?, ?>) value).forEach((name, member) -> members.put((String) name, toNode(member)));
        return JsonNode.createObjectNode(members);
    }
}
