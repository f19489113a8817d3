package farm.gantry.api.link;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests status reports of many printers in one exchange, and the commands returned. */
final class LivePrintersTest {
    private static final int MORE_THAN_A_PAGE = 1_001;

    private final SharedApi.Store store = SharedApi.newStore();
    private final FakeAgent agent = new FakeAgent(store, new Socket());

    private Answer told(List<?> reports) {
        return agent.exchange(List.of(), List.of(), reports);
    }

    private Map<String, Object> patch(String printer, Map<String, ?> state) {
        return Map.of("deviceId", agent.deviceOf(printer), "at", Instant.now().toString(), "state", state);
    }

    private static Map<String, Object> printing(String deviceId) {
        return FakeAgent.reportOfDevice(deviceId, "printing", Map.of(), List.of(), Map.of());
    }

    @Test
    void reportChangesOnlyItsPrinter() {
        String printing = agent.printer("printing", "");
        String lost = agent.printer("lost", "");
        String silent = agent.printer("silent", "");
        told(List.of(
                agent.report(printing, "printing", "vase.gcode", null, 1),
                patch(lost, Map.of("connection", "offline", "status", "offline", "connectionReason", "no answer"))));
        told(List.of(patch(printing, Map.of("job", Map.of("percent", 40, "currentLayer", 7)))));
        Answer shown = agent.client().get("/v1/printer-states?ids=" + String.join(",", printing, lost, silent));
        assertThat(shown.each("state.status")).containsExactly("printing", "offline", "idle");
        assertThat(shown.at("[0].state.job.percent")).isEqualTo(40);
        assertThat(shown.at("[0].state.job.currentLayer")).isEqualTo(7);
        assertThat(shown.at("[0].state.job.fileName")).isEqualTo("vase.gcode");
        assertThat(shown.at("[1].state.connectionReason")).isEqualTo("no answer");
        assertThat(agent.stateOf(lost).at("isOnline")).isEqualTo(false);
        assertThat(agent.stateOf(printing).at("isOnline")).isEqualTo(true);
        assertThat(agent.stateOf(printing).at("isAvailable")).isEqualTo(false);
        assertThat(agent.stateOf(silent).at("isAvailable")).isEqualTo(true);
        told(List.of(patch(lost, Map.of("connection", "online", "status", "idle"))));
        assertThat(agent.stateOf(lost).at("isOnline")).isEqualTo(true);
    }

    @Test
    void invalidReportRejectsTheWholeExchange() {
        String whole = agent.printer("whole", "");
        String broken = agent.printer("broken", "");
        Answer refused = agent.link("""
                {"session": "another", "sequence": 0, "reports": [
                  {"deviceId": "%s", "at": "2026-01-01T00:00:00Z", "state": {"connection": "online", "status": "error",
                    "temperatures": {}, "filamentSlots": [], "errors": [], "at": "2026-01-01T00:00:00Z"}},
                  {"deviceId": "%s", "at": "2026-01-01T00:00:00Z", "state": {"status": "error"}}]}""".formatted(agent.deviceOf(whole), agent.deviceOf(broken)));
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.at("details[0].path")).isEqualTo("reports[1].state.connection");
        assertThat(agent.client().get("/v1/printers/" + whole + "/state").at("status"))
                .isEqualTo("idle");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"name\": \"renamed\"}",
                "{\"printerCapabilityPatch\": {\"gcode\": false}}",
                "{\"printerAdapterBindingsPatch\": {\"firmwareK\": {\"commands\": {}}}}",
                "{\"metadata\": {\"provider\": \"firmwareK\", \"extruder_count\": 2, \"nozzle_diameter\": 0.4,"
                        + " \"server_port\": 7125, \"host\": \"10.0.0.8\"}}"
            })
    void agentGetsAPrinterAgainWhenItsConfigurationChangesNotItsStatus(String change) {
        String printer = agent.printer("one", "");
        agent.exchange();
        assertThat(agent.exchange().at("printers")).isEqualTo("(absent)");
        assertThat(told(List.of(agent.report(printer, "printing", "vase.gcode", null, 1)))
                        .at("printers"))
                .isEqualTo("(absent)");
        Answer changed = agent.client().patch("/v1/printers/" + printer, change);
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(agent.exchange().at("printers[0].printerId")).isEqualTo(printer);
        assertThat(agent.exchange().at("printers")).isEqualTo("(absent)");
    }

    @Test
    void agentServesMorePrintersThanAPage() {
        String records = IntStream.range(0, MORE_THAN_A_PAGE)
                .mapToObj(i -> """
                        {"name": "p%d", "nozzleDiameter": "0.4", "commMethod": "fuse", "deviceId": "%s", "proxyClientId": "%s",
                         "metadata": {"provider": "firmwareK", "extruder_count": 1, "nozzle_diameter": 0.4, "server_port": 7125,
                         "host": "10.0.0.7"}}""".formatted(i, Id.next(), agent.agentId()))
                .collect(Collectors.joining(",", "[", "]"));
        Answer made = agent.client()
                .with("content-type", "application/json")
                .send("PUT", "/v1/printers", Client.utf8(records));
        assertThat(made.status()).as(made.text()).isEqualTo(200);
        Answer response = agent.exchange();
        assertThat(response.json().get("printers").size()).isEqualTo(MORE_THAN_A_PAGE);
        String last = made.each("id").getLast();
        told(made.each("deviceId").stream().map(LivePrintersTest::printing).toList());
        assertThat(agent.client().get("/v1/printers/" + last + "/state").at("status"))
                .isEqualTo("printing");
        assertThat(agent.client().get("/v1/printers?isOnline=false&limit=1").each("id"))
                .isEmpty();
        assertThat(agent.client().get("/v1/wall").each("id")).hasSize(MORE_THAN_A_PAGE);
    }
}
