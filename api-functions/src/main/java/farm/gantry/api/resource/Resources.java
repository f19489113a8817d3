package farm.gantry.api.resource;

import farm.gantry.Id;
import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Faults;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.hint.Hint;
import farm.gantry.api.hint.Hints;
import farm.gantry.api.http.CsvResponses;
import farm.gantry.api.http.IfMatch;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.query.Column;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.security.Caller;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Operations of every resource: list, get, create, patch and delete. Controllers add their own rules. */
public final class Resources<R> {
    /** The member of a bulk change that holds the fields; faults are reported below this path. */
    static final String UPDATE = "update";

    private static final String IDS = "ids";

    /** Detects mistyped ids: a few characters too many or too few, or upper case. */
    private static final Pattern ALMOST_ID = Pattern.compile("[a-zA-Z0-9]{20,28}");

    /** The records of a bulk change. */
    @Serdeable
    record BulkSelection(@Size(min = 1, max = 1000) List<String> ids) {}

    /** Extension points of a resource. {@code whole} is the query for a single record in a response. */
    private record Hooks<R>(
            ListQuery whole,
            @Nullable BiFunction<Tx, List<R>, List<R>> check,
            boolean inTurn,
            @Nullable ChangeListener<R> consequence,
            @Nullable BiConsumer<Tx, List<String>> lock) {}

    private final String noun;
    private final Table<R> table;
    private final Database database;
    private final RecordReader reader;
    private final Hints hints;
    private final RecordBodies<R> bodies;
    private final Hooks<R> hooks;

    Resources(String noun, Table<R> table, Database database, RecordReader reader, Secrets secrets, Hints hints) {
        this.noun = noun;
        this.table = table;
        this.database = database;
        this.reader = reader;
        this.hints = hints;
        this.bodies = new RecordBodies<>(table.columns(), reader, secrets);
        this.hooks = new Hooks<>(ListQuery.all(table.columns()), null, false, null, null);
    }

    private Resources(Resources<R> other, Hooks<R> hooks) {
        this.noun = other.noun;
        this.table = other.table;
        this.database = other.database;
        this.reader = other.reader;
        this.hints = other.hints;
        this.bodies = other.bodies;
        this.hooks = hooks;
    }

    /**
     * Runs in the transaction of a change, with the records before and after it; for new records {@code before} is
     * empty.
     */
    public interface ChangeListener<R> {
        void onChange(Tx tx, List<R> before, List<R> after);
    }

    /**
     * Adds a check that may also complete each record before it is stored. It must not read other records of the
     * resource.
     */
    public Resources<R> checkedBy(BiFunction<Tx, R, R> every) {
        return checkedTogetherBy((tx, records) ->
                records.stream().map(record -> every.apply(tx, record)).toList());
    }

    /** Adds a check of all records of one change together. */
    public Resources<R> checkedTogetherBy(BiFunction<Tx, List<R>, List<R>> all) {
        return new Resources<>(this, new Hooks<>(hooks.whole, all, false, hooks.consequence, hooks.lock));
    }

    /**
     * Adds a check that reads or changes other records of the resource, so that the records of a change are stored one
     * by one.
     */
    public Resources<R> checkedInTurnBy(BiFunction<Tx, R, R> every) {
        Resources<R> checked = checkedBy(every);
        return new Resources<>(
                this, new Hooks<>(hooks.whole, checked.hooks.check, true, hooks.consequence, hooks.lock));
    }

    /** Adds a consequence of changes. */
    public Resources<R> followedBy(ChangeListener<R> each) {
        return new Resources<>(this, new Hooks<>(hooks.whole, hooks.check, hooks.inTurn, each, hooks.lock));
    }

    /**
     * Locks other records before those of this resource. {@code others} gets the ids of the records to change, not of
     * new ones.
     */
    public Resources<R> lockedBy(BiConsumer<Tx, List<String>> others) {
        return new Resources<>(this, new Hooks<>(hooks.whole, hooks.check, hooks.inTurn, hooks.consequence, others));
    }

