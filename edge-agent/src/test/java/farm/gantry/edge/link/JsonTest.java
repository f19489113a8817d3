package farm.gantry.edge.link;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.FakeApi;
import farm.gantry.json.Json;
import farm.gantry.json.MergePatch;
import farm.gantry.json.Tree;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkRequest;
import farm.gantry.wire.LinkResponse;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonTest {

    @Test
    void everyCommandActionRoundTripsThroughJson() throws Exception {
        List<Command.Action> actions = List.of(
                new Command.Print(
                        "j",
                        2,
                        "f",
                        "u",
                        3,
                        "00",
                        null,
                        "Metadata/plate_1.gcode",
                        1,
                        Map.of("a", "b"),
                        null,
                        null,
                        null),
                new Command.Pause("j", 1),
                new Command.Resume("j", 1),
                new Command.Cancel("j", 1),
                new Command.Send("gcode", Map.of("lines", List.of("G28"))));
        for (Command.Action action : actions) {
            Command command = new Command("c", "d", Instant.EPOCH, action);
            assertThat(Json.read(Json.write(command), Command.class)).isEqualTo(command);
        }
    }

    @Test
    void printerConfigurationRoundTripsWithItsSecrets() throws Exception {
        LinkResponse answer = new LinkResponse(1, List.of(FakeApi.firmwareK("k1", 7125, "secret")), List.of(), 0);
        assertThat(Json.read(Json.write(answer), LinkResponse.class)).isEqualTo(answer);
    }

    /** A newer server sends fields that this agent does not know. */
    @Test
    void unknownFieldsOfAResponseAreIgnored() throws Exception {
        LinkResponse answer = Json.read(
                "{\"ackSequence\":7,\"commands\":[],\"pollAfterMs\":5,\"fieldOfANewerServer\":{\"a\":[1]}}",
                LinkResponse.class);
        assertThat(answer).isEqualTo(new LinkResponse(7, null, List.of(), 5));
    }

    @Test
    void nullsAndEmptyListsOfAReportAreWritten() {
        Map<String, @Nullable Object> state = new HashMap<>();
        state.put("job", null);
        state.put("errors", List.of());
        String text = Json.write(new LinkRequest.Report("k1", Instant.EPOCH, Tree.object(state)));
        assertThat(text).contains("\"job\":null").contains("\"errors\":[]");
    }

    @Test
    void mergePatchTurnsTheOldTreeIntoTheNewOne() throws Exception {
        Map<String, Object> before = Json.tree("{\"a\":1,\"b\":{\"c\":2,\"d\":[1]},\"e\":\"x\"}");
        Map<String, Object> after = Json.tree("{\"a\":1,\"b\":{\"c\":3,\"d\":[]},\"f\":null}");
        Map<String, @Nullable Object> patch = MergePatch.between(before, after);
        assertThat(Json.write(patch)).isEqualTo("{\"e\":null,\"b\":{\"c\":3,\"d\":[]}}");
        assertThat(MergePatch.apply(before, patch)).isEqualTo(Json.tree("{\"a\":1,\"b\":{\"c\":3,\"d\":[]}}"));
    }
}
