package farm.gantry.api.resource;

import farm.gantry.Id;
import farm.gantry.StoreId;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.error.Faults;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.query.Columns;
import farm.gantry.json.MergePatch;
import io.micronaut.json.tree.JsonNode;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Parses request bodies into records with encrypted secrets. */
final class RecordBodies<R> {
    private final Columns<R> columns;
    private final RecordReader reader;
    private final Secrets secrets;

    RecordBodies(Columns<R> columns, RecordReader reader, Secrets secrets) {
        this.columns = columns;
        this.reader = reader;
        this.secrets = secrets;
    }

    /** Returns a new record with a new id, not yet stored; throws with all faults of the body. */
    R create(StoreId store, JsonNode body, Map<String, ?> system, Instant now) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>(systemFields(store, now.toString()));
        all.putAll(system);
        Faults faults = new Faults();
        Optional<JsonNode> encrypted = faults.read("", () -> secrets.encryptSecrets(columns, body, null));
        Optional<R> read =
                faults.read("", () -> reader.read(columns.type(), encrypted.orElse(body), reader.toTree(all)));
        faults.check();
        return read.orElseThrow();
    }

    private static Map<String, Object> systemFields(StoreId store, String now) {
        return Map.of("id", Id.next(), "storeId", store.value(), "createdAt", now, "updatedAt", now);
    }

    /** Returns the stored record with the body's fields replaced, except those that can be set only at creation. */
    R patch(JsonNode stored, JsonNode body) {
        reader.checkUnknownTags(columns.type(), body);
        return reader.read(
                columns.type(), replaceFields(stored, secrets.encryptSecrets(columns, body, stored)), stored);
    }

    private JsonNode replaceFields(JsonNode stored, JsonNode body) {
        Map<String, JsonNode> fields = new LinkedHashMap<>();
        stored.entries().forEach(entry -> fields.put(entry.getKey(), entry.getValue()));
        body.entries().forEach(entry -> {
            String name = entry.getKey();
            columns.find(name)
                    .filter(column -> !column.createOnly())
                    .ifPresent(column -> fields.put(
                            name,
                            column.merged()
                                    ? JsonNode.from(MergePatch.join(
                                            fields.getOrDefault(name, JsonNode.nullNode())
                                                    .getValue(),
                                            entry.getValue().getValue()))
                                    : entry.getValue()));
        });
        return JsonNode.createObjectNode(fields);
    }
}
