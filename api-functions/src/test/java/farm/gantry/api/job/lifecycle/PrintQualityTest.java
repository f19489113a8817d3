package farm.gantry.api.job.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.browser.LampStore;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.Socket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests quality checks of finished prints: each rejected piece is reprinted once. */
final class PrintQualityTest {
    private final LampStore lampStore = LampStore.open(new Socket());
    private final FakeAgent fakeAgent = new FakeAgent(lampStore.store(), new Socket());
    private final Client client = lampStore.client();
    private String printer = "";

    @BeforeEach
    void setUp() {
        printer = fakeAgent.printer("K", "");
        lampStore.sku("VASE", LampStore.linked(ReadyParts.uploaded(lampStore.store(), client), "vase", 1, ""));
        lampStore.settings("{\"autoCloseOrders\":true}");
    }

    private String vase() {
        String order = String.valueOf(lampStore
                .ordered("{\"order\":{},\"items\":[{\"externalSku\":\"VASE\"}]}")
                .at("order.id"));
        lampStore.print(order);
        return order;
    }

    private String completed(String job) {
        started(job);
        fakeAgent.happened(printer, "jobCompleted", job);
        return job;
    }

    private void started(String job) {
        fakeAgent.confirm(printer);
        fakeAgent.round();
        fakeAgent.happened(printer, "jobStarted", job);
    }

    private Answer judge(String job, String body) {
        return client.patch("/v1/print-jobs/" + job + "/quality", body);
    }

    private List<String> replacementsOf(String job) {
        return client.get("/v1/print-jobs?replacesJobId=" + job).each("id");
    }

    @Test
    void rejectedPieceReopensItsOrderAndIsReprintedOnce() {
        String order = vase();
        String job = completed(lampStore.jobs(order, "").getFirst());
        assertThat(lampStore.of(order).at("status")).isEqualTo("closed");
        Answer judged = judge(job, "{\"good\":0,\"rejected\":1,\"reason\":\"Warped.\"}");
        assertThat(judged.status()).as(judged.text()).isEqualTo(200);
        assertThat(Stream.generate(() -> "{\"good\":0,\"rejected\":1,\"reason\":\"Warped.\"}")
                        .limit(6)
                        .parallel()
                        .map(body -> judge(job, body).status()))
                .containsOnly(200);
        String again = replacementsOf(job).getFirst();
        assertThat(replacementsOf(job)).hasSize(1);
        assertThat(fakeAgent.stored(again).at("queueOrder"))
                .isEqualTo(fakeAgent.stored(job).at("queueOrder"));
        assertThat(fakeAgent.stored(again).at("priority"))
                .isEqualTo(fakeAgent.stored(job).at("priority"));
        assertThat(fakeAgent.stored(again).at("policyReason"))
                .isEqualTo("Replaces job " + job + ", of which 1 piece was rejected: Warped.");
        assertThat(fakeAgent.stored(again).at("rejected")).isNull();
        assertThat(String.valueOf(fakeAgent.stored(job).at("policyReason"))).contains(again);
        assertThat(lampStore.of(order).at("status")).isEqualTo("open");
        assertThat(lampStore.progress(order)).isEqualTo("1 1 0 0 0");
        assertThat(lampStore.print(order).at("queued"))
                .as("it is queued already")
                .hasToString("0");
        completed(again);
        assertThat(lampStore.of(order).at("status")).isEqualTo("closed");
        assertThat(lampStore.progress(order)).isEqualTo("1 0 0 1 0");
        assertThat(client.get("/v1/part-builds?orderId=" + order).each("status"))
                .containsExactly("success");
    }

