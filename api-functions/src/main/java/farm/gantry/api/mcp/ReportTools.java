package farm.gantry.api.mcp;

import farm.gantry.api.mcp.McpTool.Effect;
import farm.gantry.api.mcp.McpTool.ToolResult;
import io.micronaut.json.tree.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/** The tools about orders, failures and estimates. */
final class ReportTools {
    private static final int MAX_DAYS = 365;
    private static final int DEFAULT_DAYS = 7;
    private static final int DEFAULT_PROMISE_DAYS = 30;
    private static final int MAX_FAILED = 20;

    static final List<McpTool> ALL = List.of(
            new McpTool(
                    "order_status",
                    "Tell when an order is done",
                    "Tells how far an order is, when it is likely done, and what it waits for.",
                    Effect.READ,
                    List.of(ToolArgument.text("order", "The order, by its number or its id.")
                            .asRequired()),
                    List.of(Operation.get("/v1/orders/id"), Operation.get("/v1/orders/id/promise")),
                    ReportTools::order),
            new McpTool(
                    "failures",
                    "Report failures",
                    "Reports the failed prints of the last days: success rate, printers and parts with most failures, and the last errors.",
                    Effect.READ,
                    List.of(ToolArgument.number("days", "Of how many days; 7 by default.", 1, MAX_DAYS)),
                    List.of(Operation.get("/v1/reports/failures"), Operation.get("/v1/print-jobs")),
                    ReportTools::failures),
            new McpTool(
                    "promises",
                    "Report how finish times came true",
                    "Reports which share of the completed jobs of the last days were done by their likely and by their latest finish time, by provider.",
                    Effect.READ,
                    List.of(ToolArgument.number("days", "Of how many days; 30 by default.", 1, MAX_DAYS)),
                    List.of(Operation.get("/v1/reports/promises")),
                    ReportTools::promises));

    private ReportTools() {}

    private static ToolResult order(ToolCall call) {
        JsonNode order = Records.find(call.api(), "order", "/v1/orders", "orderNumber", call.text("order"));
        String id = Records.text(order, "id", "");
        JsonNode promise = call.api().get("/v1/orders/" + id + "/promise", Map.of());
        JsonNode progress = order.get("progress");
        List<String> waits = Records.texts(promise.get("waits"), "text");
        boolean isLate = Records.isTrue(promise, "late");
        Map<String, Object> data = Records.map(
                "order",
                id,
                "number",
                Records.text(order, "orderNumber"),
                "status",
                Records.text(order, "status"),
                "pieces",
                (long) Records.number(progress, "wanted"),
                "done",
                (long) Records.number(progress, "done"),
                "printing",
                (long) Records.number(progress, "printing"),
                "waiting",
                (long) Records.number(progress, "queued"),
                "failed",
                (long) Records.number(progress, "failed"),
                "likelyDoneAt",
                Records.time(promise, "promisedAt"),
                "latestDoneAt",
                Records.time(promise, "promisedBy"),
                "deadline",
                Records.time(promise, "deadline"),
                "lateBy",
                isLate ? Records.duration(Records.number(promise, "lateSeconds")) : null,
                "waits",
                waits);
        StringBuilder text = new StringBuilder("Order %s is %s: %s of %s prints are done, %s are printing, %s wait."
                .formatted(
                        data.get("number"),
                        data.get("status"),
                        data.get("done"),
                        data.get("pieces"),
                        data.get("printing"),
                        data.get("waiting")));
        Records.append(text, " Likely done: ", data.get("likelyDoneAt"));
        Records.append(text, "; at the latest (90 %): ", data.get("latestDoneAt"));
        Records.append(text, " Deadline: ", data.get("deadline"));
        Records.append(text, ", missed by ", data.get("lateBy"));
        waits.forEach(wait -> text.append("\n- ").append(wait));
        return new ToolResult(text.toString(), data);
    }

