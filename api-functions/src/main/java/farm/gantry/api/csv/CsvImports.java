package farm.gantry.api.csv;

import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Fault;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.RequestBodies;
import farm.gantry.api.security.Caller;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.server.HttpServerConfiguration;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Creates records from CSV files, all of a file or none. A dry run does everything except storing them. */
@Singleton
public final class CsvImports {
    private static final Pattern ELEMENT_PATH = Pattern.compile("\\[(\\d+)]\\.?(.*)");

    private final Database database;
    private final int maxBytes;

    CsvImports(Database database, HttpServerConfiguration server) {
        this.database = database;
        this.maxBytes = Math.toIntExact(server.getMaxRequestBufferSize());
    }

    /** Creates the records of an array in the transaction, and returns their ids; paths of faults begin with {@code [i]}. */
    public interface Creator {
        List<String> create(Tx tx, JsonNode records);
    }

    /**
     * A record to create.
     *
     * @param place returns where a field is in the file; it gets the path of the field in the record
     */
    public record Entry(JsonNode body, UnaryOperator<String> place) {}

    private static final class DryRunException extends RuntimeException {
        DryRunException() {
            super(null, null, false, false);
        }
    }

    /** Creates the records of a file, or none; throws with every fault and its place in the file. */
    public ImportResult create(
            Caller caller,
            HttpRequest<?> request,
            @Nullable InputStream body,
            boolean dryRun,
            Class<?> type,
            Creator creator) {
        List<Entry> entries = CsvFile.read(RequestBodies.stream(request, body), maxBytes, type).stream()
                .map(row -> new Entry(row.body(), row::place))
                .toList();
        return create(caller, entries, dryRun, creator);
    }

    /** Reads a file whose columns begin with the name of one of several records and a dot. */
    public List<CsvFile.Row> read(HttpRequest<?> request, @Nullable InputStream body, Map<String, Class<?>> types) {
        return CsvFile.read(RequestBodies.stream(request, body), maxBytes, types);
    }

    /** Creates the records, or none; throws with every fault and its place in the file. */
    public ImportResult create(Caller caller, List<Entry> entries, boolean dryRun, Creator creator) {
        JsonNode records =
                JsonNode.createArrayNode(entries.stream().map(Entry::body).toList());
        try {
            List<String> ids = database.in(caller, tx -> {
                List<String> created = creator.create(tx, records);
                if (dryRun) {
                    throw new DryRunException();
                }
                return created;
            });
            return new ImportResult(false, ids.size(), ids);
        } catch (DryRunException e) {
            return new ImportResult(true, entries.size(), List.of());
        } catch (ProblemException e) {
            throw e.problem() instanceof Problem.Invalid invalid
                    ? new ProblemException(new Problem.Invalid(invalid.faults().stream()
                            .map(fault -> inFile(entries, fault))
                            .toList()))
                    : e;
        }
    }

    /** Returns the fault with its place in the file as its path and at the beginning of its message. */
    private static Fault inFile(List<Entry> entries, Fault fault) {
        Matcher element = ELEMENT_PATH.matcher(fault.path());
        if (!element.matches()) {
            return fault;
        }
        String field = element.group(2);
        String place = entries.get(Integer.parseInt(element.group(1))).place().apply(field);
        String message = withoutStart(withoutStart(fault.message(), fault.path()), field);
        String between = message.equals(fault.message()) ? ": " : "";
        return new Fault(place, fault.code(), place + between + message);
    }

    private static String withoutStart(String text, String start) {
        return text.startsWith(start) ? text.substring(start.length()) : text;
    }
}
