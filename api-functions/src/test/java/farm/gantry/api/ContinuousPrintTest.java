package farm.gantry.api;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.query.ListQuery;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.Tables;
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

/** One job after another without a person between them, and what ends that. */
final class ContinuousPrintTest {
    private final Farm.Store store = Farm.newStore();
    private final Floor floor = new Floor(store, new Socket());
    private final Client client = floor.client();
    private String printer = "";

    @BeforeEach
    void setUp() {
        printer = floor.printer("K", ", \"modelName\": \"Trident\", \"vendorName\": \"Voron\"");
        client.post(
                "/v1/settings/notifications",
                "{\"channel\":\"webhook\",\"data\":{\"webhookUrl\":\"http://127.0.0.1:9/\",\"apiKey\":\""
                        + "k".repeat(40) + "\"}}");
        client.patch(
                "/v1/settings/notifications/webhook/events",
                "{\"onPrinterContinuousPrintDisabled\":true,\"onMaterialUsageRecorded\":true}");
    }

    private void macro() {
        client.made("/v1/macros", """
                {"name": "push", "type": "bed_clearing", "gcode": "G1 Y220",
                 "compatibilities": [{"vendorName": "Voron", "modelName": "Trident"}]}""");
    }

    private void goOn(String limit) {
        client.patch("/v1/printers/continous-print", "{\"ids\":[\"" + printer + "\"],\"enabled\":true" + limit + "}");
    }

    private void printed(String job) {
        floor.round();
        assertThat(floor.status(job)).isEqualTo("Sending-to-printer");
        floor.happened(printer, "jobStarted", job);
        floor.happened(printer, "jobCompleted", job);
    }

    /** The macro's command, which the agent takes. */
    private String clearing() {
        Answer told = floor.exchange();
        for (int i = 0; i < told.json().get("commands").size(); i++) {
            if ("send".equals(told.at("commands[" + i + "].action.type"))) {
                assertThat(told.at("commands[" + i + "].action.arguments.lines"))
                        .isEqualTo("G1 Y220");
                return String.valueOf(told.at("commands[" + i + "].commandId"));
            }
        }
        throw new AssertionError("no macro among " + told.text());
    }

    private void told(String kind, String command) {
        floor.exchange(List.of(floor.event(printer, kind, Map.of("commandId", command))), List.of(), List.of());
    }

    private Object of(String field) {
        return String.valueOf(floor.stateOf(printer).at(field));
    }

    private List<String> events() {
        return Farm.bean(Database.class)
                .in(
                        store.id(),
                        tx -> Farm.bean(Tables.class)
                                .of(WebhookDelivery.class)
                                .find(
                                        tx,
                                        ListQuery.all(Farm.bean(Tables.class)
                                                .of(WebhookDelivery.class)
                                                .columns()))
                                .stream()
                                .map(delivery -> delivery.event() + " " + delivery.body())
                                .toList());
    }

    @Test
    void theNextJobBeginsWhenTheMacroHasRunThrough() {
        macro();
        goOn(",\"jobLimit\":3");
        String first = floor.job("");
        String second = floor.job("");
        printed(first);
        assertThat(of("continuousRemainingJobs")).isEqualTo("2");
        floor.round();
        assertThat(floor.status(second)).isEqualTo("Pending");
        String macro = clearing();
        floor.confirm(printer);
        floor.round();
        assertThat(floor.status(second)).as("while the macro runs").isEqualTo("Pending");
        told("commandDone", macro);
        told("commandDone", macro);
        floor.round();
        assertThat(floor.status(second)).isEqualTo("Sending-to-printer");
    }

    @Test
    void theLimitEndsIt() {
        macro();
        goOn(",\"jobLimit\":1");
        printed(floor.job(""));
        assertThat(of("continuousPrint")).isEqualTo("false");
        assertThat(of("confirmedReady")).isEqualTo("false");
        assertThat(events()).singleElement().asString().contains("its limit of jobs is reached");
    }

    @Test
    void withoutAMacroForItsModelItEnds() {
        goOn("");
        printed(floor.job(""));
        assertThat(of("continuousPrint")).isEqualTo("false");
        assertThat(events()).singleElement().asString().contains("no bed_clearing macro");
    }

    @Test
    void aMacroThatFailsOrIsNeverHeardOfEndsIt() {
        macro();
        goOn("");
        printed(floor.job(""));
        told("commandFailed", clearing());
        assertThat(of("continuousPrint")).isEqualTo("false");
        assertThat(of("confirmedReady")).isEqualTo("false");
        floor.confirm(printer);
        goOn("");
        printed(floor.job(""));
        floor.roundAt(Instant.now().plus(Duration.ofHours(3)));
        assertThat(of("continuousPrint")).isEqualTo("false");
        assertThat(events()).hasSize(2);
    }

    @Test
    void whoSwitchesItOffNeedNotWaitForTheMacro() {
        macro();
        goOn("");
        printed(floor.job(""));
        client.patch("/v1/printers/continous-print", "{\"ids\":[\"" + printer + "\"],\"enabled\":false}");
        String next = floor.job("");
        floor.confirm(printer);
        floor.round();
        assertThat(floor.status(next)).isEqualTo("Sending-to-printer");
    }

    @Test
    void anErrorAForeignJobOrALostPrinterEndsItAndALostLinkDoesNot() {
        for (String kind : List.of("printerError", "printerChanged", "printerOffline")) {
            goOn("");
            floor.exchange(List.of(floor.event(printer, kind, Map.of())), List.of(), List.of());
            assertThat(of("continuousPrint")).as(kind).isEqualTo("false");
            floor.exchange(List.of(floor.event(printer, kind, Map.of())), List.of(), List.of());
        }
        assertThat(events()).hasSize(3);
    }

    @Test
    void whatAPrintTookIsTakenFromTheSpoolInItsPlace() {
        String material =
                client.made("/v1/materials", "{\"name\":\"PLA\",\"brand\":\"b\",\"type\":\"PLA\",\"tags\":[]}");
        String spool =
                client.made("/v1/materials/instances", "{\"materialId\":\"" + material + "\",\"remainingGrams\":100}");
        client.patch(
                "/v1/printer-slots/assign",
                "{\"printerIds\":[\"" + printer + "\"],\"slots\":[{\"amsIndex\":0,\"slotIndex\":0}],\"instanceId\":\""
                        + spool + "\"}");
        String job = floor.job("");
        Map<String, Object> wanted = new HashMap<>();
        wanted.put("materialAssignments", Map.of("0", List.of(Map.of("materialId", material))));
        floor.change(PrintJob.class, job, wanted);
        floor.round();
        assertThat(floor.stored(job).at("materialMapping.0.slotIndex")).isEqualTo(0);
        assertThat(floor.exchange().at("commands[0].action.materialMapping.0.amsIndex"))
                .isEqualTo(0);
        Answer now = floor.stored(job);
        floor.exchange(
                List.of(
                        floor.event(printer, "jobStarted", Map.of("jobId", job, "attempt", now.at("attempt"))),
                        floor.event(
                                printer,
                                "jobCompleted",
                                Map.of("jobId", job, "attempt", now.at("attempt"), "usedGrams", 12.5))),
                List.of(),
                List.of());
        Farm.bean(Database.class).in(store.id(), tx -> {
            assertThat(Farm.bean(Tables.class)
                            .of(MaterialInstance.class)
                            .find(tx, spool)
                            .orElseThrow()
                            .remainingGrams())
                    .isEqualTo(87.5);
            return tx;
        });
        assertThat(events()).singleElement().asString().contains("onMaterialUsageRecorded", spool, "12.5");
    }
}