    private static ToolResult failures(ToolCall call) {
        int days = call.number("days", DEFAULT_DAYS);
        Instant to = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        String from = to.minus(Duration.ofDays(days)).toString();
        JsonNode report = call.api().get("/v1/reports/failures", Map.of("from", from, "to", to.toString()));
        JsonNode all = report.get("all");
        List<Map<String, Object>> last = Records.list(call.api()
                        .get(
                                "/v1/print-jobs",
                                Map.of(
                                        "status", "Failed",
                                        "updatedAt.gte", from,
                                        "sort", "updatedAt:desc",
                                        "limit", String.valueOf(MAX_FAILED),
                                        "fields", "id,partName,errorMessage,updatedAt")))
                .stream()
                .map(job -> Records.map(
                        "job", Records.text(job, "id"),
                        "part", Records.text(job, "partName"),
                        "failedAt", Records.time(job, "updatedAt"),
                        "error", Records.text(job, "errorMessage")))
                .toList();
        Map<String, Object> data = Records.map(
                "days",
                days,
                "completed",
                (long) Records.number(all, "completed"),
                "failed",
                (long) Records.number(all, "failed"),
                "cancelled",
                (long) Records.number(all, "cancelled"),
                "printers",
                worst(report.get("printers")),
                "parts",
                worst(report.get("parts")),
                "last",
                last);
        StringBuilder text = new StringBuilder("In the last %d days %s prints failed and %s were completed."
                .formatted(days, data.get("failed"), data.get("completed")));
        worst(report.get("printers"))
                .forEach(each -> text.append("\nPrinter ")
                        .append(each.get("name"))
                        .append(": ")
                        .append(each.get("failed"))
                        .append(" failed"));
        last.forEach(job -> text.append("\n- ")
                .append(job.get("failedAt"))
                .append(' ')
                .append(job.get("part"))
                .append(": ")
                .append(job.getOrDefault("error", "no error is known"))
                .append(" (job ")
                .append(job.get("job"))
                .append(')'));
        return new ToolResult(text.toString(), data);
    }

    private static ToolResult promises(ToolCall call) {
        int days = call.number("days", DEFAULT_PROMISE_DAYS);
        Instant to = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        String from = to.minus(Duration.ofDays(days)).toString();
        JsonNode report = call.api().get("/v1/reports/promises", Map.of("from", from, "to", to.toString()));
        List<Map<String, Object>> providers = Records.list(report.get("providers")).stream()
                .map(each -> Records.map(
                        "provider",
                        Records.text(each, "provider", "unknown"),
                        "jobs",
                        (long) Records.number(each, "jobs"),
                        "doneByLikelyPercent",
                        Math.round(100 * Records.number(each, "keptAt")),
                        "doneByLatestPercent",
                        Math.round(100 * Records.number(each, "keptBy"))))
                .toList();
        StringBuilder text = new StringBuilder(
                "Finish times of the last %d days (ideal: 50 %% of the jobs done by the".formatted(days)
                        + " likely time, 90 % by the latest time):");
        providers.forEach(each -> text.append("\n%s: of %s jobs, %s %% by the likely time, %s %% by the latest time"
                .formatted(
                        each.get("provider"),
                        each.get("jobs"),
                        each.get("doneByLikelyPercent"),
                        each.get("doneByLatestPercent"))));
        if (providers.isEmpty()) {
            text.append(" no job with an estimate was completed.");
        }
        return new ToolResult(text.toString(), Records.map("days", days, "providers", providers));
    }

    private static List<Map<String, Object>> worst(JsonNode rates) {
        return Records.list(rates).stream()
                .filter(rate -> Records.number(rate, "failed") > 0)
                .limit(MAX_FAILED)
                .map(rate -> Records.map(
                        "id",
                        Records.text(rate, "id"),
                        "name",
                        Records.text(rate, "name", "unknown"),
                        "failed",
                        (long) Records.number(rate, "failed"),
                        "completed",
                        (long) Records.number(rate, "completed")))
                .toList();
    }
}
