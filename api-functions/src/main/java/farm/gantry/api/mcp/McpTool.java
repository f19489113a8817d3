package farm.gantry.api.mcp;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A tool that an assistant may call.
 *
 * @param operations the operations that every call needs; a key without their permissions does not see the tool
 */
record McpTool(
        String name,
        String title,
        String description,
        Effect effect,
        List<ToolArgument> arguments,
        List<Operation> operations,
        Function<ToolCall, McpTool.ToolResult> work) {
    /** The effect of a call on the farm. */
    enum Effect {
        /** Nothing. */
        READ,
        /** Something is added, or can be taken back. */
        CHANGE,
        /** Something is lost. */
        DESTROY
    }

    /** The result of a call: a short text for people, and the same as data. */
    record ToolResult(String text, Map<String, Object> data) {}

    /** Returns the definition that clients read. */
    Map<String, Object> definition() {
        Map<String, Object> properties = new LinkedHashMap<>();
        arguments.forEach(argument -> properties.put(argument.name(), argument.schema()));
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put(
                "required",
                arguments.stream()
                        .filter(ToolArgument::required)
                        .map(ToolArgument::name)
                        .toList());
        schema.put("additionalProperties", false);
        Map<String, Object> definition = new LinkedHashMap<>();
        definition.put("name", name);
        definition.put("title", title);
        definition.put("description", description);
        definition.put("inputSchema", schema);
        definition.put(
                "annotations",
                Map.of(
                        "readOnlyHint",
                        effect == Effect.READ,
                        "destructiveHint",
                        effect == Effect.DESTROY,
                        "openWorldHint",
                        false));
        return definition;
    }
}
