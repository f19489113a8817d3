package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests what jobs reserve and use of spools, and the weights that printers report. */
public interface SpoolContract {
    Host host();

    private static String spool(Client client, String more) {
        return client.made("/v1/materials/instances", "{\"materialType\":\"PLA\"" + more + "}");
    }

    private static void load(Client client, String printer, String spool) {
        Answer loaded = client.patch(
                "/v1/printer-slots/assign",
                "{\"printerIds\":[\"" + printer + "\"],\"slots\":[{\"amsIndex\":0,\"slotIndex\":0}],\"instanceId\":\""
                        + spool + "\"}");
        assertThat(loaded.status()).as(loaded.text()).isEqualTo(200);
    }

    /** Creates a job that needs 40 g of PLA and 600 s. */
    private static String job(FakeAgent fakeAgent) {
        String part = ReadyParts.uploaded(fakeAgent.store(), fakeAgent.client());
        ReadyParts.change(fakeAgent.store(), part, "slicingEstimate", ReadyParts.estimate("PLA", 40));
        return fakeAgent.jobOf(part, ",\"materials\":{\"0\":[{\"materialType\":\"PLA\"}]}");
    }

    /** Returns the remaining and the reserved grams of the spool. */
    private static String grams(Client client, String spool) {
        Answer stored = client.get("/v1/materials/instances/" + spool);
        return stored.at("remainingGrams") + " " + stored.at("reservedGrams");
    }

    private static void ended(
            FakeAgent fakeAgent,
            String printer,
            String kind,
            String job,
            Map<String, ? extends @Nullable Object> more) {
        Map<String, Object> event = new HashMap<>(more);
        event.put("jobId", job);
        event.put("attempt", fakeAgent.stored(job).at("attempt"));
        fakeAgent.exchange(List.of(fakeAgent.event(printer, kind, event)), List.of(), List.of());
    }

