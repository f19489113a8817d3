package farm.gantry.api.mcp;

import farm.gantry.api.mcp.McpTool.Effect;
import farm.gantry.api.mcp.McpTool.ToolResult;
import io.micronaut.json.tree.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The tools about printers and filament. */
final class PrinterTools {
    private static final String PRINTERS = "/v1/printers";
    private static final String SPOOLS = "/v1/materials/instances";
    private static final int MAX_PRINTERS = 100;
    private static final int MAX_DAYS = 365;
    private static final int DEFAULT_DAYS = 14;
    private static final int MAX_GRAMS = 10_000;
    private static final int LOW_GRAMS = 100;
    private static final ToolArgument PRINTER =
            ToolArgument.text("printer", "The printer, by its name or its id.").asRequired();

    static final List<McpTool> ALL = List.of(
            new McpTool(
                    "list_printers",
                    "List printers",
                    "Lists the printers: what each does, and why it takes no jobs.",
                    Effect.READ,
                    List.of(ToolArgument.text("name", "Only printers whose name contains this text.")),
                    List.of(Operation.get(PRINTERS), Operation.get("/v1/printer-states")),
                    PrinterTools::list),
            new McpTool(
                    "pause_printer",
                    "Pause a printer",
                    "Pauses what a printer prints, also a print that the farm did not start.",
                    Effect.CHANGE,
                    List.of(PRINTER),
                    List.of(Operation.post("/v1/printer-commands/send")),
                    call -> send(call, "pause")),
            new McpTool(
                    "resume_printer",
                    "Resume a paused printer",
                    "Resumes the paused print of a printer.",
                    Effect.CHANGE,
                    List.of(PRINTER),
                    List.of(Operation.post("/v1/printer-commands/send")),
                    call -> send(call, "resume")),
            new McpTool(
                    "filament_low",
                    "Find filament that is low",
                    "Tells which filament to buy for the queue and the next days, and which spools are nearly empty.",
                    Effect.READ,
                    List.of(
                            ToolArgument.number(
                                    "days",
                                    "For how many days of average use, beside the queue; 14 by default.",
                                    0,
                                    MAX_DAYS),
                            ToolArgument.number(
                                    "grams",
                                    "Below how many grams a spool is nearly empty; 100 by default.",
                                    1,
                                    MAX_GRAMS)),
                    List.of(Operation.get("/v1/plan/buy")),
                    PrinterTools::filament));

    private PrinterTools() {}

    static ToolResult list(ToolCall call) {
        Map<String, String> query = new LinkedHashMap<>(Map.of(
                "fields",
                "id,name,modelName,enabled,confirmedReady,isInMaintenance,isAvailable,quarantineReason,tags",
                "sort",
                "name",
                "limit",
                String.valueOf(MAX_PRINTERS),
                "meta",
                "true"));
        call.findText("name").ifPresent(name -> query.put("name.contains", Records.filterValue(name)));
        JsonNode page = call.api().get(PRINTERS, query);
        List<JsonNode> printers = Records.list(page.get("data"));
        String ids = String.join(",", Records.texts(page.get("data"), "id"));
        Map<String, JsonNode> states = printers.isEmpty()
                ? Map.of()
                : Records.list(call.api().get("/v1/printer-states", Map.of("ids", ids))).stream()
                        .collect(Collectors.toMap(
                                each -> Records.text(each, "printerId", ""), each -> each.get("state")));
        List<Map<String, Object>> data = printers.stream()
                .map(each -> describe(each, states.getOrDefault(Records.text(each, "id", ""), JsonNode.nullNode())))
                .toList();
        long total = (long) Records.number(page.get("meta"), "total");
        StringBuilder text = new StringBuilder(total == 0 ? "There are no printers." : total + " printers.");
        data.forEach(each -> text.append("\n- ").append(line(each)));
        if (total > data.size()) {
            text.append("\nThese are the first ").append(data.size()).append("; use name to find others.");
        }
        return new ToolResult(text.toString(), Map.of("total", total, "printers", data));
    }

    private static Map<String, Object> describe(JsonNode printer, JsonNode state) {
        JsonNode job = state.get("job");
        boolean isBusy = List.of("preparing", "printing", "paused").contains(Records.text(state, "status", ""));
        boolean hasJob = isBusy && job != null && !job.isNull();
        return Records.map(
                "printer", Records.text(printer, "id"),
                "name", Records.text(printer, "name"),
                "model", Records.text(printer, "modelName"),
                "status", Records.text(state, "status"),
                "file", hasJob ? Records.text(job, "fileName") : null,
                "job", hasJob ? Records.text(job, "jobId") : null,
                "percent", hasJob ? Math.round(Records.number(job, "percent")) : null,
                "remaining",
                        hasJob && Records.text(job, "remainingSeconds") != null
                                ? Records.duration(Records.number(job, "remainingSeconds"))
                                : null,
                "takesJobs", Records.isTrue(printer, "isAvailable"),
                "takesNoJobsBecause", isBusy ? null : obstacle(printer, state),
                "faults",
                        state.isNull() || Records.list(state.get("errors")).isEmpty()
                                ? null
                                : Records.texts(state.get("errors"), "message"));
    }

