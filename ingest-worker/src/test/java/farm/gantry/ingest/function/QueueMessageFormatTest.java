package farm.gantry.ingest.function;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import farm.gantry.json.Json;
import farm.gantry.part.Part;
import farm.gantry.part.Processing.StageKey;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.SliceResult;
import farm.gantry.wire.SliceRequest;
import farm.gantry.wire.StageReport;
import io.micronaut.core.type.Argument;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Fixes the JSON of messages, because some wait in a queue while a new version is deployed. */
class QueueMessageFormatTest {
    private static final String INGEST_REQUEST = """
            {
              "storeId": "ssssssssssssssssssssssss",
              "partId": "pppppppppppppppppppppppp",
              "workflowKey": "wwwwwwwwwwwwwwwwwwwwwwww",
              "attempt": 2,
              "type": "3mf",
              "fileUris": ["gantry://files/part.3mf"],
              "fileHashes": ["00ff"],
              "parameters": [{
                "name": "lid", "type": "boolean", "value": true, "default": false, "label": "Lid", "group": "Box"
              }],
              "setup": {
                "machine": {"id": "m1", "name": "MK4", "inherits": "", "data": {"nozzle_diameter": "0.4"}},
                "filaments": [{"id": "f1", "name": "PLA", "inherits": "Generic PLA", "data": {}, "slicer": "slicer3"}],
                "use3MFProcessProfile": true,
                "arrangeable": false,
                "slicer": "slicer3"
              },
              "acceptIncomplete": true,
              "otherSetups": [{"filaments": [], "use3MFProcessProfile": false, "arrangeable": true}]
            }""";

    private static final String SLICE_REQUEST = """
            {
              "storeId": "ssssssssssssssssssssssss",
              "sliceId": "jjjjjjjjjjjjjjjjjjjjjjjj",
              "partId": "pppppppppppppppppppppppp",
              "type": "stl",
              "fileUris": ["gantry://files/part.stl"],
              "fileHashes": ["00ff"],
              "plateId": 3,
              "parameters": [],
              "setup": {"filaments": [], "use3MFProcessProfile": false, "arrangeable": true},
              "acceptsOneFilament": true
            }""";

    private static final String ESTIMATE = """
            {
              "estimatedPrintTimeSeconds": 60,
              "totalWeightGrams": 1.5,
              "slicedAt": "2026-05-04T12:00:00.000Z",
              "slicerVersion": "PrusaSlicer 2.8.0",
              "materials": [{
                "index": 0, "materialType": "PLA", "usedGrams": 1.5, "usedMeters": 0.5, "color": "#FF0000"
              }],
              "layerCount": 12,
              "firstLayer": {"bedTemperature": 60.5, "nozzleTemperature": 215.5}
            }""";

    private static final String STAGE_REPORT = """
            {
              "storeId": "ssssssssssssssssssssssss",
              "partId": "pppppppppppppppppppppppp",
              "workflowKey": "wwwwwwwwwwwwwwwwwwwwwwww",
              "stage": {"key": "read-metadata", "status": "failed", "attempts": 4, "error": "The file is broken"},
              "findings": {
                "type": "gcode",
                "mesh": {"uri": "gantry://files/mesh.stl", "sourceHash": "00ff"},
                "size": {"x": 1.5, "y": 2.5, "z": 3.5},
                "thumbnailUri": "gantry://files/thumbnail.png",
                "gcodePlateUris": {"1": "gantry://files/plate_1.gcode.3mf"},
                "slicingEstimate": %s,
                "warnings": ["The print time cannot be"]
              }
            }""".formatted(ESTIMATE);

    private static final String SLICE_ANSWER = """
            {
              "storeId": "ssssssssssssssssssssssss",
              "sliceId": "jjjjjjjjjjjjjjjjjjjjjjjj",
              "sliced": {
                "gcodeUri": "gantry://files/plate_1.gcode",
                "sha256": "00ff",
                "size": 1000,
                "inputHash": "ff00",
                "cached": true,
                "estimate": %s,
                "warnings": ["A font is missing"]
              },
              "error": "The file is broken"
            }""".formatted(ESTIMATE);

    /** Reads the message and checks that it is written back as the same JSON. */
    private static <T> T roundTrip(String json, Class<T> type) throws IOException {
        T message = Objects.requireNonNull(IngestFunction.MAPPER.readValue(json, Argument.of(type)));
        assertThat(Json.tree(IngestFunction.MAPPER.writeValueAsString(message))).isEqualTo(Json.tree(json));
        return message;
    }

    @Test
    void ingestRequestKeepsItsFormat() throws IOException {
        IngestRequest request = roundTrip(INGEST_REQUEST, IngestRequest.class);
        assertThat(request.type()).isEqualTo(Part.Type.THREE_MF);
        assertThat(request.parameters().getFirst().effectiveValue()).isEqualTo(true);
        assertThat(Objects.requireNonNull(request.setup()).slicer()).isEqualTo("slicer3");
        assertThat(request.acceptIncomplete()).isTrue();
    }

    @Test
    void sliceRequestKeepsItsFormat() throws IOException {
        SliceRequest request = roundTrip(SLICE_REQUEST, SliceRequest.class);
        assertThat(request.plateId()).isEqualTo(3);
        assertThat(request.setup().arrangeable()).isTrue();
    }

    @Test
    void stageReportKeepsItsFormat() throws IOException {
        StageReport report = roundTrip(STAGE_REPORT, StageReport.class);
        assertThat(report.stage().key()).isEqualTo(StageKey.READ_METADATA);
        assertThat(Objects.requireNonNull(report.findings()).gcodePlateUris()).containsOnlyKeys("1");
    }

    @Test
    void sliceAnswerKeepsItsFormat() throws IOException {
        SliceResult answer = roundTrip(SLICE_ANSWER, SliceResult.class);
        assertThat(Objects.requireNonNull(answer.sliced()).cached()).isTrue();
        assertThat(answer.error()).isEqualTo("The file is broken");
    }

    /** The configuration of deployed functions contains the name of this class. */
    @Test
    void handlerClassKeepsItsName() throws ClassNotFoundException {
        assertThat(Class.forName("farm.gantry.ingest.function.IngestFunction"))
                .isAssignableTo(RequestStreamHandler.class);
    }
}
