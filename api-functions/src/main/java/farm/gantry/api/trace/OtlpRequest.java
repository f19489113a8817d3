package farm.gantry.api.trace;

import farm.gantry.api.trace.StatusRows.StatusChange;
import farm.gantry.job.JobStatus;
import farm.gantry.version.ProductVersion;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request with spans in the JSON encoding of <a
 * href="https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding">OTLP</a>. Each started print is a trace, from
 * the request that built its job to its start at the printer, with a span for each status of the job and for each step of
 * the agent. Ids are hashes, so that a repeated request contains the same spans.
 */
final class OtlpRequest {
    private static final int INTERNAL = 1;
    private static final int TRACE_ID_LENGTH = 32;
    private static final int SPAN_ID_LENGTH = 16;
    private static final long NANOS = 1_000_000_000;

    private final List<Map<String, Object>> serverSpans = new ArrayList<>();
    private final List<Map<String, Object>> agentSpans = new ArrayList<>();

    Map<String, Object> body(String service) {
        return Map.of(
                "resourceSpans", List.of(resource(service, serverSpans), resource(service + "-agent", agentSpans)));
    }

    private static Map<String, Object> resource(String service, List<Map<String, Object>> spans) {
        return Map.of(
                "resource",
                Map.of("attributes", List.of(attribute("service.name", service))),
                "scopeSpans",
                List.of(Map.of(
                        "scope",
                        Map.of("name", "farm.gantry", "version", ProductVersion.CURRENT.text()),
                        "spans",
                        spans)));
    }

    /** Adds a print. The status before {@code Printing} ends when the agent saw the start. */
    void add(StartedPrint print, List<StatusChange> statuses) {
        String trace = hash(print.jobId() + "/" + print.attempt(), TRACE_ID_LENGTH);
        String root = hash(trace, SPAN_ID_LENGTH);
        Instant begin =
                statuses.isEmpty() ? print.startedAt() : statuses.getFirst().at();
        Instant end = print.startedAt();
        String last = root;
        for (int i = 0; i < statuses.size(); i++) {
            StatusChange status = statuses.get(i);
            String id = hash(trace + "/" + status.status() + i, SPAN_ID_LENGTH);
            if (isPrinting(status)) {
                end = status.at();
                serverSpans.add(span(trace, id, root, "report start", print.startedAt(), status.at(), List.of()));
                break;
            }
            boolean isLast = i + 1 == statuses.size() || isPrinting(statuses.get(i + 1));
            Instant until = isLast ? print.startedAt() : statuses.get(i + 1).at();
            serverSpans.add(span(trace, id, root, status.status(), status.at(), until, List.of()));
            last = id;
        }
        serverSpans.add(span(trace, root, null, "print", begin, end, attributes(print)));
        if (print.preparation() != null) {
            Instant downloaded = print.preparation().downloadedAt();
            Instant uploaded = print.preparation().uploadedAt();
            addStep(trace, last, "download", print.preparation().acceptedAt(), downloaded);
            addStep(trace, last, "upload", downloaded, uploaded);
            addStep(trace, last, "start", uploaded, print.startedAt());
        }
    }

    private void addStep(String trace, String parent, String name, @Nullable Instant from, @Nullable Instant to) {
        if (from != null && to != null) {
            agentSpans.add(span(trace, hash(trace + "/" + name, SPAN_ID_LENGTH), parent, name, from, to, List.of()));
        }
    }

    private static boolean isPrinting(StatusChange change) {
        return change.status().equals(JobStatus.Printing.wireName());
    }

    private static List<Map<String, Object>> attributes(StartedPrint print) {
        List<Map<String, Object>> attributes = new ArrayList<>(List.of(
                attribute("gantry.store.id", print.store().value()),
                attribute("gantry.part_build.id", print.partBuildId()),
                attribute("gantry.print_job.id", print.jobId()),
                attribute("gantry.print_job.attempt", String.valueOf(print.attempt()))));
        if (print.printerId() != null) {
            attributes.add(attribute("gantry.printer.id", print.printerId()));
        }
        return attributes;
    }

    private static Map<String, Object> attribute(String key, String value) {
        return Map.of("key", key, "value", Map.of("stringValue", value));
    }

    private static Map<String, Object> span(
            String trace,
            String id,
            @Nullable String parent,
            String name,
            Instant from,
            Instant to,
            List<Map<String, Object>> attributes) {
        Map<String, Object> span = new LinkedHashMap<>();
        span.put("traceId", trace);
        span.put("spanId", id);
        if (parent != null) {
            span.put("parentSpanId", parent);
        }
        span.put("name", name);
        span.put("kind", INTERNAL);
        span.put("startTimeUnixNano", nanos(from));
        span.put("endTimeUnixNano", nanos(to.isBefore(from) ? from : to)); // the clocks of agent and server may differ
        span.put("attributes", attributes);
        span.put("status", Map.of());
        return span;
    }

    private static String nanos(Instant time) {
        return String.valueOf(Math.addExact(Math.multiplyExact(time.getEpochSecond(), NANOS), time.getNano()));
    }

    private static String hash(String text, int length) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, length);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
