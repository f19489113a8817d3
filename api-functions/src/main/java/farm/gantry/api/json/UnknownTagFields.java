package farm.gantry.api.json;

import farm.gantry.annotation.KnownFieldsOnly;
import farm.gantry.api.error.Faults;
import farm.gantry.part.PrintTags;
import io.micronaut.json.tree.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Rejects unknown fields that would restrict where a job prints, such as {@code printTags} at the wrong place. Ignoring
 * one would let a job print on a printer that the caller excluded.
 */
final class UnknownTagFields {
    private static final Set<String> RESTRICTIONS = Set.of("printTags", "printerTags");

    private UnknownTagFields() {}

    /** Adds a fault for each such field. A value that is not an object is rejected elsewhere. */
    static void check(RecordShape shape, JsonNode json, String path, Faults faults) {
        if (!json.isObject()) {
            return;
        }
        Set<String> known =
                shape.components().stream().map(RecordShape.Component::name).collect(Collectors.toSet());
        KnownFieldsOnly closed = shape.introspection().getBeanType().getAnnotation(KnownFieldsOnly.class);
        for (Map.Entry<String, JsonNode> field : json.entries()) {
            String name = field.getKey();
            String at = path.isEmpty() ? name : path + "." + name;
            if (known.contains(name)) {
                continue;
            }
            if (closed != null) {
                String noun = closed.value();
                faults.add(
                        at,
                        "unknown",
                        at + " is not a " + noun + ": the " + noun + "s are " + String.join(", ", names(shape)));
            } else if (RESTRICTIONS.contains(name) && !isEmpty(field.getValue())) {
                faults.add(at, "unknown", at + " is not a field here" + remedy(shape, path));
            }
        }
    }

    private static List<String> names(RecordShape shape) {
        return shape.components().stream().map(RecordShape.Component::name).toList();
    }

    private static boolean isEmpty(JsonNode value) {
        return value.isNull() || (value.isContainerNode() && value.size() == 0);
    }

    private static String remedy(RecordShape shape, String path) {
        return shape.components().stream()
                .filter(component -> component.argument().getType() == PrintTags.class)
                .map(component -> ": the tags that restrict where it prints are " + (path.isEmpty() ? "" : path + ".")
                        + component.name())
                .findFirst()
                .orElse(", and is not ignored because it restricts where jobs print");
    }
}
