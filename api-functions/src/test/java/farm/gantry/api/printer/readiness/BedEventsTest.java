package farm.gantry.api.printer.readiness;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that subscribers learn once that a printer waits for a person to clear its bed, whatever the reason. */
final class BedEventsTest {
    private static final String WEBHOOK = "/v1/settings/notifications";

    private final SharedApi.Store store = SharedApi.newStore();
    private final FakeAgent fakeAgent = new FakeAgent(store, new Socket());
    private final Client client = fakeAgent.client();
    private String printer = "";

    @BeforeEach
    void setUp() {
        printer = fakeAgent.printer("K", ", \"modelName\": \"Trident\", \"vendorName\": \"Voron\"");
        client.post(
                WEBHOOK,
                "{\"channel\":\"webhook\",\"data\":{\"webhookUrl\":\"http://127.0.0.1:9/\",\"apiKey\":\""
                        + "k".repeat(40) + "\"}}");
        client.patch(WEBHOOK + "/webhook/events", "{\"onBedNeedsClearing\":true}");
    }

    private int events() {
        return client.get(WEBHOOK + "/webhook/deliveries?event=onBedNeedsClearing")
                .each("id")
                .size();
    }

    private Answer patch(String path, String more) {
        Answer changed = client.patch("/v1/printers/" + path, "{\"ids\":[\"" + printer + "\"]," + more + "}");
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        return changed;
    }

    private void happened(String kind, Map<String, ?> more) {
        fakeAgent.exchange(List.of(fakeAgent.event(printer, kind, more)), List.of(), List.of());
    }

    private void reports(String status, @Nullable String file, int prints) {
        fakeAgent.exchange(List.of(), List.of(), List.of(fakeAgent.report(printer, status, file, null, prints)));
    }

    /** Completes a job; returns the id of the command with the macro that then clears the bed. */
    private String completedWithMacro() {
        client.made("/v1/macros", """
                {"name": "push", "type": "bed_clearing", "gcode": "G1 Y220",
                 "compatibilities": [{"vendorName": "Voron", "modelName": "Trident"}]}""");
        patch("continuous-print", "\"enabled\":true");
        String job = fakeAgent.job("");
        fakeAgent.round();
        fakeAgent.happened(printer, "jobStarted", job);
        fakeAgent.happened(printer, "jobCompleted", job);
        Answer commands = fakeAgent.exchange();
        int last = commands.json().get("commands").size() - 1;
        assertThat(commands.at("commands[" + last + "].action.type")).isEqualTo("send");
        return String.valueOf(commands.at("commands[" + last + "].commandId"));
    }

    /** A reason why a macro does not clear the bed. */
    enum MacroEnd {
        FAILED,
        REJECTED_BY_THE_AGENT,
        OVERDUE,
        CONTINUOUS_PRINTING_DISABLED,
        IN_MAINTENANCE,
        BED_NOT_CLEAR,
        PRINTER_ERROR,
        PRINTER_OFFLINE,
        FOREIGN_PRINT
    }

    @ParameterizedTest
    @EnumSource
    void macroThatDoesNotClearTheBedEmitsOneEvent(MacroEnd end) {
        String macro = completedWithMacro();
        assertThat(events()).as("while the macro runs").isZero();
        for (int i = 0; i < 2; i++) {
            end(end, macro);
            assertThat(events()).isEqualTo(1);
        }
    }

    private void end(MacroEnd end, String macro) {
        switch (end) {
            case FAILED -> happened("commandFailed", Map.of("commandId", macro));
            case REJECTED_BY_THE_AGENT ->
                fakeAgent.exchange(List.of(), List.of(Map.of("commandId", macro, "outcome", "refused")), List.of());
            case OVERDUE -> fakeAgent.roundAt(Instant.now().plus(Duration.ofHours(3)));
            case CONTINUOUS_PRINTING_DISABLED -> patch("continuous-print", "\"enabled\":false");
            case IN_MAINTENANCE ->
                client.patch("/v1/maintenance/mode", "{\"printerIds\":[\"" + printer + "\"],\"enabled\":true}");
            case BED_NOT_CLEAR -> patch("confirm-ready", "\"ready\":false");
            case PRINTER_ERROR -> happened("printerError", Map.of("message", "jam"));
            case PRINTER_OFFLINE -> happened("printerOffline", Map.of());
            case FOREIGN_PRINT -> happened("printerChanged", Map.of());
        }
    }

