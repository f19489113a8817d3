package farm.gantry.api.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests starts sent to a printer that is then taken out of service or replaced, or whose agent is replaced. */
final class StartWithdrawalTest {
    private final SharedApi.Store store = SharedApi.newStore();
    private final FakeAgent fakeAgent = new FakeAgent(store, new Socket());

    private @Nullable Object ready(String printer) {
        return fakeAgent.stateOf(printer).at("confirmedReady");
    }

    @Test
    void printerAtANewAddressHasAnUnconfirmedBed() {
        String printer = fakeAgent.printer("one", "");
        String metadata = """
                {"metadata": {"provider": "firmwareK", "extruder_count": 2, "nozzle_diameter": 0.4, "server_port": 7125,
                 "host": "%s"}}""";
        fakeAgent.client().patch("/v1/printers/" + printer, metadata.formatted("10.0.0.7"));
        assertThat(ready(printer)).isEqualTo(true);
        fakeAgent.client().patch("/v1/printers/" + printer, metadata.formatted("10.0.0.8"));
        assertThat(ready(printer)).isEqualTo(false);
    }

    @Test
    void replacementAgentHasNoPrinterStatusOrBedConfirmation() {
        String printer = fakeAgent.printer("one", "");
        String other = new FakeAgent(store, new Socket()).agentId();
        fakeAgent.client().patch("/v1/printers/" + printer, "{\"proxyClientId\":\"" + other + "\"}");
        assertThat(fakeAgent.stateOf(printer).at("isOnline")).isEqualTo(false);
        assertThat(ready(printer)).isEqualTo(false);
    }

    @Test
    void formerAgentMayReportTheEndOfItsJob() {
        String printer = fakeAgent.printer("one", "");
        String job = fakeAgent.job("");
        fakeAgent.round();
        fakeAgent.happened(printer, "jobStarted", job);
        String other = new FakeAgent(store, new Socket()).agentId();
        fakeAgent.client().patch("/v1/printers/" + printer, "{\"proxyClientId\":\"" + other + "\"}");
        assertThat(fakeAgent.status(job)).isEqualTo("Printing");
        fakeAgent.happened(printer, "jobCompleted", job);
        assertThat(fakeAgent.status(job)).isEqualTo("Completed");
        assertThat(fakeAgent.stateOf(printer).at("printingJobId")).isNull();
        assertThat(ready(printer)).isEqualTo(false);
    }

    @Test
    void bedsOfADeletedAgentAreUnconfirmed() {
        String printer = fakeAgent.printer("one", "");
        fakeAgent.client().delete("/v1/agents/" + fakeAgent.agentId());
        assertThat(ready(printer)).isEqualTo(false);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void printerIsReleasedFromACancelledJobWithoutAnAgent(boolean isDeleted) {
        String printer = fakeAgent.printer("one", "");
        String job = fakeAgent.job("");
        fakeAgent.round();
        fakeAgent.happened(printer, "jobStarted", job);
        fakeAgent.client().patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + job + "\"]}");
        assertThat(fakeAgent.stateOf(printer).at("printingJobId")).isEqualTo(job);
        if (isDeleted) {
            fakeAgent.client().delete("/v1/agents/" + fakeAgent.agentId());
        } else {
            String other = new FakeAgent(store, new Socket()).agentId();
            fakeAgent.client().patch("/v1/printers/" + printer, "{\"proxyClientId\":\"" + other + "\"}");
        }
        assertThat(fakeAgent.stateOf(printer).at("printingJobId")).isNull();
        assertThat(ready(printer)).isEqualTo(false);
        assertThat(fakeAgent.confirm(printer).status()).isEqualTo(200);
    }

    @Test
    void jobIsCancelledWhenItsPrinterHasNoDevice() {
        String printer = fakeAgent.printer("one", "");
        String job = fakeAgent.job("");
        fakeAgent.round();
        fakeAgent.client().patch("/v1/printers/" + printer, "{\"deviceId\":null}");
        assertThat(fakeAgent.exchange().at("commands")).isEqualTo(List.of());
        fakeAgent.client().patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + job + "\"]}");
        assertThat(fakeAgent.status(job)).isEqualTo("Cancelled");
        assertThat(fakeAgent.stateOf(printer).at("printingJobId")).isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            printers/confirm-ready | {"ids":["PRINTER"],"ready":false}
            printers/enabled       | {"ids":["PRINTER"],"enabled":false}
            maintenance/mode       | {"printerIds":["PRINTER"],"enabled":true}
            printers/PRINTER       | {"enabled":false}
            printers/PRINTER       | {"nozzleDiameter":"0.6"}
            printers/PRINTER       | {"modelName":"Another"}
            """)
    void acknowledgedStartIsCancelledWhenItsPrinterBecomesUnready(String path, String body) {
        String printer = fakeAgent.printer("one", "");
        String job = fakeAgent.job("");
        fakeAgent.round();
        String start = String.valueOf(fakeAgent.exchange().at("commands[0].commandId"));
        fakeAgent.exchange(List.of(), List.of(Map.of("commandId", start, "outcome", "taken")), List.of());
        fakeAgent.client().patch("/v1/" + path.replace("PRINTER", printer), body.replace("PRINTER", printer));
        assertThat(fakeAgent.status(job)).isEqualTo("Pending");
        assertThat(fakeAgent.stateOf(printer).at("printingJobId")).isEqualTo(job);
        assertThat(fakeAgent.exchange().at("commands[0].action"))
                .isEqualTo(Map.of("type", "cancel", "jobId", job, "attempt", 1));

        String other = fakeAgent.printer("other", "");
        fakeAgent.round();
        assertThat(fakeAgent.stateOf(other).at("printingJobId")).isEqualTo(job);
        fakeAgent.exchange(
                List.of(fakeAgent.event(printer, "jobCancelled", Map.of("jobId", job, "attempt", 1))),
                List.of(),
                List.of());
        assertThat(fakeAgent.stateOf(printer).at("printingJobId")).isNull();
        assertThat(ready(printer)).isEqualTo(false);
        assertThat(fakeAgent.stateOf(other).at("printingJobId")).isEqualTo(job);
        assertThat(fakeAgent.status(job)).isEqualTo("Sending-to-printer");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            printers/quarantine    | {"ids":["PRINTER"],"quarantined":true}
            printers/PRINTER       | {"deviceId":"another machine"}
            printers/PRINTER       | {"nozzleDiameter":"0.6"}
            queue                  | {"paused":true,"reason":"Fire drill."}
            parts/hold             | {"ids":["PART"],"held":true,"reason":"It comes loose."}
            """)
    void unfetchedStartExpiresWhenItsPrinterBecomesUnready(String path, String body) {
        String printer = fakeAgent.printer("one", "");
        String job = fakeAgent.job("");
        fakeAgent.round();
        String part =
                String.valueOf(fakeAgent.client().get("/v1/print-jobs/" + job).at("partId"));
        Answer changed = fakeAgent
                .client()
                .patch(
                        "/v1/" + path.replace("PRINTER", printer),
                        body.replace("PRINTER", printer).replace("PART", part));
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        Answer response = fakeAgent.exchange();
        assertThat(Instant.parse(String.valueOf(response.at("commands[0].expiresAt"))))
                .isBefore(Instant.now());
        Object command = response.at("commands[0].commandId");
        fakeAgent.exchange(List.of(), List.of(Map.of("commandId", command, "outcome", "expired")), List.of());
        assertThat(fakeAgent.status(job)).isEqualTo("Pending");
        assertThat(fakeAgent.stateOf(printer).at("printingJobId")).isNull();
    }
}
