package farm.gantry.api.resource;

import farm.gantry.Id;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.hint.Hint;
import farm.gantry.api.hint.Hints;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.security.Caller;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.json.tree.JsonNode;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Read operations of every resource: lists, searches and single records. */
public abstract sealed class ReadableResource<R> permits Resources {
    /** Detects mistyped ids: a few characters too many or too few, or upper case. */
    private static final Pattern ALMOST_ID = Pattern.compile("[a-zA-Z0-9]{20,28}");

    final String noun;
    final Table<R> table;
    final Database database;
    final RecordReader reader;
    final Hints hints;

    ReadableResource(String noun, Table<R> table, Database database, RecordReader reader, Hints hints) {
        this.noun = noun;
        this.table = table;
        this.database = database;
        this.reader = reader;
        this.hints = hints;
    }

    public Table<R> table() {
        return table;
    }

    public HttpResponse<List<R>> list(Caller caller, HttpRequest<?> request) {
        return list(caller, request.getPath(), query(request));
    }

    public ListQuery query(HttpRequest<?> request) {
        return ListQuery.of(table.columns(), request.getParameters().asMap());
    }

    /** {@code path} is the path of the list, which selects its hints. */
    public HttpResponse<List<R>> list(Caller caller, String path, ListQuery query) {
        return Answers.ok(page(caller, path, query));
    }

    /** Returns the page for a query with meta. */
    public HttpResponse<SearchResponse<R>> pageOf(Caller caller, String path, ListQuery query) {
        return Answers.ok(page(page(caller, path, query)));
    }

    /** Returns the page for a search body, always with meta. */
    public HttpResponse<SearchResponse<R>> search(Caller caller, HttpRequest<?> request, JsonNode body) {
        return search(caller, request, ListQuery.of(table.columns(), body));
    }

    public HttpResponse<SearchResponse<R>> search(Caller caller, HttpRequest<?> request, ListQuery query) {
        String path = request.getPath();
        return Answers.created(page(page(caller, path.substring(0, path.lastIndexOf('/')), query)));
    }

    private RawJson<List<R>> page(Caller caller, String path, ListQuery query) {
        query.includes().forEach(include -> include.check(caller));
        RawJson<List<R>> page = table.list(caller, query, table.shown(caller));
        return query.hints() ? hinted(page, hints.ofList(caller, path)) : page;
    }

    /** Appends the hints to the object's members. */
    private <T> RawJson<T> hinted(RawJson<T> object, List<Hint> hints) {
        String array = reader.text(hints);
        return new RawJson<T>(object.bytes(), object.length() - 1).within("", ",\"hints\":" + array + "}");
    }

    /** A list with meta is serialised as a search response. */
    private static <R> RawJson<SearchResponse<R>> page(RawJson<List<R>> list) {
        return new RawJson<>(list.bytes(), list.length());
    }

    /** Returns the record with the fields and includes of the request. */
    public HttpResponse<R> get(Caller caller, String id, HttpRequest<?> request) {
        checked(id);
        if (request.getParameters().isEmpty()) {
            return Answers.ok(
                    table.get(caller, id, table.shown(caller)).orElseThrow(() -> ProblemException.notFound(noun)));
        }
        String path = request.getPath();
        return get(
                caller,
                id,
                path.substring(0, path.lastIndexOf('/')),
                ListQuery.ofOne(table.columns(), request.getParameters().asMap()));
    }

    /** Returns the record with the fields and includes of the query; {@code path} is the path of the list. */
    public HttpResponse<R> get(Caller caller, String id, String path, ListQuery query) {
        checked(id);
        query.includes().forEach(include -> include.check(caller));
        RawJson<R> record = database.in(caller, tx -> table.get(tx, id, query, table.shown(caller)))
                .orElseThrow(() -> ProblemException.notFound(noun));
        return Answers.ok(query.hints() ? hinted(record, hints.ofRecord(caller, path, id)) : record);
    }

    /** Returns the record or throws 404. */
    public R find(Caller caller, String id) {
        checked(id);
        return database.in(caller, tx -> table.find(tx, id)).orElseThrow(() -> ProblemException.notFound(noun));
    }

    /** Returns the id of a path. Throws 404 for text that is no id, and 422 for a mistyped id. */
    public static String checked(String id) {
        return checked("id", id);
    }

    /**
     * Returns the distinct ids of a comma-separated parameter {@code ids}; throws if there are more than {@code
     * maxIds}.
     */
    public static List<String> checkedAll(String ids, int maxIds) {
        String[] asked = ids.split(",", -1);
        List<String> checked = IntStream.range(0, asked.length)
                .mapToObj(i -> checked("ids[" + i + "]", asked[i]))
                .distinct()
                .toList();
        if (checked.size() > maxIds) {
            throw ProblemException.invalid("ids", "range", "ids takes at most " + maxIds + " ids");
        }
        return checked;
    }

    private static String checked(String path, String id) {
        if (!Id.isValid(id)) {
            if (path.equals("id") && !ALMOST_ID.matcher(id).matches()) {
                throw ProblemException.notFound("record: an id is 24 characters of a to z and 0 to 9");
            }
            throw ProblemException.invalid(path, "invalid", path + " must be 24 characters of a to z and 0 to 9");
        }
        return id;
    }
}
