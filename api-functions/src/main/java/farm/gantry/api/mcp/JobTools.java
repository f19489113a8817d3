package farm.gantry.api.mcp;

import farm.gantry.Id;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.mcp.McpTool.Effect;
import farm.gantry.api.mcp.McpTool.ToolResult;
import io.micronaut.json.tree.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tools about print jobs. */
final class JobTools {
    private static final String JOBS = "/v1/print-jobs";
    private static final int MAX_JOBS = 100;
    private static final int DEFAULT_JOBS = 25;
    private static final int MAX_NAMES = 10;
    private static final int MAX_COPIES = 500;
    private static final int LOW_PRIORITY = 1000;
    private static final ToolArgument JOB = ToolArgument.text("job", "The id of the job, as list_jobs returns it.")
            .asRequired();

    /** Statuses by what a person asks for, with the order of the list. */
    private record Selection(String statuses, String sort) {}

    private static final Map<String, Selection> SELECTIONS = new TreeMap<>(Map.of(
            "printing", new Selection("Sending-to-printer,Printing,Paused", "printingStartedAt"),
            "waiting",
                    new Selection(
                            "Pending,Assigned,Slicing,Sliced,Finalizing,Waiting-for-approval,Ready-for-printer",
                            "priority,queueOrder"),
            "completed", new Selection("Completed", "printingCompletedAt:desc"),
            "failed", new Selection("Failed", "updatedAt:desc")));

    static final List<McpTool> ALL = List.of(
            new McpTool(
                    "list_jobs",
                    "List print jobs",
                    "Lists print jobs: what is printing now (the default), what waits in the queue, or what was completed or failed last.",
                    Effect.READ,
                    List.of(
                            ToolArgument.choice("state", "Which jobs to list.", List.copyOf(SELECTIONS.keySet())),
                            ToolArgument.number("limit", "How many jobs to list at most.", 1, MAX_JOBS)),
                    List.of(Operation.get(JOBS)),
                    JobTools::list),
            new McpTool(
                    "explain_job",
                    "Explain why a job waits",
                    "Explains why a job waits: what each printer lacks to take it, and when it is likely done.",
                    Effect.READ,
                    List.of(JOB),
                    List.of(
                            Operation.get(JOBS + "/id"),
                            Operation.get(JOBS + "/id/matching-details"),
                            Operation.get(JOBS + "/id/promise")),
                    JobTools::explain),
            new McpTool(
                    "queue_copies",
                    "Queue copies",
                    "Queues copies of a SKU or a part. A printer takes each as soon as one suits it and its bed is clear.",
                    Effect.CHANGE,
                    List.of(
                            ToolArgument.text(
                                    "sku", "The SKU to print, by its code or its id. Give either sku or part."),
                            ToolArgument.text("part", "The part to print, by its name or its id."),
                            ToolArgument.number("quantity", "How many copies to print; 1 by default.", 1, MAX_COPIES),
                            ToolArgument.text(
                                    "printer",
                                    "The only printer that may print them, by its name or its id; any by default."),
                            ToolArgument.flag(
                                    "lowPriority", "Whether to print them only when a printer is idle otherwise."),
                            ToolArgument.text(
                                    ToolCalls.REQUEST_ID,
                                    "A text that differs in each request. A call that is repeated with the same requestId"
                                            + " returns the first result and queues nothing again.")),
                    List.of(Operation.post("/v2/builds")),
                    JobTools::queue),
            new McpTool(
                    "pause_job",
                    "Pause a print",
                    "Pauses a print. Its printer stops within seconds and keeps its place in the print.",
                    Effect.CHANGE,
                    List.of(JOB),
                    List.of(Operation.patch(JOBS + "/pause")),
                    call -> change(call, "pause", "is asked to pause")),
            new McpTool(
                    "resume_job",
                    "Resume a paused print",
                    "Resumes a paused print.",
                    Effect.CHANGE,
                    List.of(JOB),
                    List.of(Operation.patch(JOBS + "/resume")),
                    call -> change(call, "resume", "is asked to resume")),
            new McpTool(
                    "cancel_job",
                    "Cancel a job",
                    "Cancels a job for good. If it is printing, its printer stops and the print is lost.",
                    Effect.DESTROY,
                    List.of(JOB),
                    List.of(Operation.patch(JOBS + "/cancel")),
                    call -> change(call, "cancel", "is cancelled")));