    /** Sets the query with which single records are always returned. */
    public Resources<R> answeredAs(ListQuery query) {
        return new Resources<>(this, new Hooks<>(query, hooks.check, hooks.inTurn, hooks.consequence, hooks.lock));
    }

    public Table<R> table() {
        return table;
    }

    public HttpResponse<List<R>> list(Caller caller, HttpRequest<?> request) {
        return list(caller, request, query(request));
    }

    public ListQuery query(HttpRequest<?> request) {
        return ListQuery.of(table.columns(), request.getParameters().asMap());
    }

    public HttpResponse<List<R>> list(Caller caller, HttpRequest<?> request, ListQuery query) {
        return list(caller, request, request.getPath(), query);
    }

    /**
     * Returns a page, or all records of the list as CSV if the request wants CSV and has no limit. {@code path} is the
     * path of the list, which selects its hints.
     */
    public HttpResponse<List<R>> list(Caller caller, HttpRequest<?> request, String path, ListQuery query) {
        if (!CsvResponses.isWanted(request)) {
            return JsonResponses.ok(page(caller, path, query));
        } else if (!table.canStream() || request.getParameters().contains("limit")) {
            return JsonResponses.ok(page(caller, path, query.withMeta()));
        }
        query.includes().forEach(include -> include.requirePermission(caller));
        List<String> columns = Stream.concat(
                        query.fields().stream().map(Column::name),
                        query.includes().stream()
                                .map(include -> include.relation().name()))
                .toList();
        Iterator<List<RawJson<R>>> pages = table.export(caller, query, table.secretVisibility(caller));
        return CsvResponses.stream(columns, new Iterator<>() {
            @Override
            public boolean hasNext() {
                return pages.hasNext();
            }

            @Override
            public List<JsonNode> next() {
                return pages.next().stream().map(reader::toTree).toList();
            }
        });
    }

    /** Returns the page for a query with meta. */
    public HttpResponse<SearchResponse<R>> pageOf(Caller caller, String path, ListQuery query) {
        return JsonResponses.ok(page(page(caller, path, query)));
    }

    /** Returns the page for a search body, always with meta. */
    public HttpResponse<SearchResponse<R>> search(Caller caller, HttpRequest<?> request, JsonNode body) {
        return search(caller, request, ListQuery.of(table.columns(), body));
    }

    public HttpResponse<SearchResponse<R>> search(Caller caller, HttpRequest<?> request, ListQuery query) {
        String path = request.getPath();
        return JsonResponses.created(page(page(caller, path.substring(0, path.lastIndexOf('/')), query)));
    }

    private RawJson<List<R>> page(Caller caller, String path, ListQuery query) {
        query.includes().forEach(include -> include.requirePermission(caller));
        RawJson<List<R>> page = table.list(caller, query, table.secretVisibility(caller));
        return query.hints() ? withHints(page, hints.ofList(caller, path)) : page;
    }

    /** Appends the hints to the object's members. */
    private <T> RawJson<T> withHints(RawJson<T> object, List<Hint> hints) {
        String array = reader.toText(hints);
        return new RawJson<T>(object.bytes(), object.length() - 1).wrap("", ",\"hints\":" + array + "}");
    }

    /** A list with meta is serialised as a search response. */
    private static <R> RawJson<SearchResponse<R>> page(RawJson<List<R>> list) {
        return new RawJson<>(list.bytes(), list.length());
    }

