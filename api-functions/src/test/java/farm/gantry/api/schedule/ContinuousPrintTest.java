package farm.gantry.api.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tables;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.query.ListQuery;
import farm.gantry.job.PrintJob;
import farm.gantry.material.MaterialInstance;
import farm.gantry.notification.WebhookDelivery;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests continuous printing, and what ends it. */
final class ContinuousPrintTest {
    private final SharedApi.Store store = SharedApi.newStore();
    private final FakeAgent fakeAgent = new FakeAgent(store, new Socket());
    private final Client client = fakeAgent.client();
    private String printer = "";

    @BeforeEach
    void setUp() {
        printer = fakeAgent.printer("K", ", \"modelName\": \"Trident\", \"vendorName\": \"Voron\"");
        client.post(
                "/v1/settings/notifications",
                "{\"channel\":\"webhook\",\"data\":{\"webhookUrl\":\"http://127.0.0.1:9/\",\"apiKey\":\""
                        + "k".repeat(40) + "\"}}");
        client.patch(
                "/v1/settings/notifications/webhook/events",
                "{\"onPrinterContinuousPrintDisabled\":true,\"onMaterialUsageRecorded\":true}");
    }

    private void macro() {
        macro("G1 Y220");
    }

    private String macro(String gcode) {
        return client.made("/v1/macros", """
                {"name": "push", "type": "bed_clearing", "gcode": "%s",
                 "compatibilities": [{"vendorName": "Voron", "modelName": "Trident"}]}""".formatted(gcode));
    }

    private void goOn(String limit) {
        Answer enabled = enabled(limit);
        assertThat(enabled.status()).as(enabled.text()).isEqualTo(200);
    }

    private Answer enabled(String limit) {
        return client.patch(
                "/v1/printers/continous-print", "{\"ids\":[\"" + printer + "\"],\"enabled\":true" + limit + "}");
    }

    private void printed(String job) {
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo("Sending-to-printer");
        fakeAgent.happened(printer, "jobStarted", job);
        fakeAgent.happened(printer, "jobCompleted", job);
    }

    /** Returns the id of the command that runs the bed-clearing macro. */
    private String clearing() {
        Answer response = fakeAgent.exchange();
        for (int i = 0; i < response.json().get("commands").size(); i++) {
            if ("send".equals(response.at("commands[" + i + "].action.type"))) {
                assertThat(response.at("commands[" + i + "].action.arguments.lines"))
                        .isEqualTo("G1 Y220");
                return String.valueOf(response.at("commands[" + i + "].commandId"));
            }
        }
        throw new AssertionError("no macro among " + response.text());
    }

    private void told(String kind, String command) {
        fakeAgent.exchange(List.of(fakeAgent.event(printer, kind, Map.of("commandId", command))), List.of(), List.of());
    }

    private Object of(String field) {
        return String.valueOf(fakeAgent.stateOf(printer).at(field));
    }

    private List<String> events() {
        return SharedApi.bean(Database.class)
                .in(
                        store.id(),
                        tx -> SharedApi.bean(Tables.class)
                                .of(WebhookDelivery.class)
                                .find(
                                        tx,
                                        ListQuery.all(SharedApi.bean(Tables.class)
                                                .of(WebhookDelivery.class)
                                                .columns()))
                                .stream()
                                .map(delivery -> delivery.event() + " " + delivery.body())
                                .toList());
    }

    @Test
    void nextJobStartsAfterTheMacro() {
        macro();
        goOn(",\"jobLimit\":3");
        String first = fakeAgent.job("");
        String second = fakeAgent.job("");
        printed(first);
        assertThat(of("continuousRemainingJobs")).isEqualTo("2");
        fakeAgent.round();
        assertThat(fakeAgent.status(second)).isEqualTo("Pending");
        String macro = clearing();
        fakeAgent.confirm(printer);
        fakeAgent.round();
        assertThat(fakeAgent.status(second)).as("while the macro runs").isEqualTo("Pending");
        told("commandDone", macro);
        told("commandDone", macro);
        fakeAgent.round();
        assertThat(fakeAgent.status(second)).isEqualTo("Sending-to-printer");
    }