    private JobTools() {}

    static ToolResult list(ToolCall call) {
        String state = call.findText("state").orElse("printing");
        Selection selection = Objects.requireNonNull(SELECTIONS.get(state));
        JsonNode page = call.api()
                .get(
                        JOBS,
                        Map.of(
                                "status.in",
                                selection.statuses(),
                                "hidden",
                                "false",
                                "sort",
                                selection.sort(),
                                "limit",
                                String.valueOf(call.number("limit", DEFAULT_JOBS)),
                                "meta",
                                "true",
                                "fields",
                                "id,partName,skuName,label,status,assignedPrinterId,printingStartedAt,"
                                        + "printingCompletedAt,promisedAt,promisedBy,errorMessage,orderId"));
        List<JsonNode> jobs = Records.list(page.get("data"));
        Map<String, String> printers = Records.printerNames(
                call.api(),
                jobs.stream()
                        .flatMap(job -> Stream.ofNullable(Records.text(job, "assignedPrinterId")))
                        .distinct()
                        .toList());
        List<Map<String, Object>> data = jobs.stream()
                .map(job -> Records.map(
                        "job", Records.text(job, "id"),
                        "part", Records.text(job, "partName"),
                        "sku", Records.text(job, "skuName"),
                        "label", Records.text(job, "label"),
                        "status", Records.text(job, "status"),
                        "printer", printerName(job, printers),
                        "order", Records.text(job, "orderId"),
                        "startedAt", Records.time(job, "printingStartedAt"),
                        "endedAt", Records.time(job, "printingCompletedAt"),
                        "likelyDoneAt", Records.time(job, "promisedAt"),
                        "latestDoneAt", Records.time(job, "promisedBy"),
                        "error", Records.text(job, "errorMessage")))
                .toList();
        long total = (long) Records.number(page.get("meta"), "total");
        StringBuilder text = new StringBuilder((total == 1 ? "1 job is " : total + " jobs are ") + state + ".");
        data.forEach(job -> text.append('\n').append(line(job)));
        if (total > data.size()) {
            text.append("\nThese are the first ").append(data.size()).append('.');
        }
        return new ToolResult(text.toString(), Map.of("total", total, "jobs", data));
    }

    private static @Nullable String printerName(JsonNode job, Map<String, String> names) {
        String id = Records.text(job, "assignedPrinterId");
        return id == null ? null : names.getOrDefault(id, id);
    }

    private static String line(Map<String, Object> job) {
        StringBuilder line = new StringBuilder("- " + job.get("part"));
        Records.append(line, " on ", job.get("printer"));
        Records.append(line, ": ", job.get("status"));
        Records.append(line, ", likely done ", job.get("likelyDoneAt"));
        Records.append(line, ", ended ", job.get("endedAt"));
        Records.append(line, ", ", job.get("error"));
        Records.append(line, " (job ", job.get("job"));
        return line.append(')').toString();
    }

    private static ToolResult explain(ToolCall call) {
        String id = call.text("job");
        JsonNode job = findJob(call);
        JsonNode promise = call.api().get(JOBS + "/" + id + "/promise", Map.of());
        JsonNode details =
                call.api().get(JOBS + "/" + id + "/matching-details", Map.of()).get("details");
        List<String> waits = Records.texts(promise.get("waits"), "text");
        Map<String, List<String>> printersByReason = new LinkedHashMap<>();
        details.entries()
                .forEach(entry -> printersByReason
                        .computeIfAbsent(Records.text(entry.getValue(), "reason", ""), _ -> new ArrayList<>())
                        .add(Records.text(entry.getValue().get("data"), "printerName", entry.getKey())));
        Map<String, Object> data = Records.map(
                "job", id,
                "part", Records.text(job, "partName"),
                "status", Records.text(job, "status"),
                "error", Records.text(job, "errorMessage"),
                "likelyDoneAt", Records.time(promise, "promisedAt"),
                "latestDoneAt", Records.time(promise, "promisedBy"),
                "waits", waits,
                "printers", printersByReason);
        StringBuilder text = new StringBuilder(data.get("part") + " is " + data.get("status") + ".");
        Records.append(text, " Likely done: ", data.get("likelyDoneAt"));
        waits.forEach(wait -> text.append("\n- ").append(wait));
        if (printersByReason.isEmpty()) {
            text.append("\nThe store has no printer.");
        }
        printersByReason.forEach((reason, names) -> text.append('\n')
                .append(String.join(", ", names.subList(0, Math.min(names.size(), MAX_NAMES))))
                .append(names.size() > MAX_NAMES ? " and " + (names.size() - MAX_NAMES) + " more" : "")
                .append(": ")
                .append(reason));
        return new ToolResult(text.toString(), data);
    }

