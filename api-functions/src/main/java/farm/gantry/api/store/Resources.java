package farm.gantry.api.store;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.StoreId;
import farm.gantry.api.Caller;
import farm.gantry.api.Json;
import farm.gantry.api.Problem;
import farm.gantry.api.RecordReader;
import farm.gantry.api.Refused;
import farm.gantry.api.query.Column;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.SearchResponse;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What every resource can do: list, get, create, patch, delete; a controller adds its own rules. */
public final class Resources<R> {
    /** The records of a change to many. */
    @Serdeable
    record Selection(@Size(min = 1, max = 1000) List<String> ids) {}

    private final String noun;
    private final Table<R> table;
    private final Database database;
    private final RecordReader reader;
    private final Secrets secrets;

    Resources(String noun, Table<R> table, Database database, RecordReader reader, Secrets secrets) {
        this.noun = noun;
        this.table = table;
        this.database = database;
        this.reader = reader;
        this.secrets = secrets;
    }

    public Table<R> table() {
        return table;
    }

    /** Secrets read back in clear only to a key that may configure printers. */
    public static Secrets.Shown shown(Caller caller) {
        return caller.holds(Permission.PRINTER_CONFIG) ? Secrets.Shown.IN_CLEAR : Secrets.Shown.HIDDEN;
    }

    public HttpResponse<List<R>> list(Caller caller, HttpRequest<?> request) {
        return list(caller, query(request));
    }

    public ListQuery query(HttpRequest<?> request) {
        return ListQuery.of(table.columns(), request.getParameters().asMap());
    }

    public HttpResponse<List<R>> list(Caller caller, ListQuery query) {
        query.includes().forEach(include -> include.check(caller));
        return ok(table.list(caller.store(), query, shown(caller)));
    }

    /** What a search's body asks for, always with its meta. */
    public HttpResponse<SearchResponse<R>> search(Caller caller, JsonNode body) {
        ListQuery query = ListQuery.of(table.columns(), body);
        query.includes().forEach(include -> include.check(caller));
        return created(page(table.list(caller.store(), query, shown(caller))));
    }

    /** A list with meta is one of these. */
    private static <R> Json<SearchResponse<R>> page(Json<List<R>> list) {
        return new Json<>(list.bytes(), list.length());
    }

    /** The record, with the fields and the relations the request asks for. */
    public HttpResponse<R> get(Caller caller, String id, HttpRequest<?> request) {
        checked(id);
        return ok(read(caller, id, request).orElseThrow(() -> Problem.NotFound.of(noun)));
    }

    private Optional<Json<R>> read(Caller caller, String id, HttpRequest<?> request) {
        if (request.getParameters().isEmpty()) {
            return table.get(caller.store(), id, shown(caller));
        }
        ListQuery query =
                ListQuery.ofOne(table.columns(), request.getParameters().asMap());
        query.includes().forEach(include -> include.check(caller));
        return database.in(caller.store(), tx -> table.get(tx, id, query, shown(caller)));
    }

    /** Creates the record of a body; {@code system} holds the components the service sets. */
    public HttpResponse<R> create(Caller caller, JsonNode body, Map<String, ?> system) {
        R record = record(caller.store(), body, system);
        return created(database.in(caller.store(), tx -> table.insert(tx, record, shown(caller))));
    }