    @Test
    void continuousPrintingEndsAtItsLimit() {
        macro();
        goOn(",\"jobLimit\":1");
        printed(fakeAgent.job(""));
        assertThat(of("continuousPrint")).isEqualTo("false");
        assertThat(of("confirmedReady")).isEqualTo("false");
        assertThat(events()).singleElement().asString().contains("its limit of jobs is reached");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "; to be written\\n "})
    void emptyMacroDoesNotClearTheBed(String gcode) {
        String macro = macro("G1 Y220");
        goOn("");
        client.patch("/v1/macros/" + macro, "{\"gcode\":\"" + gcode + "\"}");
        assertThat(enabled("").status()).isEqualTo(409);
        printed(fakeAgent.job(""));
        assertThat(of("confirmedReady")).isEqualTo("false");
        assertThat(events()).singleElement().asString().contains("no bed_clearing macro");
    }

    @Test
    void continuousPrintingEndsWhenItsMacroIsDeleted() {
        String macro = macro("G1 Y220");
        goOn("");
        client.delete("/v1/macros/" + macro);
        printed(fakeAgent.job(""));
        assertThat(of("continuousPrint")).isEqualTo("false");
        assertThat(events()).singleElement().asString().contains("no bed_clearing macro");
    }

    @Test
    void continuousPrintingEndsWhenTheMacroFailsOrIsLost() {
        macro();
        goOn("");
        printed(fakeAgent.job(""));
        told("commandFailed", clearing());
        assertThat(of("continuousPrint")).isEqualTo("false");
        assertThat(of("confirmedReady")).isEqualTo("false");
        fakeAgent.confirm(printer);
        goOn("");
        printed(fakeAgent.job(""));
        fakeAgent.roundAt(Instant.now().plus(Duration.ofHours(3)));
        assertThat(of("continuousPrint")).isEqualTo("false");
        assertThat(events()).hasSize(2);
    }

    @Test
    void disablingDoesNotWaitForTheMacro() {
        macro();
        goOn("");
        printed(fakeAgent.job(""));
        client.patch("/v1/printers/continous-print", "{\"ids\":[\"" + printer + "\"],\"enabled\":false}");
        String next = fakeAgent.job("");
        fakeAgent.confirm(printer);
        fakeAgent.round();
        assertThat(fakeAgent.status(next)).isEqualTo("Sending-to-printer");
    }

    @Test
    void personOverridesTheMacroAboutTheBed() {
        macro();
        goOn("");
        printed(fakeAgent.job(""));
        String macro = clearing();
        client.patch("/v1/printers/confirm-ready", "{\"ids\":[\"" + printer + "\"],\"ready\":false}");
        told("commandDone", macro);
        String next = fakeAgent.job("");
        fakeAgent.round();
        assertThat(fakeAgent.status(next)).isEqualTo("Pending");
        fakeAgent.confirm(printer);
        fakeAgent.round();
        assertThat(fakeAgent.status(next)).isEqualTo("Sending-to-printer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ", \"printerCapabilityPatch\": {\"gcodeInOrder\": true}"})
    void macroIsNotRunWhenAPrintMayStart(String tried) {
        macro();
        client.patch("/v1/printers/confirm-ready", "{\"ids\":[\"" + printer + "\"],\"ready\":false}");
        printer = fakeAgent.printer("A", """
                "provider": "vendorA", "dev_access_code": "1", "dev_id": "2", "dev_model_name": "C12",
                "dev_product_name": "P1S", "name": "b", "nozzle_diameter": 0.4, "online": true, "print_status": "IDLE\"""", ", \"modelName\": \"Trident\", \"vendorName\": \"Voron\"" + tried);
        if (tried.isEmpty()) {
            assertThat(enabled("").text()).contains("does not report when a macro has finished");
            assertThat(of("continuousPrint")).isEqualTo("false");
        } else {
            goOn("");
            printed(fakeAgent.job(""));
            assertThat(clearing()).isNotEmpty();
        }
    }

    @Test
    void jobEndedByAFormerAgentStartsNoMacro() {
        macro();
        String job = fakeAgent.job("");
        fakeAgent.round();
        fakeAgent.happened(printer, "jobStarted", job);
        FakeAgent other = new FakeAgent(store, new Socket());
        client.patch("/v1/printers/" + printer, "{\"proxyClientId\":\"" + other.agentId() + "\"}");
        goOn("");
        fakeAgent.happened(printer, "jobCompleted", job);
        assertThat(fakeAgent.status(job)).isEqualTo("Completed");
        assertThat(of("continuousPrint")).isEqualTo("false");
        assertThat(other.exchange().at("commands")).isEqualTo(List.of());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            printers/continous-print | {"ids":["PRINTER"],"enabled":false}
            maintenance/mode         | {"printerIds":["PRINTER"],"enabled":true}
            printers/confirm-ready   | {"ids":["PRINTER"],"ready":false}
            """)
    void unfetchedMacroIsWithdrawnWhenAPersonActs(String path, String body) {
        macro();
        goOn("");
        printed(fakeAgent.job(""));
        Answer response = fakeAgent.exchange();
        String print = String.valueOf(response.at("commands[0].commandId"));
        fakeAgent.exchange(List.of(), List.of(Map.of("commandId", print, "outcome", "taken")), List.of());
        assertThat(fakeAgent.exchange().at("commands[0].action.type")).isEqualTo("send");
        client.patch("/v1/" + path, body.replace("PRINTER", printer));
        assertThat(fakeAgent.exchange().at("commands")).isEqualTo(List.of());
    }

    @Test
    void continuousPrintingEndsOnErrorButNotOnALostLink() {
        macro();
        for (String kind : List.of("printerError", "printerChanged", "printerOffline")) {
            goOn("");
            fakeAgent.exchange(List.of(fakeAgent.event(printer, kind, Map.of())), List.of(), List.of());
            assertThat(of("continuousPrint")).as(kind).isEqualTo("false");
            fakeAgent.exchange(List.of(fakeAgent.event(printer, kind, Map.of())), List.of(), List.of());
        }
        assertThat(events()).hasSize(3);
    }

    @Test
    void warningPublishesAnEventAndContinues() {
        client.patch(
                "/v1/settings/notifications/webhook/events",
                "{\"onPrinterHmsWarning\":true,\"onPrinterHmsError\":true}");
        macro();
        goOn("");
        Map<String, ?> slow = Map.of("message", "the fan is slow");
        fakeAgent.exchange(List.of(fakeAgent.event(printer, "printerWarning", slow)), List.of(), List.of());
        assertThat(of("continuousPrint")).isEqualTo("true");
        assertThat(of("confirmedReady")).isEqualTo("true");
        assertThat(events()).singleElement().asString().contains("onPrinterHmsWarning", "the fan is slow", printer);
        Map<String, ?> hot = Map.of("message", "the bed is hot");
        fakeAgent.exchange(List.of(fakeAgent.event(printer, "printerError", hot)), List.of(), List.of());
        assertThat(events()).anyMatch(event -> event.contains("onPrinterHmsError") && event.contains("the bed is hot"));
    }

    @Test
    void pausedPrintIsReportedOnce() {
        client.patch("/v1/settings/notifications/webhook/events", "{\"onJobPaused\":true}");
        String job = fakeAgent.job("");
        fakeAgent.round();
        fakeAgent.happened(printer, "jobStarted", job);
        fakeAgent.happened(printer, "jobPaused", job);
        fakeAgent.happened(printer, "jobPaused", job);
        assertThat(events())
                .filteredOn(event -> event.contains("onJobPaused"))
                .singleElement()
                .satisfies(event -> assertThat(event).contains(printer, job));
    }

    @Test
    void usedFilamentIsDeductedFromTheSpoolInItsSlot() {
        String material =
                client.made("/v1/materials", "{\"name\":\"PLA\",\"brand\":\"b\",\"type\":\"PLA\",\"tags\":[]}");
        String spool =
                client.made("/v1/materials/instances", "{\"materialId\":\"" + material + "\",\"remainingGrams\":100}");
        client.patch(
                "/v1/printer-slots/assign",
                "{\"printerIds\":[\"" + printer + "\"],\"slots\":[{\"amsIndex\":0,\"slotIndex\":0}],\"instanceId\":\""
                        + spool + "\"}");
        client.patch(
                "/v1/settings/notifications/webhook/events",
                "{\"onFilamentLow\":true,\"onFilamentRunOut\":true,\"onBedNeedsClearing\":true}");
        String job = fakeAgent.job("");
        Map<String, Object> wanted = new HashMap<>();
        wanted.put("materialAssignments", Map.of("0", List.of(Map.of("materialId", material))));
        fakeAgent.change(PrintJob.class, job, wanted);
        fakeAgent.round();
        assertThat(fakeAgent.stored(job).at("materialMapping.0.slotIndex")).isEqualTo(0);
        assertThat(fakeAgent.exchange().at("commands[0].action.materialMapping.0.amsIndex"))
                .isEqualTo(0);
        Answer now = fakeAgent.stored(job);
        fakeAgent.exchange(
                List.of(
                        fakeAgent.event(printer, "jobStarted", Map.of("jobId", job, "attempt", now.at("attempt"))),
                        fakeAgent.event(
                                printer,
                                "jobCompleted",
                                Map.of("jobId", job, "attempt", now.at("attempt"), "usedGrams", 12.5))),
                List.of(),
                List.of());
        SharedApi.bean(Database.class).in(store.id(), tx -> {
            assertThat(SharedApi.bean(Tables.class)
                            .of(MaterialInstance.class)
                            .find(tx, spool)
                            .orElseThrow()
                            .remainingGrams())
                    .isEqualTo(87.5);
            return tx;
        });
        assertThat(events())
                .satisfiesExactlyInAnyOrder(
                        event -> assertThat(event).contains("onMaterialUsageRecorded", spool, "12.5"),
                        event -> assertThat(event).contains("onFilamentLow", spool, "87.5"),
                        event -> assertThat(event).contains("onBedNeedsClearing", printer, job));
    }
}
