package farm.gantry.api.queue;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.wire.Command;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.LinkResponse;
import farm.gantry.wire.LinkRequest;
import farm.gantry.wire.SliceResult;
import farm.gantry.wire.SliceRequest;
import farm.gantry.wire.StageReport;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that messages of the last version, in queues, in the command table or at agents, stay readable, and that the
 * format of new ones is the same.
 */
final class MessageFormatTest {
    private static final ObjectMapper MAPPER = ObjectMapper.getDefault();
    private static final String SETUP = """
            {"machine": {"id": "7", "name": "A1", "inherits": "", "data": {"bed": 1}},
             "filaments": [{"id": "9", "name": "PLA", "inherits": "Generic", "data": {"flow": "0.98"}}],
             "use3MFProcessProfile": true, "arrangeable": false, "slicer": "slicer1"}""";

    static Stream<Arguments> messages() {
        return Stream.of(
                Arguments.of(IngestRequest.class, """
                        {"storeId": "s", "partId": "p", "workflowKey": "w", "attempt": 2, "type": "3mf",
                         "fileUris": ["files:a"], "fileHashes": ["b"], "setup": %s,
                         "acceptIncomplete": true}""".formatted(SETUP)),
                Arguments.of(StageReport.class, """
                        {"storeId": "s", "partId": "p", "workflowKey": "w",
                         "stage": {"key": "estimate", "status": "failed", "attempts": 2, "error": "no"},
                         "findings": {"type": "gcode", "thumbnailUri": "files:c", "gcodePlateUris": {"1": "files:d"},
                                      "warnings": ["w"]}}"""),
                Arguments.of(SliceRequest.class, """
                        {"storeId": "s", "sliceId": "j-1", "partId": "p", "type": "stl", "fileUris": ["files:a"],
                         "fileHashes": ["b"], "plateId": 2, "parameters": [], "setup": %s, "acceptsOneFilament": true}""".formatted(SETUP)),
                Arguments.of(SliceResult.class, """
                        {"storeId": "s", "sliceId": "j-1",
                         "sliced": {"gcodeUri": "files:g", "sha256": "b", "size": 5, "inputHash": "h", "cached": true,
                                    "estimate": {"estimatedPrintTimeSeconds": 60, "totalWeightGrams": 1.5,
                                                 "slicedAt": "2026-01-01T00:00:00.000Z", "slicerVersion": "slicer3 2.5",
                                                 "materials": [{"index": 0, "materialType": "PLA", "usedGrams": 1.5,
                                                                "usedMeters": 0.5}]},
                                    "warnings": ["w"]}}"""),
                Arguments.of(SliceResult.class, """
                        {"storeId": "s", "sliceId": "j-1", "error": "it does not fit"}"""),
                Arguments.of(LinkRequest.class, """
                        {"session": "a", "sequence": 4,
                         "reports": [{"deviceId": "d", "at": "2026-01-01T00:00:00Z", "state": {"status": "printing"}}],
                         "events": [{"sequence": 3, "at": "2026-01-01T00:00:00Z", "deviceId": "d", "kind": "jobCompleted",
                                     "jobId": "j", "attempt": 1, "elapsedSeconds": 60, "usedGrams": 1.5},
                                    {"sequence": 4, "at": "2026-01-01T00:00:00Z", "deviceId": "d", "kind": "commandFailed",
                                     "message": "jammed", "commandId": "c"}],
                         "acks": [{"commandId": "c", "outcome": "refused", "message": "busy"}],
                         "discovered": [{"deviceId": "e", "provider": "vendorA", "host": "10.0.0.2", "port": 80,
                                         "name": "E"}]}"""),
                Arguments.of(LinkResponse.class, """
                        {"ackSequence": 4, "pollAfterMs": 1000,
                         "printers": [{"printerId": "p", "deviceId": "d", "name": "D", "provider": "firmwareK",
                                       "capability": {"gcode": true}, "bindings": {"firmwareK": {}}}],
                         "commands": [{"commandId": "c", "deviceId": "d", "expiresAt": "2026-01-01T00:00:00Z",
                                       "action": {"type": "cancel", "jobId": "j", "attempt": 1}}]}"""),
                command("""
                        "type": "print", "jobId": "j", "attempt": 1, "fileName": "a.gcode", "url": "files:a", "size": 5,
                        "sha256": "b", "plateId": 1, "plateEntry": "g", "taskId": 7, "options": {"leveling": true},
                        "materialMapping": {"0": {"amsIndex": 0, "slotIndex": 1}}, "skipObjects": ["o"],
                        "heardSequence": 3"""),
                command("\"type\": \"pause\", \"jobId\": \"j\", \"attempt\": 1"),
                command("\"type\": \"resume\", \"jobId\": \"j\", \"attempt\": 1"),
                command("\"type\": \"send\", \"command\": \"gcode\", \"arguments\": {\"lines\": \"G28\"}"));
    }

    private static Arguments command(String action) {
        return Arguments.of(Command.class, """
                {"commandId": "c", "deviceId": "d", "expiresAt": "2026-01-01T00:00:00Z", "action": {%s}}""".formatted(action));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void formatIsCompatibleWithTheLastVersion(Class<?> type, String json) throws IOException {
        Object message = MAPPER.readValue(json, Argument.of(type));
        assertThat(tree(MAPPER.writeValueAsString(message))).isEqualTo(tree(json));
    }

    private static Object tree(String json) throws IOException {
        return MAPPER.readValue(json, Argument.mapOf(String.class, Object.class));
    }
}
