package farm.gantry.api.printer;

import farm.gantry.Permission;
import farm.gantry.annotation.Destination;
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
 * Protects a printer's secrets, which are sent to its agent and then to its address. A caller who may not read the
 * secrets must not redirect them to another host.
 */
final class SecretDestinationCheck {
    private static final List<String> DESTINATIONS = Printer.Provider.MAKES.values().stream()
            .flatMap(make -> make.membersAnnotatedWith(Destination.class).stream())
            .distinct()
            .toList();

    private static final Map<String, Function<Printer, @Nullable Object>> PRINTER_FIELDS = Map.of(
            "provider", Printer::provider, "deviceId", Printer::deviceId, "proxyClientId", Printer::proxyClientId);

    private final RecordReader reader;
    private final List<String> secrets;

    SecretDestinationCheck(RecordReader reader, List<String> secrets) {
        this.reader = reader;
        this.secrets = secrets;
    }

    /** Rejects a change of the destination that keeps stored secrets, unless the caller may configure printers. */
    void check(Caller caller, Printer stored, Printer changed) {
        if (stored.metadata() == null
                || changed.metadata() == null
                || caller.hasPermission(Permission.PRINTER_CONFIG)) {
            return;
        }
        JsonNode before = reader.toTree(stored.metadata());
        JsonNode after = reader.toTree(changed.metadata());
        Set<String> moved = changedDestinationFields(reader, stored, changed);
        if (moved.isEmpty()) {
            return;
        }
        Faults faults = new Faults();
        secrets.stream()
                .filter(name -> after.get(name) != null && after.get(name).equals(before.get(name)))
                .forEach(name -> faults.add(
                        "metadata." + name,
                        "required",
                        "metadata." + name + " must be sent again, in clear text, because "
                                + String.join(" and ", moved)
                                + " changes; without it the key needs the permission "
                                + Permission.PRINTER_CONFIG.wireName()));
        faults.check();
    }

    /** Returns the changed fields that determine where secrets are sent. Empty if no metadata was stored before. */
    static Set<String> changedDestinationFields(RecordReader reader, Printer stored, Printer changed) {
        Set<String> moved = new TreeSet<>();
        if (stored.metadata() != null && changed.metadata() != null) {
            JsonNode before = reader.toTree(stored.metadata());
            JsonNode after = reader.toTree(changed.metadata());
            DESTINATIONS.stream()
                    .filter(name -> !Objects.equals(orNull(before.get(name)), orNull(after.get(name))))
                    .forEach(name -> moved.add("metadata." + name));
            if (stored.metadata().getClass() != changed.metadata().getClass()) {
                moved.add("metadata.provider");
            }
        }
        PRINTER_FIELDS.forEach((name, value) -> {
            if (!Objects.equals(value.apply(stored), value.apply(changed))) {
                moved.add(name);
            }
        });
        return moved;
    }

    private static @Nullable JsonNode orNull(@Nullable JsonNode node) {
        return node == null || node.isNull() ? null : node;
    }
}
