package farm.gantry.api.printer;

import farm.gantry.api.error.Faults;
import farm.gantry.printer.Printer;
import farm.gantry.printer.ProviderDefinition;
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
final class PatchShapes {
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

    private PatchShapes(Faults faults) {
        this.faults = faults;
    }

    /** Adds the faults of the patches in a printer's body. */
    static void check(JsonNode body, Faults faults) {
        PatchShapes shapes = new PatchShapes(faults);
        if (body.isObject()) {
            shapes.object(body, "", "printerAdapterBindingsPatch", shapes::bindings);
            shapes.object(body, "", "printerCapabilityPatch", shapes::capability);
        }
    }

    private void bindings(JsonNode patch, String path) {
        patch.entries().forEach(entry -> {
            String adapter = entry.getKey();
            ProviderDefinition make = Printer.Provider.MAKES.get(adapter);
            if (make == null) {
                add(path + "." + adapter, "choice", "is no adapter");
            } else {
                object(patch, path, adapter, (value, at) -> adapter(make, value, at));
            }
        });
    }

    private void adapter(ProviderDefinition make, JsonNode patch, String path) {
        JsonNode version = patch.get("schemaVersion");
        if (version != null && !version.isNull() && !(version.isNumber() && version.getDoubleValue() == 1)) {
            add(path + ".schemaVersion", "invalid", "must be 1");
        }
        object(patch, path, "components", this::objects);
        object(patch, path, "printOptions", this::objects);
        Set<String> commands = make.commands();
        if (patch.get("commands") != null && commands.isEmpty()) {
            add(path + ".commands", "invalid", "is not of this adapter");
        }
        object(
                patch,
                path,
                "commands",
                (value, at) -> value.entries().forEach(entry -> {
                    if (!commands.contains(entry.getKey())) {
                        add(at + "." + entry.getKey(), "choice", "is no command of this adapter");
                    }
                }));
        JsonNode modules = patch.get("modules");
        if (modules != null && !make.hasModules()) {
            add(path + ".modules", "invalid", "is not of this adapter");
        } else if (modules != null && !modules.isNull() && !isTexts(modules)) {
            add(path + ".modules", "type", "must be an array of strings");
        }
    }

    private void objects(JsonNode patch, String path) {
        patch.entries().forEach(entry -> object(patch, path, entry.getKey(), (_, _) -> {}));
    }

    private static boolean isTexts(JsonNode node) {
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

    private void capability(JsonNode patch, String path) {
        for (String name : COMPONENTS) {
            JsonNode components = patch.get(name);
            if (components != null && !components.isNull()) {
                components(components, path + "." + name);
            }
        }
        ABILITIES.forEach((name, abilities) -> object(
                patch,
                path,
                name,
                (value, at) -> abilities.forEach(ability -> flag(value.get(ability), at + "." + ability))));
        flag(patch.get("gcode"), path + ".gcode");
        flag(patch.get("gcodeInOrder"), path + ".gcodeInOrder");
    }

    private void components(JsonNode components, String path) {
        if (!components.isArray()) {
            add(path, "type", "must be an array of components");
            return;
        }
        for (int i = 0; i < components.size(); i++) {
            JsonNode component = components.get(i);
            String at = path + "[" + i + "]";
            JsonNode ref = component.get("ref");
            if (ref == null || !ref.isString() || ref.getStringValue().isBlank()) {
                add(at + ".ref", "required", "is required");
            } else {
                text(component.get("label"), at + ".label");
                text(component.get("kind"), at + ".kind");
            }
        }
    }

    private void text(@Nullable JsonNode node, String path) {
        if (node != null && !node.isNull() && !node.isString()) {
            add(path, "type", "must be a string");
        }
    }

    private void flag(@Nullable JsonNode node, String path) {
        if (node != null && !node.isNull() && !node.isBoolean()) {
            add(path, "type", "must be true or false");
        }
    }

    private void object(JsonNode of, String path, String name, BiConsumer<JsonNode, String> shape) {
        JsonNode node = of.get(name);
        String at = path.isEmpty() ? name : path + "." + name;
        if (node != null && node.isObject()) {
            shape.accept(node, at);
        } else if (node != null && !node.isNull()) {
            add(at, "type", "must be an object");
        }
    }

    private void add(String path, String code, String reason) {
        faults.add(path, code, path + " " + reason);
    }
}