    private static @Nullable String obstacle(JsonNode printer, JsonNode state) {
        List<String> reasons = new ArrayList<>();
        if ("offline".equals(Records.text(state, "status"))) {
            reasons.add("it is offline: " + Records.text(state, "connectionReason", "no reason is known"));
        }
        if (!Records.isTrue(printer, "enabled")) {
            reasons.add("it is disabled");
        }
        if (Records.isTrue(printer, "isInMaintenance")) {
            reasons.add("it is in maintenance");
        }
        if (Records.text(printer, "quarantineReason") != null) {
            reasons.add("it is in quarantine: " + Records.text(printer, "quarantineReason"));
        }
        if (!Records.isTrue(printer, "confirmedReady")) {
            reasons.add("nobody has marked its bed as clear");
        }
        return reasons.isEmpty() ? null : String.join("; ", reasons);
    }

    private static String line(Map<String, Object> printer) {
        StringBuilder line = new StringBuilder(printer.get("name") + ": " + printer.get("status"));
        if (printer.get("file") != null) {
            line.append(' ')
                    .append(printer.get("file"))
                    .append(", ")
                    .append(printer.get("percent"))
                    .append(" %");
        }
        if (printer.get("remaining") != null) {
            line.append(", ").append(printer.get("remaining")).append(" left");
        }
        Records.append(line, ", takes no jobs: ", printer.get("takesNoJobsBecause"));
        Records.append(line, ", faults: ", printer.get("faults"));
        return line.append(" (printer ")
                .append(printer.get("printer"))
                .append(')')
                .toString();
    }

    private static ToolResult send(ToolCall call, String command) {
        JsonNode printer = Records.find(call.api(), "printer", PRINTERS, "name", call.text("printer"));
        String id = Records.text(printer, "id", "");
        call.api().post("/v1/printer-commands/send", Map.of("ids", List.of(id), "command", Map.of("command", command)));
        return new ToolResult(
                Records.text(printer, "name", "The printer") + " is asked to " + command + ".",
                Map.of("printer", id, "command", command));
    }

    private static ToolResult filament(ToolCall call) {
        int days = call.number("days", DEFAULT_DAYS);
        int grams = call.number("grams", LOW_GRAMS);
        List<Map<String, Object>> buy =
                Records.list(call.api()
                                .get("/v1/plan/buy", Map.of("days", String.valueOf(days)))
                                .get("lines"))
                        .stream()
                        .filter(line -> Records.grams(line, "lackingGrams") > 0)
                        .map(line -> Records.map(
                                "filament", Records.text(line, "name"),
                                "buyGrams", Records.grams(line, "lackingGrams"),
                                "stockGrams", Records.grams(line, "stockGrams"),
                                "queueGrams", Records.grams(line, "queueGrams")))
                        .toList();
        List<Map<String, Object>> spools = call.api().isPermitted(Operation.get(SPOOLS))
                ? Records.list(call.api()
                                .get(
                                        SPOOLS,
                                        Map.of(
                                                "remainingGrams.lt",
                                                String.valueOf(grams),
                                                "remainingGrams.gt",
                                                "0",
                                                "sort",
                                                "remainingGrams",
                                                "limit",
                                                String.valueOf(MAX_PRINTERS))))
                        .stream()
                        .map(spool -> Records.map(
                                "spool", Records.text(spool, "id"),
                                "name",
                                        Records.text(
                                                spool, "name", Records.text(spool, "materialType", "without a name")),
                                "remainingGrams", Records.grams(spool, "remainingGrams")))
                        .toList()
                : List.of();
        StringBuilder text = new StringBuilder(
                buy.isEmpty()
                        ? "There is enough filament for the queue and " + days + " days."
                        : "To buy for the queue and " + days + " days:");
        buy.forEach(line -> text.append("\n- ")
                .append(line.get("filament"))
                .append(": ")
                .append(line.get("buyGrams"))
                .append(" g"));
        spools.forEach(spool -> text.append("\nNearly empty: ")
                .append(spool.get("name"))
                .append(", ")
                .append(spool.get("remainingGrams"))
                .append(" g"));
        return new ToolResult(text.toString(), Map.of("days", days, "buy", buy, "spools", spools));
    }
}
