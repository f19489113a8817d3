package farm.gantry.api.mcp;

import farm.gantry.api.error.Fault;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.idempotency.IdempotencyKeys;
import farm.gantry.api.json.JsonText;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.security.Caller;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tools that a key may use, and their calls. */
@Singleton
final class ToolCalls {
    /** Argument of tools that create something: a repeated call with the same value returns the first result. */
    static final String REQUEST_ID = "requestId";

    private static final List<McpTool> TOOLS = Stream.of(JobTools.ALL, PrinterTools.ALL, ReportTools.ALL)
            .flatMap(List::stream)
            .toList();

    private final IdempotencyKeys idempotency;
    private final RecordReader reader;

    ToolCalls(IdempotencyKeys idempotency, RecordReader reader) {
        this.idempotency = idempotency;
        this.reader = reader;
    }

    /** Returns the definitions of the tools that the key may use. */
    static List<Map<String, Object>> definitions(LocalApi api) {
        return TOOLS.stream()
                .filter(tool -> tool.operations().stream().allMatch(api::isPermitted))
                .map(McpTool::definition)
                .toList();
    }

    /** Returns the result of the call, or its error as the API words it; empty if the key has no such tool. */
    Optional<Map<String, Object>> call(LocalApi api, String name, Map<String, JsonNode> arguments) {
        return TOOLS.stream()
                .filter(tool -> tool.name().equals(name))
                .filter(tool -> tool.operations().stream().allMatch(api::isPermitted))
                .findFirst()
                .map(tool -> {
                    try {
                        return result(run(api, tool, arguments));
                    } catch (ProblemException e) {
                        return error(e.problem());
                    }
                });
    }

    private JsonNode run(LocalApi api, McpTool tool, Map<String, JsonNode> arguments) {
        ToolCall call = ToolCall.of(api, tool.arguments(), arguments);
        Optional<String> requestId = call.findText(REQUEST_ID);
        if (requestId.isEmpty()) {
            return reader.toTree(work(tool, call));
        }
        Caller own = api.caller().reload(); // an Idempotency-Key of the request keeps its own claim
        LocalApi once = new LocalApi(api.operations(), own, api.request());
        return JsonText.parse(idempotency.runOnce(
                own,
                "tool " + tool.name(),
                requestId.get(),
                reader.toText(JsonNode.createObjectNode(arguments)).getBytes(StandardCharsets.UTF_8),
                () -> reader.toText(work(tool, new ToolCall(once, arguments)))));
    }

    private static Map<String, Object> work(McpTool tool, ToolCall call) {
        McpTool.ToolResult result = tool.work().apply(call);
        return Map.of("text", result.text(), "data", result.data());
    }

    private static Map<String, Object> result(JsonNode worked) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("content", List.of(Map.of("type", "text", "text", Records.text(worked, "text", ""))));
        result.put("structuredContent", worked.get("data").getValue());
        result.put("isError", false);
        return result;
    }

    private static Map<String, Object> error(Problem problem) {
        String details = faults(problem).stream().map(Fault::message).collect(Collectors.joining("; "));
        String text = problem instanceof Problem.Invalid
                ? details
                : details.isEmpty() ? problem.message() : problem.message() + ": " + details;
        // A tool puts its arguments into the first element of a body.
        return Map.of(
                "content",
                List.of(Map.of("type", "text", "text", text.replaceAll("\\b(parts|skus)\\[0]\\.", ""))),
                "isError",
                true);
    }

    private static List<Fault> faults(Problem problem) {
        if (problem instanceof Problem.Invalid invalid) {
            return invalid.faults();
        }
        return problem instanceof Problem.PrintersUnable unable ? unable.faults() : List.of();
    }
}