    @Test
    void macroThatClearsTheBedEmitsNothing() {
        happened("commandDone", Map.of("commandId", completedWithMacro()));
        assertThat(fakeAgent.stateOf(printer).at("confirmedReady")).isEqualTo(true);
        assertThat(events()).isZero();
    }

    /** A use or a loss of the confirmation of a clear bed. */
    enum Use {
        FOREIGN_PRINT_EVENT,
        FOREIGN_PRINT_IN_PROGRESS,
        FOREIGN_PRINT_IN_THE_COUNTER,
        ERROR,
        PERSON,
        LOST_JOURNAL,
        AGENT_DELETED
    }

    @ParameterizedTest
    @EnumSource
    void useOfAClearBedEmitsOneEvent(Use use) {
        reports("idle", null, 7);
        fakeAgent.confirm(printer);
        assertThat(events()).isZero();
        use(use);
        assertThat(events()).isEqualTo(1);
        if (use != Use.AGENT_DELETED) {
            use(use);
            happened("printerChanged", Map.of());
            assertThat(events()).as("repeated").isEqualTo(1);
        }
    }

    private void use(Use use) {
        switch (use) {
            case FOREIGN_PRINT_EVENT -> happened("printerChanged", Map.of());
            case FOREIGN_PRINT_IN_PROGRESS -> reports("printing", "benchy.gcode", 8);
            case FOREIGN_PRINT_IN_THE_COUNTER -> reports("idle", null, 8);
            case ERROR -> happened("printerError", Map.of("message", "jam"));
            case PERSON -> patch("confirm-ready", "\"ready\":false");
            case LOST_JOURNAL -> {
                String message = "{\"session\":\"s\",\"sequence\":%d,\"instance\":{\"id\":\"%s\",\"ended\":true}}";
                fakeAgent.link(message.formatted(fakeAgent.lastSequence(), "one"));
                fakeAgent.link(message.formatted(0, "two"));
            }
            case AGENT_DELETED -> client.delete("/v1/agents/" + fakeAgent.agentId());
        }
    }

    @Test
    void useWhileAJobIsAssignedEmitsOneEventWhenTheJobIsGone() {
        String job = fakeAgent.job("");
        fakeAgent.round();
        happened("printerChanged", Map.of());
        assertThat(events()).as("while the job is assigned").isZero();
        fakeAgent.happened(printer, "jobRefused", job);
        assertThat(fakeAgent.stateOf(printer).at("printingJobId")).isNull();
        assertThat(events()).isEqualTo(1);
    }

    @Test
    void returnedJobEmitsNothingIfTheBedIsClear() {
        String job = fakeAgent.job("");
        fakeAgent.round();
        fakeAgent.happened(printer, "jobRefused", job);
        assertThat(fakeAgent.stateOf(printer).at("printingJobId")).isNull();
        assertThat(events()).isZero();
    }

    @Test
    void endOfAPrintEmitsOneEventPerPrint() {
        for (int prints = 1; prints <= 2; prints++) {
            String job = fakeAgent.job("");
            fakeAgent.round();
            fakeAgent.happened(printer, "jobStarted", job);
            happened("printerError", Map.of("message", "jam"));
            assertThat(events()).as("during the print").isEqualTo(prints - 1);
            fakeAgent.happened(printer, "jobFailed", job);
            happened("printerChanged", Map.of());
            assertThat(events()).isEqualTo(prints);
            String ended = String.valueOf(
                    client.get(WEBHOOK + "/webhook/deliveries?event=onBedNeedsClearing&sort=createdAt:desc")
                            .at("[0].body.data.printJob.id"));
            assertThat(ended).isEqualTo(job);
            fakeAgent.confirm(printer);
        }
    }
}