    @Test
    void withdrawnRejectionCancelsTheUnstartedReprint() {
        String order = vase();
        String job = completed(lampStore.jobs(order, "").getFirst());
        judge(job, "{\"good\":0,\"rejected\":1}");
        String again = replacementsOf(job).getFirst();
        judge(job, "{\"good\":1,\"rejected\":0}");
        assertThat(fakeAgent.status(again)).isEqualTo("Cancelled");
        assertThat(lampStore.of(order).at("status")).isEqualTo("closed");
        assertThat(client.get("/v1/part-builds?orderId=" + order).each("status"))
                .as("nothing of it is missing")
                .containsExactly("success");
        judge(job, "{\"good\":0,\"rejected\":1}");
        assertThat(replacementsOf(job)).containsExactly(again);
        assertThat(fakeAgent.status(again)).isEqualTo("Pending");
        started(again);
        judge(job, "{\"good\":1,\"rejected\":0}");
        assertThat(fakeAgent.status(again)).as("it prints").isEqualTo("Printing");
    }

    @Test
    void cancelledReprintIsQueuedAgainFromScratch() {
        String job = completed(lampStore.jobs(vase(), "").getFirst());
        judge(job, "{\"good\":0,\"rejected\":1}");
        String again = replacementsOf(job).getFirst();
        started(again);
        client.patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + again + "\"]}");
        judge(job, "{\"good\":0,\"rejected\":1}");
        Answer back = fakeAgent.stored(again);
        assertThat(back.at("status")).isEqualTo("Pending");
        assertThat(back.at("printingStartedAt")).isNull();
        assertThat(back.at("cancelledAt")).isNull();
        assertThat(back.at("assignedPrinterId")).isNull();
    }

    @Test
    void pieceWithAMissingFileIsRejectedWithoutAReprint() {
        String part = ReadyParts.uploaded(lampStore.store(), client);
        String job = completed(fakeAgent.jobOf(part, ""));
        assertThat(client.delete("/v1/parts/" + part).status()).isEqualTo(200);
        Answer judged = judge(job, "{\"good\":0,\"rejected\":1}");
        assertThat(judged.status()).as(judged.text()).isEqualTo(200);
        assertThat(judged.at("rejected")).hasToString("1");
        assertThat(judged.at("policyReason")).isEqualTo("It is not printed again because its file was deleted.");
        assertThat(replacementsOf(job)).isEmpty();
    }

    @Test
    void cancelledOrderGetsNoReprint() {
        String order = vase();
        String job = completed(lampStore.jobs(order, "").getFirst());
        client.patch("/v1/orders/batch/cancel", "{\"orderIds\":[\"" + order + "\"]}");
        judge(job, "{\"good\":0,\"rejected\":1}");
        assertThat(replacementsOf(job)).isEmpty();
        assertThat(lampStore.of(order).at("status")).isEqualTo("closed");
    }

    @Test
    void qualityIsSetOnlyForACompletedPrintWithValidCounts() {
        String job = fakeAgent.job("");
        assertThat(judge(job, "{\"good\":1,\"rejected\":0}").status()).isEqualTo(409);
        assertThat(judge(job, "{\"good\":0,\"rejected\":0}").text()).contains("\"path\":\"good\"");
        assertThat(judge(job, "{\"good\":1,\"rejected\":-1}").text()).contains("\"path\":\"rejected\"");
        assertThat(judge(job, "{\"good\":1,\"rejected\":0,\"objects\":[\"a\"]}").text())
                .contains("\"path\":\"objects\"");
    }

    @Test
    void onlyRejectedObjectsAreReprintedWhenTheFileNamesThem() {
        String part = ReadyParts.project(lampStore.store(), client, "gcode3mf", "");
        Map<String, Object> metadata = new HashMap<>(Map.of(
                "filamentColors", List.of(),
                "filamentType", List.of(),
                "nozzleDiameter", "",
                "printerModel", "",
                "profileCompat", Map.of("compatible", List.of(), "safe", List.of(), "sliced", "")));
        List<Map<String, Object>> objects = List.of(
                Map.of("identify_id", 11, "name", "Ring"),
                Map.of("identify_id", 12, "name", "Pin"),
                Map.of("identify_id", 13, "name", "Cap"));
        metadata.put(
                "plates",
                List.of(Map.of("id", 2, "gcodeFile", "Metadata/plate_2.gcode", "sliced", Map.of("objects", objects))));
        ReadyParts.change(lampStore.store(), part, "metadata", metadata);
        String job = completed(fakeAgent.jobOf(part, ""));
        judge(job, "{\"good\":2,\"rejected\":1,\"objects\":[\"Ring\"]}");
        String again = replacementsOf(job).getFirst();
        assertThat(fakeAgent.stored(again).at("extensions.3mf.skipObjects")).isEqualTo(List.of("12", "13"));
        completed(again);
        judge(again, "{\"good\":0,\"rejected\":1,\"objects\":[\"11\"]}");
        assertThat(fakeAgent.stored(replacementsOf(again).getFirst()).at("extensions.3mf.skipObjects"))
                .isEqualTo(List.of("12", "13"));
    }

    @Test
    void skippedObjectsCountAsRejected() {
        String job = fakeAgent.job("");
        started(job);
        Answer sent = client.post(
                "/v1/printer-commands/send",
                "{\"ids\":[\"" + printer
                        + "\"],\"command\":{\"command\":\"skip-objects\",\"objectIds\":[\"Ring_1\"]}}");
        assertThat(sent.status()).as(sent.text()).isEqualTo(201);
        Answer commands = fakeAgent.exchange();
        assertThat(commands.at("commands[1].action.command")).isEqualTo("skip-objects");
        fakeAgent.exchange(
                List.of(),
                List.of(Map.of("commandId", commands.at("commands[1].commandId"), "outcome", "taken")),
                List.of());
        assertThat(fakeAgent.stored(job).at("skippedObjects")).isEqualTo(List.of("Ring_1"));
        fakeAgent.happened(printer, "jobCompleted", job);
        assertThat(fakeAgent.stored(job).at("rejected")).hasToString("1");
        assertThat(fakeAgent.stored(job).at("good")).as("the number is unknown").isNull();
        String again = replacementsOf(job).getFirst();
        assertThat(fakeAgent.stored(again).at("skippedObjects")).isEqualTo(List.of());
        completed(again);
        assertThat(replacementsOf(again)).isEmpty();
    }

    @Test
    void skippedObjectsCountAsRejectedAfterAReconnect() {
        String job = fakeAgent.job("");
        started(job);
        client.post(
                "/v1/printer-commands/send",
                "{\"ids\":[\"" + printer
                        + "\"],\"command\":{\"command\":\"skip-objects\",\"objectIds\":[\"Ring_1\"]}}");
        Answer commands = fakeAgent.exchange();
        Map<String, Object> over =
                Map.of("jobId", job, "attempt", fakeAgent.stored(job).at("attempt"));
        fakeAgent.exchange(
                List.of(fakeAgent.event(printer, "jobCompleted", over)),
                List.of(Map.of("commandId", commands.at("commands[1].commandId"), "outcome", "taken")),
                List.of());
        assertThat(fakeAgent.stored(job).at("skippedObjects")).isEqualTo(List.of("Ring_1"));
        assertThat(fakeAgent.stored(job).at("rejected")).hasToString("1");
        assertThat(replacementsOf(job)).hasSize(1);
    }

    @Test
    void rejectedPiecesAreScrapInThePrintCost() {
        lampStore.settings("{\"costRates\":{\"printerHourCents\":0,\"labour\":{\"hourCents\":6000,\"minutesPerBed\":1,"
                + "\"minutesPerFilamentChange\":0,\"minutesPerOrder\":0}}}");
        String job = completed(fakeAgent.job(""));
        judge(job, "{\"good\":3,\"rejected\":1}");
        Answer cost = client.get("/v1/print-jobs/" + job + "/cost");
        double scrap = Double.parseDouble(String.valueOf(cost.at("scrapCents")));
        assertThat(scrap).as(cost.text()).isPositive();
        assertThat(Double.parseDouble(String.valueOf(cost.at("totalCents")))).isEqualTo(scrap * 4);
    }
}