    @Test
    default void filamentIsReservedOnAssignmentAndUsedAtTheEnd() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        Client client = fakeAgent.client();
        String printer = fakeAgent.printer("one", "");
        String spool = spool(client, ",\"remainingGrams\":100");
        load(client, printer, spool);
        String job = job(fakeAgent);
        assertThat(grams(client, spool)).as("waiting").isEqualTo("100 0");
        fakeAgent.round();
        assertThat(grams(client, spool)).as("assigned").isEqualTo("100 40");
        fakeAgent.happened(printer, "jobStarted", job);
        fakeAgent.happened(printer, "jobCompleted", job);
        assertThat(grams(client, spool)).as("completed").isEqualTo("60 0");
        fakeAgent.happened(printer, "jobCompleted", job);
        assertThat(grams(client, spool)).as("delivered twice").isEqualTo("60 0");
        Answer reserved = client.get("/v1/materials/instances?reservedGrams[gt]=0");
        assertThat(reserved.status()).as(reserved.text()).isEqualTo(200);
    }

    @Test
    default void failedPrintUsesItsPrintedShare() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        Client client = fakeAgent.client();
        String printer = fakeAgent.printer("one", "");
        String spool = spool(client, ",\"remainingGrams\":100");
        load(client, printer, spool);
        String failing = job(fakeAgent);
        fakeAgent.round();
        fakeAgent.happened(printer, "jobStarted", failing);
        ended(fakeAgent, printer, "jobFailed", failing, Map.of("elapsedSeconds", 150));
        assertThat(grams(client, spool)).as("a quarter of the time").isEqualTo("90 0");
        fakeAgent.confirm(printer);
        String cancelled = job(fakeAgent);
        fakeAgent.round();
        fakeAgent.happened(printer, "jobStarted", cancelled);
        Map<String, @Nullable Object> progress =
                new HashMap<>(Map.of("jobId", cancelled, "attempt", 1, "fileName", "a.gcode", "percent", 50));
        fakeAgent.exchange(
                List.of(),
                List.of(),
                List.of(fakeAgent.report(printer, "printing", Map.of(), List.of(), Map.of("job", progress))));
        assertThat(client.patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + cancelled + "\"]}")
                        .status())
                .isEqualTo(200);
        assertThat(grams(client, spool))
                .as("half of it, as the printer reported")
                .isEqualTo("70 0");
    }

    @Test
    default void unprintedFilamentIsReturnedToTheSpoolInTheSlot() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        Client client = fakeAgent.client();
        String printer = fakeAgent.printer("one", "");
        String first = spool(client, ",\"remainingGrams\":100");
        String second = spool(client, ",\"remainingGrams\":30");
        load(client, printer, first);
        client.patch("/v1/settings/store", "{\"requireApproval\":true}");
        String job = job(fakeAgent);
        fakeAgent.round();
        load(client, printer, second);
        assertThat(grams(client, first)).as("taken out").isEqualTo("100 0");
        assertThat(grams(client, second)).as("put in").isEqualTo("30 40");
        client.patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + job + "\"]}");
        assertThat(grams(client, second)).as("cancelled").isEqualTo("30 0");
        client.patch("/v1/settings/store", "{\"requireApproval\":false,\"requireSufficientMaterial\":false}");
        String more = job(fakeAgent);
        fakeAgent.round();
        fakeAgent.happened(printer, "jobStarted", more);
        fakeAgent.happened(printer, "jobCompleted", more);
        assertThat(grams(client, second)).as("never below zero").isEqualTo("0 0");
        String lost = job(fakeAgent);
        fakeAgent.confirm(printer);
        fakeAgent.round();
        assertThat(grams(client, second)).isEqualTo("0 40");
        fakeAgent.happened(printer, "jobNotBegun", lost);
        assertThat(fakeAgent.status(lost)).isEqualTo("Pending");
        assertThat(grams(client, second)).as("back in the queue").isEqualTo("0 0");
    }

    @Test
    default void jobReturnsToTheQueueWhenItsSlotGetsOtherFilament() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        Client client = fakeAgent.client();
        String printer = fakeAgent.printer("one", "");
        load(client, printer, spool(client, ""));
        String abs = client.made("/v1/materials/instances", "{\"materialType\":\"ABS\"}");
        client.patch("/v1/settings/store", "{\"requireApproval\":true}");
        String job = job(fakeAgent);
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo("Waiting-for-approval");
        load(client, printer, abs);
        client.patch("/v1/print-jobs/approve", "{\"printJobIds\":[\"" + job + "\"]}");
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo("Pending");

        client.patch("/v1/settings/store", "{\"requireApproval\":false}");
        load(client, printer, spool(client, ""));
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo("Sending-to-printer");
        assertThat(fakeAgent.exchange().at("commands[0].expiresAt")).asString().isGreaterThan("2");
        load(client, printer, abs);
        assertThat(fakeAgent.exchange().at("commands[0].expiresAt"))
                .as("for an agent without it")
                .isEqualTo("1970-01-01T00:00:00.000Z");
    }

    @Test
    default void shortageIsReportedAndJobWaitsWhenTheStoreSaysSo() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        Client client = fakeAgent.client();
        String printer = fakeAgent.printer("one", "");
        String spool = spool(client, ",\"remainingGrams\":25");
        load(client, printer, spool);
        assertThat(client.get("/v1/settings/store").at("requireSufficientMaterial"))
                .as("of a new store")
                .isEqualTo(true);
        String job = job(fakeAgent);
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo("Pending");
        String details = "/v1/print-jobs/" + job + "/matching-details";
        Answer waits = client.get(details);
        assertThat(waits.at("details." + printer + ".reasonCode")).isEqualTo("material-insufficient");
        assertThat(waits.at("details." + printer + ".reason")).asString().contains("A1", "15.0 g");
        assertThat(waits.at("details." + printer + ".data.lackingGrams")).hasToString("15");
        client.patch("/v1/printers/" + printer, "{\"printerCapabilityPatch\":{\"filament\":{\"autoRefill\":true}}}");
        assertThat(client.get(details).at("details." + printer + ".matched"))
                .as("it refills by itself")
                .isEqualTo(true);
        client.patch("/v1/printers/" + printer, "{\"printerCapabilityPatch\":{\"filament\":{\"autoRefill\":false}}}");
        client.patch("/v1/settings/store", "{\"requireSufficientMaterial\":false}");
        Answer warned = client.get(details);
        assertThat(warned.at("details." + printer + ".matched")).isEqualTo(true);
        assertThat(warned.at("details." + printer + ".data.failedChecks[0]")).isEqualTo("material-insufficient");
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo("Sending-to-printer");
        assertThat(client.get(details).at("details." + printer + ".data.lackingGrams"))
                .as("its own reservation is no shortage")
                .hasToString("15");
    }

    @Test
    default void jobStartsOnASpoolThatLacksFilamentWhenAPersonAllowsIt() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        Client client = fakeAgent.client();
        String printer = fakeAgent.printer("one", "");
        load(client, printer, spool(client, ",\"remainingGrams\":25"));
        String job = job(fakeAgent);
        String other = job(fakeAgent);
        fakeAgent.round();
        assertThat(fakeAgent.status(other)).isEqualTo("Pending");
        assertThat(client.patch("/v1/print-jobs/" + other, "{\"allowInsufficientMaterial\":true}")
                        .at("allowInsufficientMaterial"))
                .isEqualTo(true);
        Answer details = client.get("/v1/print-jobs/" + other + "/matching-details");
        assertThat(details.at("details." + printer + ".matched")).isEqualTo(true);
        assertThat(details.at("details." + printer + ".data.failedChecks[0]"))
                .as("still reported")
                .isEqualTo("material-insufficient");
        fakeAgent.round();
        assertThat(fakeAgent.status(other)).isEqualTo("Sending-to-printer");
        assertThat(fakeAgent.status(job)).isEqualTo("Pending");
    }

    @Test
    default void reportedWeightCorrectsTheSpoolUnlessPrinting() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        Client client = fakeAgent.client();
        String printer = fakeAgent.printer("one", "");
        String spool = spool(client, ",\"remainingGrams\":500");
        load(client, printer, spool);
        tells(fakeAgent, printer, "idle", 490);
        assertThat(grams(client, spool)).as("too little to be sure").isEqualTo("500 0");
        tells(fakeAgent, printer, "idle", 620);
        assertThat(grams(client, spool)).isEqualTo("620 0");
        Answer audited = client.get("/v1/audit-logs?entityId=" + spool + "&keyId=" + printer);
        assertThat(audited.at("[0].before.remainingGrams")).hasToString("500");
        assertThat(audited.at("[0].after.remainingGrams")).hasToString("620");
        assertThat(audited.at("[0].keyName")).isEqualTo("one");
        String job = job(fakeAgent);
        fakeAgent.round();
        fakeAgent.happened(printer, "jobStarted", job);
        tells(fakeAgent, printer, "printing", 300);
        tells(fakeAgent, printer, "idle", 300);
        assertThat(grams(client, spool)).as("while its job prints").isEqualTo("620 40");
        fakeAgent.happened(printer, "jobCompleted", job);
        tells(fakeAgent, printer, "finished", 300);
        assertThat(grams(client, spool)).isEqualTo("300 0");
    }

    private static void tells(FakeAgent fakeAgent, String printer, String status, int grams) {
        fakeAgent.exchange(
                List.of(),
                List.of(),
                List.of(fakeAgent.report(
                        printer,
                        status,
                        Map.of(),
                        List.of(Map.of(
                                "amsIndex",
                                0,
                                "slotIndex",
                                0,
                                "loaded",
                                true,
                                "materialType",
                                "PLA",
                                "remainingGrams",
                                grams)))));
    }
}
