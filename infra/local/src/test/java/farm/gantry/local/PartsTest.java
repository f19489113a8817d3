package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.json.tree.JsonNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests valid and invalid part files from the upload to the stored result. */
@ExtendWith(SharedFarm.class)
@Execution(ExecutionMode.CONCURRENT)
class PartsTest {
    private static final int SHORT = 60;

    private final Farm farm;

    PartsTest(Farm farm) {
        this.farm = farm;
    }

    @Test
    void fileOfTheWrongTypeFailsWhenItIsFetched() throws Exception {
        JsonNode part = farm.createPart("stl", PrintFiles.twoPlates(farm.createFolder(), "no mesh"));
        JsonNode refused = farm.awaitFailed(FarmRequests.text(part, "id"));
        assertThat(FarmRequests.text(refused.get("processing"), "failedStage")).isEqualTo("fetch");
        assertThat(FarmRequests.text(refused.get("processing"), "error")).isNotBlank();
        assertThatThrownBy(() -> farm.build(FarmRequests.text(part, "id"), 1, Map.of()))
                .hasMessageContaining("409")
                .hasMessageContaining("refused");
    }

    @Test
    void brokenArchiveFailsWithTheCause() throws Exception {
        JsonNode part = farm.createPart("gcode3mf", PrintFiles.brokenArchive(farm.createFolder(), "torn"));
        JsonNode refused = farm.awaitFailed(FarmRequests.text(part, "id"));
        assertThat(FarmRequests.text(refused.get("processing"), "failedStage")).isEqualTo("read-metadata");
        assertThat(FarmRequests.text(refused.get("processing"), "error")).isNotBlank();
    }

    @Test
    void partWithAMissingUploadIsRejectedWithItsIndex() throws Exception {
        String path = farm.api().upload(PrintFiles.gcode(farm.createFolder(), "there", SHORT));
        String missing = path.replaceFirst("[^/]+$", "nowhere.gcode");
        assertThatThrownBy(() -> farm.api()
                        .post(
                                "/v1/parts",
                                Map.of("name", "nothing", "type", "gcode", "fileUris", List.of(path, missing))))
                .hasMessageContaining("400")
                .hasMessageContaining("fileUris[1]")
                .hasMessageNotContaining("fileUris[0]");
    }

    @Test
    void fileFromASlicerBecomesAPart() throws Exception {
        Path file = PrintFiles.gcode(farm.createFolder(), "sliced", SHORT);
        String form = "--limit\r\nContent-Disposition: form-data; name=\"print\"\r\n\r\nfalse\r\n"
                + "--limit\r\nContent-Disposition: form-data; name=\"file\"; filename=\"from-a-slicer.gcode\"\r\n\r\n"
                + Files.readString(file) + "\r\n--limit--\r\n";
        try (HttpClient slicer = HttpClient.newHttpClient()) {
            HttpResponse<String> stored = slicer.send(
                    HttpRequest.newBuilder(URI.create(farm.url() + "/print-hosts/any/api/files/local"))
                            .header("X-Api-Key", farm.key())
                            .header("Content-Type", "multipart/form-data; boundary=limit")
                            .POST(HttpRequest.BodyPublishers.ofString(form))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(stored.statusCode()).as(stored.body()).isEqualTo(201);
        }
        JsonNode part = farm.api().get("/v1/parts?name=from-a-slicer.gcode").get(0);
        assertThat(farm.awaitReady(FarmRequests.text(part, "id"))
                        .get("slicingEstimate")
                        .get("estimatedPrintTimeSeconds")
                        .getIntValue())
                .isEqualTo(SHORT);
    }

    @Test
    void replacedFileReplacesAllResultsOfTheOldFile() throws Exception {
        String part =
                FarmRequests.text(farm.createPart("gcode", PrintFiles.gcode(farm.createFolder(), "old", SHORT)), "id");
        replace(part, "middle");
        JsonNode ready = farm.awaitReady(part);
        assertThat(ready.get("processing").get("attempt").getIntValue()).isEqualTo(2);
        assertThat(ready.get("slicingEstimate").get("estimatedPrintTimeSeconds").getIntValue())
                .isEqualTo(SHORT + 1);
        String before = FarmRequests.text(ready.get("processing"), "workflowKey");

        String silent = farm.api().upload(PrintFiles.gcodeWithoutMetadata(farm.createFolder(), "silent"));
        farm.api().patch("/v1/parts/" + part, Map.of("fileUris", List.of(silent)));
        JsonNode replaced = farm.awaitReady(part);
        assertThat(FarmRequests.text(replaced.get("processing"), "workflowKey")).isNotEqualTo(before);
        assertThat(replaced.get("slicingEstimate").isNull())
                .as("an estimate of the file that was replaced")
                .isTrue();
    }

    private void replace(String part, String name) throws Exception {
        String path = farm.api().upload(PrintFiles.gcode(farm.createFolder(), name, SHORT + 1));
        farm.api().patch("/v1/parts/" + part, Map.of("fileUris", List.of(path)));
    }

    @Test
    void fileOfADeletedPartIsKeptForItsJob() throws Exception {
        try (FarmPrinter machine = farm.addPrinter("heir")) {
            String part = farm.readyGcode("deleted", SHORT);
            String job = farm.buildFor(machine, part);
            farm.api().delete("/v1/parts/" + part);
            assertThatThrownBy(() -> farm.part(part)).hasMessageContaining("404");
            machine.confirmBed();
            farm.awaitJob(job, "Completed");
        }
    }
}
