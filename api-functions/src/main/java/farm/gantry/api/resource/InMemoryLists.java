package farm.gantry.api.resource;

import farm.gantry.api.database.ResponseSizeLimit;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.hint.Hints;
import farm.gantry.api.http.CsvResponses;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.query.Column;
import farm.gantry.api.query.Columns;
import farm.gantry.api.query.InMemoryEvaluator;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.security.Caller;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/**
 * Lists and searches over records that are not stored in a table, with the query language of the other lists but
 * without cursors.
 */
@Singleton
public final class InMemoryLists {
    private final RecordReader reader;
    private final Hints hints;
    private final ResponseSizeLimit size;

    InMemoryLists(RecordReader reader, Hints hints, ResponseSizeLimit size) {
        this.reader = reader;
        this.hints = hints;
        this.size = size;
    }

    /** Returns the records that match the request. */
    public <R> HttpResponse<List<R>> list(Caller caller, HttpRequest<?> request, Class<R> type, List<R> records) {
        ListQuery query = ListQuery.of(Columns.of(type), request.getParameters().asMap());
        if (CsvResponses.isWanted(request)) {
            boolean isWhole = size.canStream() && !request.getParameters().contains("limit");
            query = (isWhole ? query.unlimited() : query).withMeta();
        }
        return JsonResponses.ok(json(page(caller, request.getPath(), query, records)));
    }

    /** Returns the records that match a search body, always with meta. */
    public <R> HttpResponse<SearchResponse<R>> search(
            Caller caller, HttpRequest<?> request, JsonNode body, Class<R> type, List<R> records) {
        String path = request.getPath();
        ListQuery query = ListQuery.of(Columns.of(type), body);
        return JsonResponses.created(json(page(caller, path.substring(0, path.lastIndexOf('/')), query, records)));
    }

    private JsonNode page(Caller caller, String path, ListQuery query, List<?> records) {
        long started = System.nanoTime();
        if (query.after() != null) {
            throw new ProblemException(
                    new Problem.InvalidFilter("cursor", "cursor: this list has no cursors; use offset"));
        }
        List<JsonNode> matching = StreamSupport.stream(
                        reader.toTree(records).values().spliterator(), false)
                .filter(record -> InMemoryEvaluator.matches(record, query.condition()))
                .sorted(InMemoryEvaluator.comparator(query.sort()))
                .toList();
        List<JsonNode> shown = matching.stream()
                .skip(query.offset())
                .limit(query.limit())
                .map(record -> selectFields(record, query.fields()))
                .toList();
        if (!query.meta()) {
            return JsonNode.createArrayNode(shown);
        }
        Map<String, JsonNode> page = new LinkedHashMap<>();
        page.put("data", JsonNode.createArrayNode(shown));
        page.put(
                "meta",
                reader.toTree(new SearchResponse.Meta(
                        shown.size(),
                        (System.nanoTime() - started) / 1_000_000,
                        matching.size() - shown.size() > query.offset(),
                        query.limit(),
                        query.offset(),
                        matching.size(),
                        null,
                        query.ignored().isEmpty() ? null : query.ignored())));
        if (query.hints()) {
            page.put("hints", reader.toTree(hints.ofList(caller, path)));
        }
        return JsonNode.createObjectNode(page);
    }

    private static JsonNode selectFields(JsonNode record, List<Column> fields) {
        Map<String, JsonNode> members = new LinkedHashMap<>();
        for (Column field : fields) {
            JsonNode value = record.get(field.name());
            members.put(field.name(), value == null ? JsonNode.nullNode() : value);
        }
        return JsonNode.createObjectNode(members);
    }

    private <T> RawJson<T> json(JsonNode tree) {
        return RawJson.of(reader.toText(tree));
    }
}
