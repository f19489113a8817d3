package farm.gantry.local;

import farm.gantry.Id;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Requests to a farm's API for parts, builds and jobs, for tests and demos. */
public interface FarmRequests {
    FarmApiClient api();

    /** Sends a request that may fail, without a retry. */
    default FarmApiClient.Reply attempt(String method, String path, Object body) throws IOException {
        return api().attempt(method, path, body, Id.next());
    }

    /** Uploads the file and creates a part, which is not processed yet. */
    default JsonNode createPart(String type, Path file) throws IOException {
        String path = api().upload(file);
        return api().post(
                        "/v1/parts",
                        Map.of("name", file.getFileName().toString(), "type", type, "fileUris", List.of(path)));
    }

    default JsonNode part(String id) throws IOException {
        return api().get("/v1/parts/" + id);
    }

    default JsonNode awaitReady(String partId) {
        return Eventually.see(
                "the part is ready",
                () -> part(partId),
                part -> part.get("processingStatus").isNull());
    }

    default JsonNode awaitFailed(String partId) {
        return Eventually.see(
                "the part is refused", () -> part(partId), part -> is(part, "processingStatus", "failed"));
    }

    /** Returns the content type with which a stored file is served. */
    default String contentType(String fileUri) throws IOException {
        JsonNode signed = api().post("/v1/storage/signed-urls", Map.of("paths", List.of(fileUri)));
        return URI.create(signed.get("signedUrls").get(0).getStringValue())
                .toURL()
                .openConnection()
                .getContentType();
    }

    /** Registers the simulated printer at a port of this machine with an agent, and returns its id. */
    default String register(String name, List<String> tags, int simulatorPort, String agent) throws IOException {
        Map<String, Object> metadata = Map.of(
                "provider",
                "firmwareK",
                "extruder_count",
                1,
                "nozzle_diameter",
                0.4,
                "server_port",
                simulatorPort,
                "server_host",
                "127.0.0.1");
        Map<String, Object> printer = Map.of(
                "name",
                name,
                "nozzleDiameter",
                "0.4",
                "commMethod",
                "fuse",
                "provider",
                "firmwareK",
                "deviceId",
                "device-" + Id.next(),
                "proxyClientId",
                agent,
                "tags",
                tags,
                "metadata",
                metadata);
        return FarmRequests.text(api().put("/v1/printers", List.of(printer)).get(0), "id");
    }

    /** Returns a part that is ready to print. */
    default String readyPart(String type, Path file) throws IOException {
        return text(awaitReady(text(createPart(type, file), "id")), "id");
    }

    /** Queues copies of a part for printers with these tags, and returns the ids of the jobs in queue order. */
    default List<String> build(String partId, int quantity, Map<String, String> tags) throws IOException {
        JsonNode built = api().post(
                        "/v2/builds",
                        Map.of("parts", List.of(Map.of("partId", partId, "quantity", quantity, "tags", tags))));
        String buildId = text(built.get("partBuilds").get(0), "id");
        return fieldValues(api().get("/v1/print-jobs?sort=queueOrder&partBuildId=" + buildId), "id");
    }

    /** Queues one copy for one printer. */
    default String buildFor(FarmPrinter machine, String partId) throws IOException {
        return build(partId, 1, Map.of("printer.id", machine.id())).getFirst();
    }

    default JsonNode job(String id) throws IOException {
        return api().get("/v1/print-jobs/" + id);
    }

    /** Waits for a status of the job; on a timeout, reports why the job waits. */
    default JsonNode awaitJob(String id, String status) throws IOException {
        try {
            return Eventually.see("the job is " + status, () -> job(id), job -> is(job, "status", status));
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "; why: " + explainWaiting(id), e);
        }
    }

    private String explainWaiting(String job) {
        try {
            JsonNode printers = api().get("/v1/print-jobs/" + job + "/matching-troubleshoot")
                    .get("printers");
            StringBuilder failed = new StringBuilder();
            for (Map.Entry<String, JsonNode> printer : printers.entries()) {
                failed.append(text(api().get("/v1/printers/" + printer.getKey()), "name"))
                        .append(StreamSupport.stream(printer.getValue().values().spliterator(), false)
                                .filter(check -> is(check, "passed", false))
                                .map(check -> text(check, "code"))
                                .toList())
                        .append(' ');
            }
            return failed.toString();
        } catch (IOException e) {
            return "the API does not answer: " + e.getMessage();
        }
    }

    /** Controls a job; the verb is {@code pause}, {@code resume}, {@code cancel} or {@code retry}. */
    default void controlJob(String verb, String jobId) throws IOException {
        api().patch("/v1/print-jobs/" + verb, Map.of("printJobIds", List.of(jobId)));
    }

    static String text(JsonNode node, String field) {
        return node.get(field).getStringValue();
    }

    /** Returns that field of each record of a list. */
    static List<String> fieldValues(JsonNode list, String field) {
        return StreamSupport.stream(list.values().spliterator(), false)
                .map(record -> text(record, field))
                .toList();
    }

    static boolean is(JsonNode record, String field, @Nullable Object value) {
        JsonNode found = record.get(field);
        return found != null && Objects.equals(found.getValue(), value);
    }

    static String describe(JsonNode node) {
        try {
            return FarmApiClient.toJson(node);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