    /** The record a body describes, with a new id, not yet kept. */
    public R record(StoreId store, JsonNode body, Map<String, ?> system) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>(fresh(store));
        all.putAll(system);
        return reader.read(table.columns().type(), sealed(body, null), reader.tree(all));
    }

    private static Map<String, Object> fresh(StoreId store) {
        String now = now().toString();
        return Map.of("id", Id.next(), "storeId", store.value(), "createdAt", now, "updatedAt", now);
    }

    public static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }

    public HttpResponse<R> patch(Caller caller, String id, JsonNode body) {
        return patch(caller, id, body, (_, _, changed) -> changed);
    }

    /** What a resource says to a change: it may refuse the result, or add to it. */
    public interface Rule<R> {
        R apply(Tx tx, R kept, R changed);
    }

    /** Replaces the fields the body names, has the rule look at it, and checks the whole. The row is locked meanwhile. */
    public HttpResponse<R> patch(Caller caller, String id, JsonNode body, Rule<R> rule) {
        checked(id);
        if (!body.isObject()) {
            throw new Refused(new Problem.MalformedJson("the body must be an object"));
        }
        return ok(database.in(caller.store(), tx -> {
            Json<R> row = table.lockKept(tx, id).orElseThrow(() -> Problem.NotFound.of(noun));
            return patched(caller, tx, row, body, rule);
        }));
    }

    private Json<R> patched(Caller caller, Tx tx, Json<R> row, JsonNode body, Rule<R> rule) {
        JsonNode kept = reader.tree(row);
        R changed = reader.read(table.columns().type(), replaced(kept, sealed(body, kept)), kept);
        R record = rule.apply(tx, table.record(row), changed);
        String readAt = kept.get("updatedAt").getStringValue();
        return table.update(tx, kept.get("id").getStringValue(), readAt, record, shown(caller))
                .orElseThrow(() -> Problem.NotFound.of(noun));
    }

    /** Makes the same change to each of the records, or to none when one is missing. */
    public HttpResponse<List<R>> patchAll(Caller caller, JsonNode body, Rule<R> rule) {
        List<String> ids =
                reader.read(Selection.class, body).ids().stream().distinct().toList();
        JsonNode update = body.get("update");
        if (update == null || !update.isObject()) {
            throw Problem.Invalid.of("update", update == null ? "required" : "type", "update must be an object");
        }
        return ok(database.in(caller.store(), tx -> {
            Map<String, Json<R>> rows = table.lockKept(tx, ids);
            List<String> missing =
                    ids.stream().filter(id -> !rows.containsKey(id)).toList();
            if (!missing.isEmpty()) {
                throw new Refused(new Problem.Missing(missing));
            }
            rows.values().forEach(row -> patched(caller, tx, row, update, rule));
            return table.get(tx, ids, shown(caller));
        }));
    }

    private JsonNode replaced(JsonNode kept, JsonNode body) {
        Map<String, JsonNode> fields = new LinkedHashMap<>();
        kept.entries().forEach(entry -> fields.put(entry.getKey(), entry.getValue()));
        body.entries().forEach(entry -> {
            if (table.columns()
                    .find(entry.getKey())
                    .filter(column -> !column.createOnly())
                    .isPresent()) {
                fields.put(entry.getKey(), entry.getValue());
            }
        });
        return JsonNode.createObjectNode(fields);
    }

    /** The body with its secrets sealed; a hidden one means the one that is kept. */
    private JsonNode sealed(JsonNode body, @Nullable JsonNode kept) {
        if (!body.isObject()) {
            return body;
        }
        Map<String, JsonNode> fields = new LinkedHashMap<>();
        body.entries().forEach(entry -> fields.put(entry.getKey(), entry.getValue()));
        for (Column column : table.columns().all()) {
            JsonNode value = fields.get(column.name());
            if (!column.sealedKeys().isEmpty() && value != null && value.isObject()) {
                JsonNode before = kept == null ? null : kept.get(column.name());
                fields.put(column.name(), sealed(value, column.sealedKeys(), before));
            }
        }
        return JsonNode.createObjectNode(fields);
    }

    private JsonNode sealed(JsonNode value, List<String> keys, @Nullable JsonNode before) {
        Map<String, JsonNode> members = new LinkedHashMap<>();
        value.entries().forEach(member -> {
            JsonNode secret = member.getValue();
            if (keys.contains(member.getKey()) && secret.isString()) {
                JsonNode old = before == null || !before.isObject() ? null : before.get(member.getKey());
                secret = secret.getStringValue().equals(Secrets.HIDDEN) && old != null
                        ? old
                        : JsonNode.createStringNode(secrets.seal(secret.getStringValue()));
            }
            members.put(member.getKey(), secret);
        });
        return JsonNode.createObjectNode(members);
    }

    /** Deletes one record and answers its id in an array. */
    public HttpResponse<List<String>> delete(Caller caller, String id) {
        checked(id);
        List<String> deleted = database.in(caller.store(), tx -> table.delete(tx, List.of(id)));
        if (deleted.isEmpty()) {
            throw Problem.NotFound.of(noun);
        }
        return HttpResponse.ok(deleted);
    }

    /** Deletes those of the ids that are there, and answers them. */
    public HttpResponse<List<String>> deleteAll(Caller caller, JsonNode body) {
        List<String> ids = reader.read(Selection.class, JsonNode.createObjectNode(Map.of("ids", body)))
                .ids();
        return HttpResponse.ok(database.in(caller.store(), tx -> table.delete(tx, ids)));
    }

    /** An id of a path, if it has an id's form. */
    public static String checked(String id) {
        if (!Id.isValid(id)) {
            throw Problem.Invalid.of("id", "invalid", "id must be 24 characters of a to z and 0 to 9");
        }
        return id;
    }

    public static <T> HttpResponse<T> ok(Json<T> json) {
        return HttpResponse.ok(cast(json)).contentType(MediaType.APPLICATION_JSON_TYPE);
    }

    public static <T> HttpResponse<T> created(Json<T> json) {
        return HttpResponse.<T>status(HttpStatus.CREATED).body(cast(json)).contentType(MediaType.APPLICATION_JSON_TYPE);
    }

    /** A route declares the shape of its answer; the body is JSON of that shape, already made. */
    @SuppressWarnings("unchecked")
    private static <T> T cast(Json<T> json) {
        return (T) json;
    }
}
