package farm.gantry.api;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.RecordBuilder;
import farm.gantry.api.part.PartIngest;
import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata;
import farm.gantry.part.Processing;
import farm.gantry.part.Processing.StageKey;
import farm.gantry.part.Processing.StageStatus;
import farm.gantry.wire.StageReport;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a worker reports of a part, and what is kept of it. */
final class PartReportTest {
    private final SharedApi.Store store = SharedApi.newStore();
    private final Client client = Client.of(new Socket(), store.key());

    private static PartMetadata metadata(String printerModel) {
        return RecordBuilder.of(PartMetadata.class)
                .with("filamentColors", List.of())
                .with("filamentType", List.of("PLA"))
                .with("nozzleDiameter", "0.4")
                .with("printerModel", printerModel)
                .with("profileCompat", new PartMetadata.ProfileCompat(List.of(), List.of(), ""))
                .build();
    }

    @Test
    void aTextThatCannotBeStoredDoesNotKeepAPartFromBeingFoundOrBuilt() {
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
                                ? StageReport.Findings.read(
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