    /** Returns the record with the fields and includes of the request. */
    public HttpResponse<R> get(Caller caller, String id, HttpRequest<?> request) {
        parseId(id);
        if (request.getParameters().isEmpty()) {
            return JsonResponses.ok(table.get(caller, id, table.secretVisibility(caller))
                    .orElseThrow(() -> ProblemException.notFound(noun)));
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
        parseId(id);
        query.includes().forEach(include -> include.requirePermission(caller));
        RawJson<R> record = database.in(caller, tx -> table.get(tx, id, query, table.secretVisibility(caller)))
                .orElseThrow(() -> ProblemException.notFound(noun));
        return JsonResponses.ok(query.hints() ? withHints(record, hints.ofRecord(caller, path, id)) : record);
    }

    /** Returns the record or throws 404. */
    public R find(Caller caller, String id) {
        parseId(id);
        return database.in(caller, tx -> table.find(tx, id)).orElseThrow(() -> ProblemException.notFound(noun));
    }

    private void lock(Tx tx, List<String> ids) {
        if (hooks.lock != null) {
            hooks.lock.accept(tx, ids);
        }
    }

    private void follow(Tx tx, List<R> before, List<R> after) {
        if (hooks.consequence != null) {
            hooks.consequence.onChange(tx, before, after);
        }
    }

    /** Creates a record from a body; {@code system} holds the components that the service sets. */
    public HttpResponse<R> create(Caller caller, JsonNode body, Map<String, ?> system) {
        Faults faults = new Faults();
        Optional<R> read = faults.read("", () -> parseNew(caller.unverifiedStore(), body, system));
        addUnknown(caller, faults, "", body);
        faults.check();
        R record = read.orElseThrow();
        boolean alone =
                hooks.check == null && hooks.lock == null && isSingleRowChange() && !table.hasReferences(record);
        return JsonResponses.created(
                alone
                        ? table.insert(caller, record, table.secretVisibility(caller))
                        : database.in(caller, tx -> create(tx, caller, record)));
    }

    /** Whether the change writes only the record's own row, which is also the whole response. */
    private boolean isSingleRowChange() {
        return hooks.consequence == null && table.columns().embeds().isEmpty();
    }

    private R checkRecords(Tx tx, R record) {
        return checkRecords(tx, List.of(record)).getFirst();
    }

    private List<R> checkRecords(Tx tx, List<R> records) {
        if (hooks.check == null) {
            return records;
        }
        return withReferenceFaults(() -> hooks.check.apply(tx, records), () -> table.checkReferences(tx, records));
    }

    /** Runs {@code reading}; if it fails, adds missing references to the reported faults. */
    private static <T> T withReferenceFaults(Supplier<T> reading, Runnable references) {
        Faults faults = new Faults();
        Optional<T> read = faults.read("", reading);
        if (read.isEmpty()) {
            faults.run("", references);
        }
        faults.check();
        return read.orElseThrow();
    }

    /**
     * Adds references to missing records to the faults, if the body is rejected anyway, so that all faults are reported
     * at once.
     */
    public void addUnknown(Caller caller, Faults faults, String path, JsonNode body) {
        if (faults.size() > 0) {
            database.in(caller, tx -> {
                addUnknown(tx, faults, path, body);
                return faults;
            });
        }
    }

    public void addUnknown(Tx tx, Faults faults, String path, JsonNode body) {
        if (faults.size() > 0) {
            faults.run(path, () -> table.checkReferences(tx, body));
        }
    }

    /** Stores the record in the transaction. */
    public RawJson<R> create(Tx tx, Caller caller, R record) {
        lock(tx, List.of());
        R complete = checkRecords(tx, record);
        RawJson<R> made = table.insert(tx, complete, table.secretVisibility(caller));
        follow(tx, List.of(), List.of(complete));
        return readResponse(tx, caller, made);
    }

    /**
     * Stores the records of an array in the transaction, all or none, and returns their ids. Throws all faults, with
     * paths that begin with the index of the record.
     */
    public List<String> createAll(Tx tx, Caller caller, JsonNode bodies) {
        Faults faults = new Faults();
        List<R> records = faults.readEach("", bodies, body -> parseNew(tx.store(), body, Map.of()));
        for (int i = 0; i < bodies.size(); i++) {
            addUnknown(tx, faults, "[" + i + "]", bodies.get(i));
        }
        faults.check();
        lock(tx, List.of());
        List<R> complete = checkAll(tx, records);
        RawJson<List<R>> made = table.insertUnchecked(tx, complete, table.secretVisibility(caller));
        follow(tx, List.of(), complete);
        return StreamSupport.stream(reader.toTree(made).values().spliterator(), false)
                .map(record -> record.get("id").getStringValue())
                .toList();
    }

    /** Checks the records together, and if they have faults, one by one, to tell which record has which. */
    private List<R> checkAll(Tx tx, List<R> records) {
        Faults together = new Faults();
        Optional<List<R>> complete = together.read("", () -> {
            List<R> checked = checkRecords(tx, records);
            table.checkReferences(tx, checked);
            return checked;
        });
        if (complete.isEmpty()) {
            Faults faults = new Faults();
            for (int i = 0; i < records.size(); i++) {
                List<R> record = List.of(records.get(i));
                faults.run("[" + i + "]", () -> table.checkReferences(tx, checkRecords(tx, record)));
            }
            faults.check();
        }
        together.check();
        return complete.orElseThrow();
    }

    /** Returns the record with its includes as it is after all consequences of the change. */
    private RawJson<R> readResponse(Tx tx, Caller caller, RawJson<R> written) {
        if (isSingleRowChange()) {
            return written;
        }
        String id = reader.toTree(written).get("id").getStringValue();
        return table.get(tx, id, table.secretVisibility(caller)).orElseThrow(() -> ProblemException.notFound(noun));
    }

    /** Returns a new record from a body with a new id, not yet stored. */
    public R parseNew(StoreId store, JsonNode body, Map<String, ?> system) {
        return bodies.create(store, body, system, now());
    }

    public HttpResponse<R> patch(Caller caller, String id, IfMatch ifMatch, JsonNode body) {
        return patch(caller, id, ifMatch, body, (_, _, changed) -> changed);
    }

    /** Rejects or adjusts a change. */
    public interface ChangeRule<R> {
        R apply(Tx tx, R stored, R changed);
    }

    /** Locks the row, replaces the fields of the body, applies the rule and validates the record. */
    public HttpResponse<R> patch(Caller caller, String id, IfMatch ifMatch, JsonNode body, ChangeRule<R> rule) {
        parseId(id);
        return JsonResponses.ok(database.in(caller, tx -> patch(tx, caller, id, ifMatch, body, rule)));
    }

    /** Changes a record in the transaction, unconditionally. */
    public RawJson<R> patch(Tx tx, Caller caller, String id, JsonNode body, ChangeRule<R> rule) {
        return patch(tx, caller, id, IfMatch.NONE, body, rule);
    }

    /** Changes a record in the transaction. */
    public RawJson<R> patch(Tx tx, Caller caller, String id, IfMatch ifMatch, JsonNode body, ChangeRule<R> rule) {
        ProblemException.throwUnlessObject(body);
        lock(tx, List.of(id));
        RawJson<R> row = table.lockStored(tx, id).orElseThrow(() -> {
            reader.checkPatch(table.columns().type(), body);
            return ProblemException.notFound(noun);
        });
        R before = table.parse(row);
        StoredRecord<R> after = applyPatch(caller, tx, row, before, body, withCondition(caller, id, ifMatch, rule));
        follow(tx, List.of(before), List.of(after.record()));
        return readResponse(tx, caller, after.json());
    }

    /**
     * Applies the rule before the condition, so that a caller who may not change the record learns nothing about it.
     */
    private ChangeRule<R> withCondition(Caller caller, String id, IfMatch ifMatch, ChangeRule<R> rule) {
        return (tx, stored, changed) -> {
            boolean isStale = isStale(tx, caller, id, ifMatch);
            R ruled = rule.apply(tx, stored, changed);
            ProblemException.throwIfStale(isStale);
            return ruled;
        };
    }

    /** Whether the locked record no longer matches the condition. */
    public boolean isStale(Tx tx, Caller caller, String id, IfMatch ifMatch) {
        return ifMatch.isStale(() -> table.get(tx, id, hooks.whole, table.secretVisibility(caller))
                .orElseThrow(() -> ProblemException.notFound(noun)));
    }

    private record StoredRecord<R>(R record, RawJson<R> json) {}

    private StoredRecord<R> applyPatch(
            Caller caller, Tx tx, RawJson<R> row, R before, JsonNode body, ChangeRule<R> rule) {
        JsonNode stored = reader.toTree(row);
        R record = checkRecords(tx, rule.apply(tx, before, applyPatch(tx, stored, body)));
        String readAt = stored.get("updatedAt").getStringValue();
        RawJson<R> json = table.update(
                        tx, stored.get("id").getStringValue(), readAt, record, table.secretVisibility(caller))
                .orElseThrow(() -> ProblemException.notFound(noun));
        return new StoredRecord<>(record, json);
    }

    /** Applies the same change to each record, or to none if one is missing. */
    public HttpResponse<List<R>> patchAll(Caller caller, JsonNode body, ChangeRule<R> rule) {
        return JsonResponses.ok(database.in(caller, tx -> patchAll(tx, caller, body, rule)));
    }

    /** Applies the same change to each record in the transaction. */
    public RawJson<List<R>> patchAll(Tx tx, Caller caller, JsonNode body, ChangeRule<R> rule) {
        Faults faults = new Faults();
        Optional<BulkSelection> selection = faults.read("", () -> reader.read(BulkSelection.class, body));
        JsonNode update = Objects.requireNonNullElse(body.get(UPDATE), JsonNode.nullNode());
        if (body.isObject() && !update.isObject()) {
            faults.add(UPDATE, update.isNull() ? "required" : "type", "update must be an object");
        }
        faults.check();
        List<String> ids = selection.orElseThrow().ids().stream().distinct().toList();
        lock(tx, ids);
        Map<String, RawJson<R>> found = table.lockStored(tx, ids);
        List<String> missing = ids.stream().filter(id -> !found.containsKey(id)).toList();
        if (!missing.isEmpty()) {
            faults.read(UPDATE, () -> {
                reader.checkPatch(table.columns().type(), update);
                return update;
            });
            faults.check();
        }
        ProblemException.throwIfMissing(missing);
        List<R> before = new ArrayList<>();
        List<R> after = new ArrayList<>();
        Consumer<Collection<RawJson<R>>> change = rows -> {
            List<R> stored = rows.stream().map(table::parse).toList();
            before.addAll(stored);
            faults.read(UPDATE, () -> applyPatch(tx, rows, stored, update, rule))
                    .ifPresent(after::addAll);
            faults.check();
        };
        if (hooks.inTurn) {
            found.keySet()
                    .forEach(id ->
                            change.accept(table.lockStored(tx, List.of(id)).values()));
        } else {
            change.accept(found.values());
        }
        follow(tx, before, after);
        return table.get(tx, ids, table.secretVisibility(caller));
    }

    /** The fields to change of one of many records, and their path in the body. */
    public record RecordUpdate(String path, JsonNode fields) {}

    /** Like {@link ChangeRule}, for all records of a change together. */
    public interface BulkChangeRule<R> {
        List<R> apply(Tx tx, List<R> stored, List<R> changed);
    }

    /**
     * Applies a different change to each record, by id, in the transaction; throws, with nothing changed, if one is
     * missing.
     */
    public void patchEach(Tx tx, Map<String, RecordUpdate> updates, BulkChangeRule<R> rule) {
        List<String> ids = List.copyOf(updates.keySet());
        lock(tx, ids);
        Map<String, RawJson<R>> found = table.lockStored(tx, ids);
        ProblemException.throwIfMissing(
                ids.stream().filter(id -> !found.containsKey(id)).toList());
        Faults faults = new Faults();
        List<R> before = new ArrayList<>();
        List<R> changed = new ArrayList<>();
        updates.forEach((id, update) -> {
            RawJson<R> row = Objects.requireNonNull(found.get(id));
            before.add(table.parse(row));
            faults.read(update.path(), () -> checkRecords(tx, applyPatch(tx, reader.toTree(row), update.fields())))
                    .ifPresent(changed::add);
        });
        faults.check();
        List<R> after = rule.apply(tx, before, changed);
        table.updateAll(tx, after);
        follow(tx, before, after);
    }

    private R applyPatch(Tx tx, JsonNode stored, JsonNode body) {
        return withReferenceFaults(() -> bodies.patch(stored, body), () -> table.checkReferences(tx, body));
    }

    private List<R> applyPatch(Tx tx, Collection<RawJson<R>> rows, List<R> before, JsonNode body, ChangeRule<R> rule) {
        List<R> changed = new ArrayList<>();
        for (RawJson<R> row : rows) {
            changed.add(rule.apply(tx, before.get(changed.size()), applyPatch(tx, reader.toTree(row), body)));
        }
        List<R> records = checkRecords(tx, changed);
        table.updateAll(tx, records);
        return records;
    }

    /** Changes the records with these ids, all or none, and returns them. */
    public HttpResponse<List<R>> changeAll(Caller caller, List<String> ids, BiConsumer<Tx, List<R>> change) {
        return JsonResponses.ok(database.in(caller, tx -> {
            lock(tx, ids);
            change.accept(tx, table.lockRequired(tx, ids));
            return table.get(tx, ids, table.secretVisibility(caller));
        }));
    }

    /** Deletes a record and returns its id in an array. */
    public HttpResponse<List<String>> delete(Caller caller, String id, IfMatch ifMatch) {
        return delete(caller, id, ifMatch, _ -> {});
    }

    /** Deletes a record; {@code permit} may throw to prevent it. */
    public HttpResponse<List<String>> delete(Caller caller, String id, IfMatch ifMatch, Consumer<R> permit) {
        parseId(id);
        return HttpResponse.ok(database.in(caller, tx -> delete(tx, caller, id, ifMatch, permit)));
    }

    /** Deletes a record in the transaction; {@code permit} may throw to prevent it. */
    public List<String> delete(Tx tx, Caller caller, String id, IfMatch ifMatch, Consumer<R> permit) {
        List<String> deleted = delete(tx, List.of(id), record -> {
            permit.accept(record);
            ProblemException.throwIfStale(isStale(tx, caller, id, ifMatch));
        });
        if (deleted.isEmpty()) {
            throw ProblemException.notFound(noun);
        }
        return deleted;
    }

    /**
     * Deletes those of the records that exist and returns their ids; {@code permit} may throw, and then none is
     * deleted.
     */
    public HttpResponse<List<String>> deleteAll(Caller caller, JsonNode body, Consumer<R> permit) {
        List<String> ids;
        try {
            ids = reader.read(BulkSelection.class, JsonNode.createObjectNode(Map.of(IDS, body)))
                    .ids();
        } catch (ProblemException refused) {
            throw refused.mapPaths(path -> path.substring(IDS.length())); // the body itself is the array of ids
        }
        return HttpResponse.ok(database.in(caller, tx -> delete(tx, ids, permit)));
    }

    /** Deletes records in the transaction without a check. */
    public List<String> delete(Tx tx, List<String> ids) {
        return delete(tx, ids, _ -> {});
    }

    private List<String> delete(Tx tx, List<String> ids, Consumer<R> permit) {
        lock(tx, ids);
        List<R> before =
                table.lockStored(tx, ids).values().stream().map(table::parse).toList();
        before.forEach(permit);
        List<String> deleted = table.delete(tx, ids);
        follow(tx, before, List.of());
        return deleted;
    }

    /** Returns the current time in milliseconds, the precision of stored times. */
    public static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }

    /** Returns the id of a path. Throws 404 for text that is no id, and 422 for a mistyped id. */
    public static String parseId(String id) {
        return parseId("id", id);
    }

    /**
     * Returns the distinct ids of a comma-separated parameter {@code ids}; throws if there are more than {@code
     * maxIds}.
     */
    public static List<String> parseIds(String ids, int maxIds) {
        String[] asked = ids.split(",", -1);
        List<String> checked = IntStream.range(0, asked.length)
                .mapToObj(i -> parseId("ids[" + i + "]", asked[i]))
                .distinct()
                .toList();
        if (checked.size() > maxIds) {
            throw ProblemException.invalid("ids", "range", "ids takes at most " + maxIds + " ids");
        }
        return checked;
    }

    private static String parseId(String path, String id) {
        if (!Id.isValid(id)) {
            if (path.equals("id") && !ALMOST_ID.matcher(id).matches()) {
                throw ProblemException.notFound("record: an id is 24 characters of a to z and 0 to 9");
            }
            throw ProblemException.invalid(path, "invalid", path + " must be 24 characters of a to z and 0 to 9");
        }
        return id;
    }
}