    private static JsonNode findJob(ToolCall call) {
        String id = call.text("job");
        if (!id.matches(Id.PATTERN)) {
            throw ProblemException.invalid(
                    "job", "invalid", "job must be the id of a job, 24 letters and digits; list_jobs returns it");
        }
        return call.api().get(JOBS + "/" + id, Map.of());
    }

    private static ToolResult queue(ToolCall call) {
        if (call.findText("sku").isPresent() == call.findText("part").isPresent()) {
            throw ProblemException.invalid("sku", "required", "sku or part is required, and not both");
        }
        Map<String, Object> wish = new LinkedHashMap<>();
        wish.put("quantity", call.number("quantity", 1));
        if (call.flag("lowPriority")) {
            wish.put("priority", LOW_PRIORITY);
        }
        call.findText("printer")
                .map(printer -> Records.find(call.api(), "printer", "/v1/printers", "name", printer))
                .ifPresent(printer -> wish.put("tags", Map.of("printer.id", Records.text(printer, "id", ""))));
        call.findText("sku").ifPresent(sku -> wish.put(sku.matches(Id.PATTERN) ? "skuId" : "sku", sku));
        call.findText("part").ifPresent(part -> wish.put("partId", partId(call, part)));
        boolean isSku = call.findText("sku").isPresent();
        JsonNode queued = call.api().post("/v2/builds", Map.of(isSku ? "skus" : "parts", List.of(wish)));
        JsonNode waits = queued.get("waitsFor");
        String reason = waits == null || waits.isNull() ? null : Records.text(waits, "reason");
        Map<String, Object> data = Records.map(
                "builds",
                Records.list(queued.get("partBuilds")).stream()
                        .map(build -> Records.map(
                                "build", Records.text(build, "id"),
                                "part", Records.text(build, "partName"),
                                "quantity", (long) Records.number(build, "quantity")))
                        .toList(),
                "waitsFor",
                reason);
        StringBuilder text = new StringBuilder("Queued " + wish.get("quantity") + " of "
                + call.findText("sku").or(() -> call.findText("part")).orElse("") + ".");
        Records.append(text, " The first job waits: ", reason);
        return new ToolResult(text.toString(), data);
    }

    private static String partId(ToolCall call, String part) {
        return part.matches(Id.PATTERN)
                ? part
                : Records.text(Records.find(call.api(), "part", "/v1/parts", "name", part), "id", "");
    }

    private static ToolResult change(ToolCall call, String action, String done) {
        String id = call.text("job");
        JsonNode job = call.api().isPermitted(Operation.get(JOBS + "/id")) ? findJob(call) : JsonNode.nullNode();
        JsonNode changed = call.api().patch(JOBS + "/" + action, Map.of("printJobIds", List.of(id)));
        if (changed.size() == 0) {
            throw ProblemException.conflict("job: nothing was changed, because the job "
                    + (job.isNull() ? "is in another state" : "is " + Records.text(job, "status"))
                    + "; call list_jobs for the jobs that can be changed");
        }
        String name = job.isNull() ? "The job" : Records.text(job, "partName", "The job");
        return new ToolResult(name + " " + done + ".", Map.of("job", id, "done", true));
    }
}
