package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.printer.command.CommandRows;
import io.micronaut.json.tree.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the commands that people send to printers. */
public interface PrinterCommandContract {
    String TWO_TOOLS = """
            , "printerCapabilityPatch": {
                "tools": [{"ref": "tool0", "label": "Tool 0", "kind": "tool"}, {"ref": "tool1", "label": "Tool 1", "kind": "tool"}],
                "fans": [{"ref": "aux", "label": "Auxiliary fan", "kind": "auxiliary"}]}""";

    Host host();

    private static Answer send(FakeAgent fakeAgent, String printer, String command) {
        return fakeAgent
                .client()
                .post("/v1/printer-commands/send", "{\"ids\":[\"" + printer + "\"],\"command\":{" + command + "}}");
    }

    @Test
    default void commandIsRejectedWithTheKnownTypesWhenItsTypeIsUnknown() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        String printer = fakeAgent.printer("K", "");
        String command = "\"command\":\"set-temperature\",\"temperature\":60";
        assertThat(send(fakeAgent, printer, command + ",\"type\":\"room\"").at("details[0].message"))
                .isEqualTo("command.type must be one of nozzle, bed, chamber");
        assertThat(send(fakeAgent, printer, command).at("details[0].message"))
                .isEqualTo("command.type is required, as set-temperature takes it");
        assertThat(send(fakeAgent, printer, "\"command\":\"gcode\",\"lines\":[]")
                        .at("details[0].message"))
                .isEqualTo("command.lines must be a text or an array of texts, and not empty");
    }

    @Test
    default void commandIsRedeliveredUntilAcknowledged() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        String printer = fakeAgent.printer("K", "");
        Answer sent = send(fakeAgent, printer, "\"command\":\"set-temperature\",\"type\":\"bed\",\"temperature\":60");
        assertThat(sent.status()).as(sent.text()).isEqualTo(201);
        assertThat(sent.text()).isEqualTo("[\"" + printer + "\"]");
        Answer response = fakeAgent.exchange();
        assertThat(response.at("commands[0].action.type")).isEqualTo("send");
        assertThat(response.at("commands[0].action.command")).isEqualTo("set-temperature");
        assertThat(response.at("commands[0].action.arguments.type")).isEqualTo("bed");
        Map<String, ?> taken =
                Map.of("commandId", String.valueOf(response.at("commands[0].commandId")), "outcome", "taken");
        assertThat(fakeAgent
                        .exchange(List.of(), List.of(taken), List.of())
                        .json()
                        .get("commands")
                        .size())
                .isZero();
    }

    @Test
    default void oneResponseHasAtMostAHundredCommandsAndBeginsWithEmergencyStops() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        String printer = fakeAgent.printer("K", "");
        for (int i = 0; i < CommandRows.MAX_IN_RESPONSE; i++) {
            assertThat(send(fakeAgent, printer, "\"command\": \"set-fan\", \"type\": \"part\", \"speed\": " + i)
                            .status())
                    .isEqualTo(201);
        }
        send(fakeAgent, printer, "\"command\": \"emergency-stop\"");
        Answer first = fakeAgent.exchange();
        assertThat(first.at("commands[0].action.command")).isEqualTo("emergency-stop");
        assertThat(speeds(first))
                .isEqualTo(IntStream.range(0, CommandRows.MAX_IN_RESPONSE - 1)
                        .<Object>mapToObj(speed -> speed)
                        .toList());
        Answer next = fakeAgent.exchange(List.of(), takes(first), List.of());
        assertThat(speeds(next)).containsExactly(CommandRows.MAX_IN_RESPONSE - 1);
        assertThat(speeds(fakeAgent.exchange(List.of(), takes(next), List.of())))
                .isEmpty();
    }

    private static List<Object> speeds(Answer response) {
        return commands(response)
                .map(command -> Answer.at(command, "action.arguments.speed"))
                .filter(Integer.class::isInstance)
                .toList();
    }

    private static List<Map<String, ?>> takes(Answer response) {
        return commands(response)
                .<Map<String, ?>>map(command ->
                        Map.of("commandId", String.valueOf(Answer.at(command, "commandId")), "outcome", "taken"))
                .toList();
    }

    private static Stream<JsonNode> commands(Answer response) {
        return StreamSupport.stream(response.json().get("commands").values().spliterator(), false);
    }

    @Test
    default void unsupportedCommandIsRejectedWithThePrintersName() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        String able = fakeAgent.printer("able", "");
        String unable = fakeAgent.printer("unable", ", \"printerCapabilityPatch\": {\"lights\": []}");
        Answer refused = fakeAgent.client().post("/v1/printer-commands/send", """
                {"ids": ["%s", "%s"], "command": {"command": "led-control", "light": "light", "state": true}}""".formatted(able, unable));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.at("details[0].path")).isEqualTo("ids[1]");
        assertThat(String.valueOf(refused.at("details[0].message")))
                .contains("unable")
                .contains("light");
        assertThat(fakeAgent.exchange().json().get("commands").size()).isZero();
    }

    /** Options for prints do not imply that the printer supports calibration. */
    @Test
    default void calibrationIsRejectedWithoutGcodeSupport() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        String choice = "{\"ref\": \"level\", \"label\": \"Level\", \"kind\": \"flag\"}";
        String printer = fakeAgent.printer(
                "still", ", \"printerCapabilityPatch\": {\"gcode\": false, \"printOptions\": [" + choice + "]}");
        Answer refused = send(fakeAgent, printer, "\"command\":\"calibration\",\"option_value\":\"BED_MESH\"");
        assertThat(refused.at("details[0].path")).isEqualTo("ids[0]");
        assertThat(String.valueOf(refused.at("details[0].message"))).contains("calibration");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "vendorP | \"password\": \"maker\", \"nozzle_diameter\": 0.4"
                        + " | set-temperature, load-filament, select-tool, refresh-slot, calibration, set-fan, home-axis, gcode, emergency-stop",
                "vendorB | \"api_key\": \"octopus\", \"host\": \"octopi\", \"port\": 80"
                        + " | load-filament, unload-filament, refresh-slot, calibration, led-control",
                "sdcp | \"nozzle_diameter\": 0.4"
                        + " | load-filament, select-tool, refresh-slot, calibration, gcode, extrude-filament, emergency-stop, firmware-restart",
                "elegoo-mqtt | \"nozzle_diameter\": 0.4 | load-filament, select-tool, calibration, gcode, skip-objects",
                "anycubic | \"nozzle_diameter\": 0.4 | unload-filament, select-tool, calibration, gcode, skip-objects"
            })
    default void commandUnsupportedByTheProviderIsRejected(String make, String metadata, String commands) {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        String printer = fakeAgent.printer(make, "\"provider\": \"" + make + "\"," + metadata, "");
        for (String command : commands.split(", ", -1)) {
            Answer refused = send(fakeAgent, printer, "\"command\": \"" + command + "\"," + """
                    "type": "bed", "temperature": 50, "targetSlot": 0, "toolIndex": 0, "amsId": 0, "slotId": 0,
                    "option_value": 1, "speed": 50, "axes": ["x"], "lines": "G28", "light": "light", "state": true,
                    "amount": 5, "objectIds": ["1"]""");
            assertThat(refused.at("details[0].path")).as(command).isEqualTo("ids[0]");
        }
    }

    @Test
    default void moveIsRejectedWhileThePrinterPrints() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        String printer = fakeAgent.printer("K", "");
        String home = "\"command\": \"home-axis\", \"axes\": [\"z\"]";
        String move = "\"command\": \"move-axis\", \"axes\": {\"z\": 10}";
        String fan = "\"command\": \"set-fan\", \"type\": \"part\", \"speed\": 50";
        shows(fakeAgent, printer, "printing");
        for (String disturbing : List.of(home, move)) {
            Answer refused = send(fakeAgent, printer, disturbing);
            assertThat(refused.status()).as(refused.text()).isEqualTo(409);
            assertThat(refused.at("details[0].path")).isEqualTo("ids[0]");
            assertThat(refused.at("details[0].code")).isEqualTo("printing");
            assertThat(String.valueOf(refused.at("details[0].message"))).contains("(K)");
        }
        assertThat(send(fakeAgent, printer, fan).status()).isEqualTo(201);
        shows(fakeAgent, printer, "paused");
        assertThat(send(fakeAgent, printer, home).at("details[0].code")).isEqualTo("paused");
        assertThat(send(fakeAgent, printer, move).status()).isEqualTo(201);
        shows(fakeAgent, printer, "finished");
        assertThat(send(fakeAgent, printer, home).status()).isEqualTo(201);
    }

    private static void shows(FakeAgent fakeAgent, String printer, String status) {
        fakeAgent.exchange(List.of(), List.of(), List.of(fakeAgent.report(printer, status, "by-hand.gcode", null, 1)));
    }

    @Test
    default void printerIsEmergencyStoppedAndRestarted() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        String klipper = fakeAgent.printer("K", "");
        String octoPrint = fakeAgent.printer(
                "B", "\"provider\": \"vendorB\", \"api_key\": \"octopus\", \"host\": \"octopi\", \"port\": 80", "");
        for (String command : List.of("emergency-stop", "firmware-restart")) {
            for (String printer : List.of(klipper, octoPrint)) {
                assertThat(send(fakeAgent, printer, "\"command\": \"" + command + "\"")
                                .status())
                        .as(command)
                        .isEqualTo(201);
            }
        }
        assertThat(fakeAgent.exchange().at("commands[0].action.command")).isEqualTo("emergency-stop");
    }

    @Test
    default void incompleteCommandIsRejectedAtTheMissingField() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        String printer = fakeAgent.printer("K", "");
        assertThat(send(fakeAgent, printer, "\"command\":\"fly\"").at("details[0].path"))
                .isEqualTo("command.command");
        assertThat(send(fakeAgent, printer, "\"command\":\"set-fan\",\"type\":\"part\",\"speed\":101")
                        .at("details[0].path"))
                .isEqualTo("command.speed");
        for (String lines :
                new String[] {"", ",\"lines\":28", ",\"lines\":[\"G28\",null]", ",\"lines\":{\"a\":\"G28\"}"}) {
            assertThat(send(fakeAgent, printer, "\"command\":\"gcode\"" + lines).at("details[0].path"))
                    .as(lines)
                    .isEqualTo("command.lines");
        }
        assertThat(send(fakeAgent, SharedApi.unknownId(), "\"command\":\"stop\"")
                        .status())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "set-temperature | \"type\": \"nozzle\", \"temperature\": -5 | command.temperature",
                "set-temperature | \"type\": \"nozzle\", \"temperature\": 501 | command.temperature",
                "set-temperature | \"type\": \"bed\", \"temperature\": 201 | command.temperature",
                "load-filament | \"targetSlot\": 0, \"targetTemp\": 9999 | command.targetTemp",
                "home-axis | \"axes\": [] | command.axes",
                "home-axis | \"axes\": {\"x\": 1} | command.axes",
                "move-axis | \"axes\": {} | command.axes",
                "move-axis | \"axes\": [\"x\"] | command.axes",
                "move-axis | \"axes\": {\"y\": 5, \"x\": 100000} | command.axes.x",
                "move-axis | \"axes\": {\"x\": \"far\"} | command.axes.x",
                "extrude-filament | \"amount\": 1e9 | command.amount",
                "gcode | \"lines\": [] | command.lines",
                "gcode | \"lines\": \" \" | command.lines",
                "skip-objects | \"objectIds\": [] | command.objectIds"
            })
    default void commandOutOfRangeIsRejectedAtItsField(String command, String members, String path) {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        Answer refused = send(fakeAgent, fakeAgent.printer("K", ""), "\"command\": \"" + command + "\", " + members);
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.at("details[0].path")).isEqualTo(path);
    }

    @Test
    default void allErrorsOfACommandAndItsPrintersAreReturned() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        assertThat(BuildContract.paths(client.post(
                        "/v1/printer-commands/send",
                        "{\"ids\":[7],\"command\":{\"command\":\"set-fan\",\"speed\":101}}")))
                .containsExactlyInAnyOrder("ids[0]", "command.type", "command.speed");
        assertThat(BuildContract.paths(
                        client.post("/v1/printer-commands/send", "{\"ids\":[],\"command\":{\"command\":\"nope\"}}")))
                .containsExactlyInAnyOrder("ids", "command.command");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "set-fan | \"type\": \"chamber\", \"speed\": 50 | has no fan chamber",
                "led-control | \"light\": \"nope\", \"state\": true | has no light nope",
                "set-temperature | \"type\": \"nozzle\", \"temperature\": 200, \"extruderIndex\": 2 | has no extruder 2",
                "set-temperature | \"type\": \"nozzle\", \"temperature\": 200, \"extruderIndex\": -1 | has no extruder -1",
                "select-tool | \"toolIndex\": 2 | has no tool 2",
                "home-axis | \"axes\": [\"x\", \"q\"] | has no axis q",
                "home-axis | \"axes\": \"xq\" | has no axis q",
                "move-axis | \"axes\": {\"e\": 5} | has no axis e"
            })
    default void commandForAMissingComponentIsRejectedWithThePrinterName(
            String command, String members, String reason) {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        String printer = fakeAgent.printer("K", TWO_TOOLS);
        Answer refused = send(fakeAgent, printer, "\"command\": \"" + command + "\", " + members);
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.at("details[0].path")).isEqualTo("ids[0]");
        assertThat(String.valueOf(refused.at("details[0].message"))).contains("printer K (", reason);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"command\": \"set-fan\", \"type\": \"part\", \"speed\": 0",
                "\"command\": \"set-fan\", \"type\": \"auxiliary\", \"speed\": 50",
                "\"command\": \"set-fan\", \"type\": \"aux\", \"speed\": 50",
                "\"command\": \"set-temperature\", \"type\": \"nozzle\", \"temperature\": 0, \"extruderIndex\": 1",
                "\"command\": \"select-tool\", \"toolIndex\": 1",
                "\"command\": \"home-axis\", \"axes\": \"XYZ\"",
                "\"command\": \"move-axis\", \"axes\": {\"Z\": -10, \"x\": 1000}",
                "\"command\": \"extrude-filament\", \"amount\": -5"
            })
    default void commandForAnExistingComponentIsAccepted(String command) {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        Answer sent = send(fakeAgent, fakeAgent.printer("K", TWO_TOOLS), command);
        assertThat(sent.status()).as(sent.text()).isEqualTo(201);
    }

    @Test
    default void unlistedExtruderCanBeHeated() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        String heat =
                "\"command\": \"set-temperature\", \"type\": \"nozzle\", \"temperature\": 200, \"extruderIndex\": 1";
        String reporting = fakeAgent.printer("K", "");
        assertThat(send(fakeAgent, reporting, heat).status()).isEqualTo(400);
        Map<String, ?> warm = Map.of("actual", 25, "target", 0);
        fakeAgent.exchange(
                List.of(),
                List.of(),
                List.of(fakeAgent.report(reporting, "idle", Map.of("nozzle", warm, "nozzle1", warm), List.of())));
        assertThat(send(fakeAgent, reporting, heat).status()).isEqualTo(201);
        String changer = fakeAgent.printer("Changer", """
                "provider": "firmwareK", "extruder_count": 2, "nozzle_diameter": 0.4, "server_port": 7125,
                "host": "10.0.0.8\"""", "");
        assertThat(send(fakeAgent, changer, heat).status()).isEqualTo(201);
        assertThat(send(fakeAgent, changer, "\"command\": \"select-tool\", \"toolIndex\": 1")
                        .status())
                .isEqualTo(201);
        assertThat(send(fakeAgent, changer, "\"command\": \"select-tool\", \"toolIndex\": 2")
                        .status())
                .isEqualTo(400);
    }

    @Test
    default void macroRunsOnlyOnItsPrinters() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        String right = fakeAgent.printer("right", ", \"modelName\": \"Trident\", \"vendorName\": \"Voron\"");
        String wrong = fakeAgent.printer("wrong", ", \"modelName\": \"Mini\"");
        String macro = fakeAgent.client().made("/v1/macros", """
                {"name": "purge", "type": "purge", "gcode": "G28\\nG1 X0",
                 "compatibilities": [{"vendorName": "Voron", "modelName": "Trident"}]}""");
        String run = "\"command\":\"run-macro\",\"macroId\":\"" + macro + "\"";
        assertThat(send(fakeAgent, wrong, run).at("details[0].path")).isEqualTo("ids[0]");
        assertThat(send(fakeAgent, right, run).status()).isEqualTo(201);
        assertThat(fakeAgent.exchange().at("commands[0].action.arguments.lines"))
                .isEqualTo("G28\nG1 X0");
        assertThat(send(fakeAgent, right, "\"command\":\"run-macro\",\"macroId\":\"" + SharedApi.unknownId() + "\"")
                        .at("details[0].path"))
                .isEqualTo("command.macroId");
    }
}
