package farm.gantry.api.printer;

import farm.gantry.Destination;
import farm.gantry.Permission;
import farm.gantry.api.error.Faults;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.security.Caller;
import farm.gantry.printer.Printer;
import io.micronaut.json.tree.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where a printer's secrets are sent: to its agent, and by it to its address. Who may not read them must not have them
 * sent elsewhere either, or a host of one's own would receive them.
 */
final class SecretDestination {
    private static final List<String> DESTINATIONS = Printer.Provider.MAKES.values().stream()
            .flatMap(make -> make.members(Destination.class).stream())
            .distinct()
            .toList();

    private static final Map<String, Function<Printer, @Nullable Object>> OF_THE_PRINTER = Map.of(
            "provider", Printer::provider, "deviceId", Printer::deviceId, "proxyClientId", Printer::proxyClientId);

    private final RecordReader reader;
    private final List<String> secrets;

    SecretDestination(RecordReader reader, List<String> secrets) {
        this.reader = reader;
        this.secrets = secrets;
    }

    /** Refuses a change of the destination that keeps secrets, unless the caller may configure printers. */
    void check(Caller caller, Printer kept, Printer changed) {
        if (kept.metadata() == null || changed.metadata() == null || caller.hasPermission(Permission.PRINTER_CONFIG)) {
            return;
        }
        JsonNode before = reader.tree(kept.metadata());
        JsonNode after = reader.tree(changed.metadata());
        Set<String> moved = moved(reader, kept, changed);
        if (moved.isEmpty()) {
            return;
        }
        Faults faults = new Faults();
        secrets.stream()
                .filter(name -> after.get(name) != null && after.get(name).equals(before.get(name)))
                .forEach(name -> faults.add(
                        "metadata." + name,
                        "required",
                        "metadata." + name + " must be sent anew, in clear, where " + String.join(" and ", moved)
                                + " changes; or the key needs the permission "
                                + Permission.PRINTER_CONFIG.wire()));
        faults.check();
    }

    /** The fields that lead to the machine, as far as they differ; where metadata was not told before, it leads nowhere else. */
    static Set<String> moved(RecordReader reader, Printer kept, Printer changed) {
        Set<String> moved = new TreeSet<>();
        if (kept.metadata() != null && changed.metadata() != null) {
            JsonNode before = reader.tree(kept.metadata());
            JsonNode after = reader.tree(changed.metadata());
            DESTINATIONS.stream()
                    .filter(name -> !Objects.equals(said(before.get(name)), said(after.get(name))))
                    .forEach(name -> moved.add("metadata." + name));
            if (kept.metadata().getClass() != changed.metadata().getClass()) {
                moved.add("metadata.provider");
            }
        }
        OF_THE_PRINTER.forEach((name, value) -> {
            if (!Objects.equals(value.apply(kept), value.apply(changed))) {
                moved.add(name);
            }
        });
        return moved;
    }

    private static @Nullable JsonNode said(@Nullable JsonNode node) {
        return node == null || node.isNull() ? null : node;
    }
}
