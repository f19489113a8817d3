package farm.gantry.api.part;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.RecordBuilder;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.fixture.Uploads;
import farm.gantry.api.queue.OutboxRows;
import farm.gantry.api.queue.QueueNames;
import farm.gantry.api.queue.RejectedRequestHandler;
import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata;
import farm.gantry.part.PartParameter;
import farm.gantry.part.Processing;
import farm.gantry.part.Processing.StageKey;
import farm.gantry.part.Processing.StageStatus;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.SliceSetup;
import farm.gantry.wire.StageReport;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the results that a worker reports for a part, and how they are stored. */
final class PartReportTest {
    private final SharedApi.Store store = SharedApi.newStore();
    private final Client client = Client.of(new Socket(), store.key());

    private static PartMetadata metadata(String printerModel) {
        return RecordBuilder.of(PartMetadata.class)
                .with(PartMetadata::filamentColors, List.of())
                .with(PartMetadata::filamentType, List.of("PLA"))
                .with(PartMetadata::nozzleDiameter, "0.4")
                .with(PartMetadata::printerModel, printerModel)
                .with(PartMetadata::profileCompat, new PartMetadata.ProfileCompat(List.of(), List.of(), ""))
                .build();
    }

    private static PartParameter number(String name, @Nullable Object value, Object defaultValue) {
        return RecordBuilder.of(PartParameter.class)
                .with(PartParameter::name, name)
                .with(PartParameter::type, PartParameter.Type.number)
                .with(PartParameter::value, value)
                .with(PartParameter::defaultValue, defaultValue)
                .build();
    }

    @Test
    void valuesSetDuringTheRunAreKept() {
        String part = client.made("/v1/parts", new Uploads(client).part("a.gcode", "gcode", ""));
        String run = String.valueOf(client.get("/v1/parts/" + part).at("processing.workflowKey"));
        client.patch(
                "/v1/parts/" + part,
                "{\"parameters\":[{\"name\":\"width\",\"type\":\"number\",\"value\":40},{\"name\":\"own\",\"type\":\"string\"}]}");
        SharedApi.bean(PartIngest.class)
                .apply(List.of(new StageReport(
                        store.id().value(),
                        part,
                        run,
                        new Processing.Stage(StageKey.READ_METADATA, StageStatus.done, 1, null),
                        StageReport.Findings.ofFile(
                                null,
                                null,
                                null,
                                List.of(number("width", 10, 10), number("depth", null, 5)),
                                null,
                                null))));
        Answer read = client.get("/v1/parts/" + part);
        assertThat(read.at("parameters[0].value")).hasToString("40");
        assertThat(read.at("parameters[0].default")).hasToString("10");
        assertThat(read.at("parameters[1].name")).isEqualTo("depth");
        assertThat(read.at("parameters[2].name")).isEqualTo("own");
    }

    @Test
    void requestRejectedByTheQueueFailsThePart() throws IOException {
        String part = client.made("/v1/parts", new Uploads(client).part("a.gcode", "gcode", ""));
        IngestRequest request = new IngestRequest(
                store.id().value(),
                part,
                String.valueOf(client.get("/v1/parts/" + part).at("processing.workflowKey")),
                1,
                Part.Type.gcode,
                List.of(),
                List.of(),
                List.of(),
                SliceSetup.PLAIN,
                false,
                List.of());
        String body = SharedApi.bean(ObjectMapper.class).writeValueAsString(request);
        RejectedRequestHandler requests = SharedApi.bean(RejectedRequestHandler.class);
        requests.fail(new OutboxRows.Message(store.id(), Id.next(), QueueNames.INGEST_HEAVY, body), "it is too large");
        Answer read = client.get("/v1/parts/" + part);
        assertThat(read.at("processingStatus")).isEqualTo("failed");
        assertThat(read.at("processing.error"))
                .isEqualTo("The request to read this file did not reach the worker: it is too large");
        requests.fail(new OutboxRows.Message(store.id(), Id.next(), QueueNames.INGEST_HEAVY, body), "it came again");
        assertThat(client.get("/v1/parts/" + part).at("processing.error"))
                .isEqualTo("The request to read this file did not reach the worker: it is too large");
    }

    @Test
    void changedProgramValuesAreRenderedAndEstimatedAgain() {
        String parameters = ",\"parameters\":[{\"name\":\"width\",\"type\":\"number\",\"value\":%s,\"label\":\"%s\"}]";
        String part =
                client.made("/v1/parts", new Uploads(client).part("a.scad", "scad", parameters.formatted("10", "w")));
        String first = run(part);
        assertThat(patched(part, parameters.formatted("10", "wide")))
                .as("the same values")
                .isEqualTo(first);
        assertThat(patched(part, parameters.formatted("40", "wide"))).isNotEqualTo(first);
        String model =
                client.made("/v1/parts", new Uploads(client).part("a.stl", "stl", parameters.formatted("10", "w")));
        String ofModel = run(model);
        assertThat(patched(model, parameters.formatted("40", "w"))).isEqualTo(ofModel);
    }

    private String run(String part) {
        return String.valueOf(client.get("/v1/parts/" + part).at("processing.workflowKey"));
    }

    private String patched(String part, String members) {
        Answer patched = client.patch("/v1/parts/" + part, "{" + members.substring(1) + "}");
        assertThat(patched.status()).as(patched.text()).isEqualTo(200);
        return run(part);
    }

    @Test
    void unstorableTextDoesNotBlockThePart() {
        String part = client.made("/v1/parts", new Uploads(client).part("a.gcode", "gcode", ""));
        String run = String.valueOf(client.get("/v1/parts/" + part).at("processing.workflowKey"));
        PartIngest ingest = SharedApi.bean(PartIngest.class);
        Arrays.stream(StageKey.values())
                .forEach(key -> ingest.apply(List.of(new StageReport(
                        store.id().value(),
                        part,
                        run,
                        new Processing.Stage(key, StageStatus.done, 1, null),
                        key == StageKey.READ_METADATA
                                ? StageReport.Findings.ofFile(
                                        null,
                                        metadata("Box\0"),
                                        List.of(new Part.PartMaterial(0, null, "GF\0", null, null, "PLA")),
                                        null,
                                        null,
                                        null)
                                : null))));
        Answer found = client.get("/v1/parts?metadata.printerModel=Box?");
        assertThat(found.status()).as(found.text()).isEqualTo(200);
        assertThat(found.each("id")).containsExactly(part);
        Answer built = client.post("/v2/builds", "{\"parts\":[{\"partId\":\"" + part + "\"}]}");
        assertThat(built.status()).as(built.text()).isEqualTo(201);
    }
}
