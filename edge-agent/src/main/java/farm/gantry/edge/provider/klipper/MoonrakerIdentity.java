package farm.gantry.edge.provider.klipper;

import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.trust.Pin;
import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What tells one Moonraker from another: the id that each installation gives itself, which two on one host do not share, and
 * the serial number of the host's CPU, which copies of one disk do not share. Old versions and some hosts tell only one of
 * them, or none.
 */
record MoonrakerIdentity(Map<String, String> told) {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    static MoonrakerIdentity of(MoonrakerSocket rpc) throws IOException, InterruptedException {
        return of(
                result(rpc, "server.database.get_item", Map.of("namespace", "moonraker", "key", "instance_id")),
                result(rpc, "machine.system_info", Map.of()));
    }

    /** {@code item} and {@code system} are what Moonraker answers, empty where it does not. */
    static MoonrakerIdentity of(Map<String, Object> item, Map<String, Object> system) {
        Map<String, String> told = new HashMap<>();
        put(told, "instance", Tree.text(item, "value"));
        put(told, "cpu", Tree.text(system, "system_info", "cpu_info", "serial_number"));
        return new MoonrakerIdentity(told);
    }

    private static Map<String, Object> result(MoonrakerSocket rpc, String method, Map<String, ?> params)
            throws IOException, InterruptedException {
        try {
            return rpc.call(method, params, TIMEOUT);
        } catch (Refusal e) {
            return Map.of();
        }
    }

    /** A serial number of zeros is none. */
    private static void put(Map<String, String> told, String name, @Nullable String value) {
        if (value != null && !value.replace("0", "").isBlank()) {
            told.put(name, value);
        }
    }

    /**
     * Fails where the printer was known by something else. A part that is told for the first time, for example after an
     * update, is remembered beside what was known.
     */
    void check(Pin pin, MoonrakerAddress address) throws IOException {
        String kept = pin.read();
        Map<String, Object> known = kept == null ? Map.of() : Json.tree(kept);
        boolean isSame = told.entrySet().stream()
                .allMatch(part -> Objects.equals(known.getOrDefault(part.getKey(), part.getValue()), part.getValue()));
        boolean isKnown = told.keySet().stream().anyMatch(known::containsKey);
        if (!known.isEmpty() && !(isSame && isKnown)) {
            throw pin.anotherMachine(address);
        }
        Map<String, Object> all = new HashMap<>(known);
        all.putAll(told);
        if (!all.equals(known)) {
            pin.write(Json.write(all));
        }
    }
}
