package farm.gantry.api.resource;

import farm.gantry.Id;
import farm.gantry.StoreId;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.error.Faults;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.query.Columns;
import farm.gantry.json.MergePatch;
import io.micronaut.json.tree.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the bodies of requests into records, their secrets sealed. */
final class RecordBodies<R> {
    private final Columns<R> columns;
    private final RecordReader reader;
    private final Secrets secrets;

    RecordBodies(Columns<R> columns, RecordReader reader, Secrets secrets) {
        this.columns = columns;
        this.reader = reader;
        this.secrets = secrets;
    }

    /** The record a body describes, with a new id, not yet kept; or all that is wrong with it. */
    R created(StoreId store, JsonNode body, Map<String, ?> system) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>(fresh(store));
        all.putAll(system);
        Faults faults = new Faults();
        Optional<JsonNode> sealed = faults.read("", () -> secrets.sealed(columns, body, null));
        Optional<R> read = faults.read("", () -> reader.read(columns.type(), sealed.orElse(body), reader.tree(all)));
        faults.check();
        return read.orElseThrow();
    }

    private static Map<String, Object> fresh(StoreId store) {
        String now = Resources.now().toString();
        return Map.of("id", Id.next(), "storeId", store.value(), "createdAt", now, "updatedAt", now);
    }

    /** The kept record with the fields that the body names, but for those which only its creation sets. */
    R patched(JsonNode kept, JsonNode body) {
        reader.checkTags(columns.type(), body);
        return reader.read(columns.type(), replaced(kept, secrets.sealed(columns, body, kept)), kept);
    }

    private JsonNode replaced(JsonNode kept, JsonNode body) {
        Map<String, JsonNode> fields = new LinkedHashMap<>();
        kept.entries().forEach(entry -> fields.put(entry.getKey(), entry.getValue()));
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
