package farm.gantry.api.printer;

import farm.gantry.api.error.Faults;
import farm.gantry.printer.ProviderDefinition;
import farm.gantry.printer.Printer;
import io.micronaut.json.tree.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Validates a printer's two merge patches. Null removes a value at any level; members not listed here are passed to the
 * adapters unchecked.
 */
final class PrinterPatchValidator {
    static final List<String> COMPONENTS = List.of(
            "nozzles",
            "tools",
            "fans",
            "lights",
            "sensors",
            "beds",
            "chambers",
            "axes",
            "filaments",
            "cameras",
            "peripherals",
            "printOptions");
    static final Map<String, Set<String>> ABILITIES = Map.of(
            "printing", Set.of("start", "pause", "resume", "stop", "skipObjects"),
            "filament", Set.of("setInfo", "read", "dynamicSlots", "autoRefill"),
            "files", Set.of("upload", "list"));

    private final Faults faults;

    private PrinterPatchValidator(Faults faults) {
        this.faults = faults;
    }

    /** Adds the faults of the patches in a printer's body. */
    static void check(JsonNode body, Faults faults) {
        PrinterPatchValidator shapes = new PrinterPatchValidator(faults);
        if (body.isObject()) {
            shapes.checkObject(body, "", "printerAdapterBindingsPatch", shapes::checkBindings);
            shapes.checkObject(body, "", "printerCapabilityPatch", shapes::checkCapability);
        }
    }

    private void checkBindings(JsonNode patch, String path) {
        patch.entries().forEach(entry -> {
            String adapter = entry.getKey();
            ProviderDefinition make = Printer.Provider.MAKES.get(adapter);
            if (make == null) {
                addFault(path + "." + adapter, "choice", "is no adapter");
            } else {
                checkObject(patch, path, adapter, (value, at) -> checkAdapter(make, value, at));
            }
        });
    }

    private void checkAdapter(ProviderDefinition make, JsonNode patch, String path) {
        JsonNode version = patch.get("schemaVersion");
        if (version != null && !version.isNull() && !(version.isNumber() && version.getDoubleValue() == 1)) {
            addFault(path + ".schemaVersion", "invalid", "must be 1");
        }
        checkObject(patch, path, "components", this::checkObjects);
        checkObject(patch, path, "printOptions", this::checkObjects);
        Set<String> commands = make.commands();
        if (patch.get("commands") != null && commands.isEmpty()) {
            addFault(path + ".commands", "invalid", "is not of this adapter");
        }
        checkObject(
                patch,
                path,
                "commands",
                (value, at) -> value.entries().forEach(entry -> {
                    if (!commands.contains(entry.getKey())) {
                        addFault(at + "." + entry.getKey(), "choice", "is no command of this adapter");
                    }
                }));
        JsonNode modules = patch.get("modules");
        if (modules != null && !make.hasModules()) {
            addFault(path + ".modules", "invalid", "is not of this adapter");
        } else if (modules != null && !modules.isNull() && !isStringArray(modules)) {
            addFault(path + ".modules", "type", "must be an array of strings");
        }
    }

    private void checkObjects(JsonNode patch, String path) {
        patch.entries().forEach(entry -> checkObject(patch, path, entry.getKey(), (_, _) -> {}));
    }

    private static boolean isStringArray(JsonNode node) {
        if (!node.isArray()) {
            return false;
        }
        for (JsonNode element : node.values()) {
            if (!element.isString()) {
                return false;
            }
        }
        return true;
    }

    private void checkCapability(JsonNode patch, String path) {
        for (String name : COMPONENTS) {
            JsonNode components = patch.get(name);
            if (components != null && !components.isNull()) {
                checkComponents(components, path + "." + name);
            }
        }
        ABILITIES.forEach((name, abilities) -> checkObject(
                patch,
                path,
                name,
                (value, at) -> abilities.forEach(ability -> checkBoolean(value.get(ability), at + "." + ability))));
        checkBoolean(patch.get("gcode"), path + ".gcode");
        checkBoolean(patch.get("gcodeInOrder"), path + ".gcodeInOrder");
    }

    private void checkComponents(JsonNode components, String path) {
        if (!components.isArray()) {
            addFault(path, "type", "must be an array of components");
            return;
        }
        for (int i = 0; i < components.size(); i++) {
            JsonNode component = components.get(i);
            String at = path + "[" + i + "]";
            JsonNode ref = component.get("ref");
            if (ref == null || !ref.isString() || ref.getStringValue().isBlank()) {
                addFault(at + ".ref", "required", "is required");
            } else {
                checkString(component.get("label"), at + ".label");
                checkString(component.get("kind"), at + ".kind");
            }
        }
    }

    private void checkString(@Nullable JsonNode node, String path) {
        if (node != null && !node.isNull() && !node.isString()) {
            addFault(path, "type", "must be a string");
        }
    }

    private void checkBoolean(@Nullable JsonNode node, String path) {
        if (node != null && !node.isNull() && !node.isBoolean()) {
            addFault(path, "type", "must be true or false");
        }
    }

    private void checkObject(JsonNode of, String path, String name, BiConsumer<JsonNode, String> shape) {
        JsonNode node = of.get(name);
        String at = path.isEmpty() ? name : path + "." + name;
        if (node != null && node.isObject()) {
            shape.accept(node, at);
        } else if (node != null && !node.isNull()) {
            addFault(at, "type", "must be an object");
        }
    }

    private void addFault(String path, String code, String reason) {
        faults.add(path, code, path + " " + reason);
    }
}
