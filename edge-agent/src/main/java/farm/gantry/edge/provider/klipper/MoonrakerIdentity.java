package farm.gantry.edge.provider.klipper;

import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.trust.PinnedIdentity;
import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a Moonraker. It consists of the id that each installation generates, which distinguishes two
 * Moonrakers on one host, and the serial number of the host's CPU, which distinguishes copies of a disk. Old versions
 * and some hosts report only one of them, or none.
 */
record MoonrakerIdentity(Map<String, String> properties) {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    static MoonrakerIdentity query(MoonrakerSocket rpc) throws IOException, InterruptedException {
        return parse(
                queryResult(rpc, "server.database.get_item", Map.of("namespace", "moonraker", "key", "instance_id")),
                queryResult(rpc, "machine.system_info", Map.of()));
    }

    /** Parses Moonraker's responses about its database and its system; each is empty if Moonraker does not answer. */
    static MoonrakerIdentity parse(Map<String, Object> item, Map<String, Object> system) {
        Map<String, String> properties = new HashMap<>();
        putProperty(properties, "instance", Tree.text(item, "value"));
        putProperty(properties, "cpu", Tree.text(system, "system_info", "cpu_info", "serial_number"));
        return new MoonrakerIdentity(properties);
    }

    private static Map<String, Object> queryResult(MoonrakerSocket rpc, String method, Map<String, ?> params)
            throws IOException, InterruptedException {
        try {
            return rpc.call(method, params, TIMEOUT);
        } catch (Refusal e) {
            return Map.of();
        }
    }

    /** Adds a property; a serial number of zeros counts as none. */
    private static void putProperty(Map<String, String> properties, String name, @Nullable String value) {
        if (value != null && !value.replace("0", "").isBlank()) {
            properties.put(name, value);
        }
    }

    /**
     * Throws if the printer had another identity before. A property that is reported for the first time, for example
     * after an update, is stored beside the known ones.
     */
    void check(PinnedIdentity pin, MoonrakerAddress address) throws IOException {
        String stored = pin.read();
        Map<String, Object> known = stored == null ? Map.of() : Json.tree(stored);
        boolean isSame = properties.entrySet().stream()
                .allMatch(part -> Objects.equals(known.getOrDefault(part.getKey(), part.getValue()), part.getValue()));
        boolean isKnown = properties.keySet().stream().anyMatch(known::containsKey);
        if (!known.isEmpty() && !(isSame && isKnown)) {
            throw pin.identityChanged(address);
        }
        Map<String, Object> all = new HashMap<>(known);
        all.putAll(properties);
        if (!all.equals(known)) {
            pin.write(Json.write(all));
        }
    }
}
