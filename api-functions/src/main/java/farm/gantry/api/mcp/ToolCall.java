package farm.gantry.api.mcp;

import farm.gantry.api.error.Faults;
import farm.gantry.api.error.SimilarName;
import io.micronaut.json.tree.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The call of a tool: its checked arguments, and the API as the caller may use it. */
record ToolCall(LocalApi api, Map<String, JsonNode> arguments) {
    /** Checks the arguments; throws all faults of them. */
    static ToolCall of(LocalApi api, List<ToolArgument> known, Map<String, JsonNode> given) {
        Faults faults = new Faults();
        List<String> names = known.stream().map(ToolArgument::name).toList();
        given.keySet().stream()
                .filter(name -> !names.contains(name))
                .forEach(name -> faults.add(
                        name, "unknown", name + " is not an argument of this tool" + SimilarName.suggest(name, names)));
        for (ToolArgument argument : known) {
            JsonNode value = given.get(argument.name());
            if (value != null && !value.isNull()) {
                argument.check(value, faults);
            } else if (argument.required()) {
                faults.add(argument.name(), "required", argument.name() + " is required: " + argument.description());
            }
        }
        faults.check();
        return new ToolCall(api, given);
    }

    Optional<String> findText(String name) {
        return value(name).map(value -> value.getStringValue().strip());
    }

    String text(String name) {
        return findText(name).orElseThrow(() -> new IllegalArgumentException(name + " is not a required argument"));
    }

    int number(String name, int otherwise) {
        return value(name).map(JsonNode::getIntValue).orElse(otherwise);
    }

    boolean flag(String name) {
        return value(name).map(JsonNode::getBooleanValue).orElse(false);
    }

    private Optional<JsonNode> value(String name) {
        return Optional.ofNullable(arguments.get(name)).filter(value -> !value.isNull());
    }
}
