package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.browser.LampStore;
import farm.gantry.api.database.Database;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the reports of actual costs by job, by order and by period. */
public interface CostReportContract {
    Host host();

    private static String printed(FakeAgent fakeAgent, String printer, String kind, Map<String, ?> counted) {
        fakeAgent.confirm(printer);
        fakeAgent.round();
        String job = fakeAgent
                .client()
                .get("/v1/print-jobs?status=sending-to-printer&assignedPrinterId=" + printer)
                .each("id")
                .getFirst();
        fakeAgent.happened(printer, "jobStarted", job);
        Map<String, Object> event = new HashMap<>(counted);
        event.put("jobId", job);
        event.put("attempt", fakeAgent.stored(job).at("attempt"));
        fakeAgent.exchange(List.of(fakeAgent.event(printer, kind, event)), List.of(), List.of());
        return job;
    }

    /** Changes the job as if its print had taken two hours. */
    private static void lastsTwoHours(FakeAgent fakeAgent, String job) {
        SharedApi.bean(Database.class)
                .in(
                        fakeAgent.store().id(),
                        tx -> tx.update(
                                "update farm.\"printAttempt\" set \"startedAt\" = \"endedAt\" - interval '2 hours'"
                                        + " where \"storeId\" = ? and \"printJobId\" = ?",
                                fakeAgent.store().id().value(),
                                job));
    }

    @Test
    default void orderCostIncludesFailedAndGoodPrints() {
        LampStore lampStore = LampStore.open(host());
        FakeAgent fakeAgent = new FakeAgent(lampStore.store(), host());
        Client client = lampStore.client();
        Answer settings = client.patch(
                "/v1/settings/store",
                "{\"maxRetries\":1,\"costRates\":{\"printerHourCents\":50,\"energy\":{\"centsPerKwh\":30,\"windows\":[],"
                        + "\"models\":{\"*\":{\"heatingWatts\":0,\"heatingSeconds\":0,\"printingWatts\":100}}},"
                        + "\"labour\":{\"hourCents\":3000,\"minutesPerBed\":2,\"minutesPerOrder\":5}}}");
        assertThat(settings.status()).as(settings.text()).isEqualTo(200);
        assertThat(settings.at("costRates.labour.minutesPerBed")).hasToString("2");
        String printer = fakeAgent.printer("K", ", \"hourlyRate\": 100");
        client.made(
                "/v1/materials",
                "{\"name\":\"m\",\"brand\":\"b\",\"tags\":[],\"type\":\"PLA\",\"pricePer1000g\":2000}");
        String spool = client.made(
                "/v1/materials/instances", "{\"materialType\":\"PLA\",\"remainingGrams\":1000,\"pricePer1000g\":5000}");
        client.patch(
                "/v1/printer-slots/assign",
                "{\"printerIds\":[\"" + printer + "\"],\"slots\":[{\"amsIndex\":0,\"slotIndex\":0}],\"instanceId\":\""
                        + spool + "\"}");
        String part = ReadyParts.uploaded(lampStore.store(), client);
        ReadyParts.change(lampStore.store(), part, "slicingEstimate", ReadyParts.estimate("PLA", 100));
        ReadyParts.change(lampStore.store(), part, "materials", List.of(Map.of("index", 0, "type", "PLA")));
        lampStore.sku("VASE", LampStore.linked(part, "vase", 1, ""));
        String order = String.valueOf(lampStore
                .ordered(
                        "{\"order\":{\"orderNumber\":\"7\",\"price\":5000},\"items\":[{\"externalSku\":\"VASE\",\"quantity\":1}]}")
                .at("order.id"));
        lampStore.print(order);
        Answer estimate = client.get("/v1/orders/" + order + "/cost");
        assertThat(estimate.status()).as(estimate.text()).isEqualTo(200);
        assertThat(estimate.at("labourCents")).as("a bed and the order").hasToString("350");
        assertThat(estimate.at("basis.grams")).isEqualTo("assumed");
        String failed = printed(fakeAgent, printer, "jobFailed", Map.of("usedGrams", 20));
        lastsTwoHours(fakeAgent, failed);
        String good = printed(fakeAgent, printer, "jobCompleted", Map.of("usedGrams", 110));
        lastsTwoHours(fakeAgent, good);
        Answer cost = client.get("/v1/orders/" + order + "/cost");
        assertThat(cost.at("filamentCents")).as("130 g at the spool's price").hasToString("650");
        assertThat(cost.at("machineCents")).as("4 h of the printer").hasToString("400");
        assertThat(cost.at("energyCents")).as("0.4 kWh").hasToString("12");
        assertThat(cost.at("labourCents")).as("two beds and the order").hasToString("450");
        assertThat(cost.at("scrapCents"))
                .as("20 g, 2 h, 0.2 kWh, a bed and the order")
                .hasToString("656");
        assertThat(cost.at("totalCents")).hasToString("1512");
        assertThat(cost.at("marginCents")).hasToString("3488");
        assertThat(cost.at("basis.grams")).isEqualTo("measured");
        assertThat(cost.at("basis.energy")).isEqualTo("assumed");
        Answer ofJob = client.get("/v1/print-jobs/" + good + "/cost");
        assertThat(ofJob.at("totalCents")).as("550, 200, 6 and a bed").hasToString("856");
        assertThat(ofJob.at("scrapCents")).hasToString("0");
        assertThat(ofJob.at("isComplete")).isEqualTo(true);

        for (String grouping : List.of("day", "printer", "part", "sku", "order", "integration")) {
            Answer report = client.get("/v1/reports/costs?groupBy=" + grouping);
            assertThat(report.status()).as(report.text()).isEqualTo(200);
            assertThat(report.json().get("groups").size()).as(grouping).isEqualTo(1);
            assertThat(report.at("groups[0].prints")).isEqualTo(2);
            assertThat(report.at("groups[0].scrapPrints")).isEqualTo(1);
            assertThat(report.at("groups[0].totalCents")).hasToString("1512");
            assertThat(report.at("groups[0].hours")).hasToString("4");
            assertThat(report.at("groups[0].isComplete")).isEqualTo(true);
        }
        Answer ofOrders = client.get("/v1/reports/costs?groupBy=order");
        assertThat(ofOrders.at("groups[0].label")).isEqualTo("7");
        assertThat(ofOrders.at("groups[0].marginCents")).hasToString("3488");
        assertThat(ofOrders.at("groups[0].marginPerHourCents")).hasToString("872");
        assertThat(client.get("/v1/reports/costs?groupBy=printer").at("groups[0].label"))
                .isEqualTo("K");
        Instant before = Instant.now().minus(Duration.ofDays(2));
        assertThat(client.get("/v1/reports/costs?to=" + before)
                        .json()
                        .get("groups")
                        .size())
                .isZero();
    }

    @Test
    default void invalidReportIsRejectedAndOtherStoresAreExcluded() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        String printer = fakeAgent.printer("one", "");
        String job = fakeAgent.job("");
        printed(fakeAgent, printer, "jobCompleted", Map.of("usedGrams", 10));
        Client other = Client.of(host(), SharedApi.newStore().key());
        assertThat(other.get("/v1/reports/costs").json().get("groups").size()).isZero();
        assertThat(other.get("/v1/print-jobs/" + job + "/cost").status()).isEqualTo(404);
        assertThat(fakeAgent.client().get("/v1/print-jobs/" + job + "/cost").at("basis.labour"))
                .isEqualTo("notCounted");
        assertThat(fakeAgent.client().get("/v1/print-jobs/" + job + "/cost").at("basis.machine"))
                .isEqualTo("notCounted");
        fakeAgent.client().patch("/v1/printers/" + printer, "{\"hourlyRate\":100}");
        assertThat(fakeAgent.client().get("/v1/print-jobs/" + job + "/cost").at("basis.machine"))
                .as("the printer had no rate when the print ended")
                .isEqualTo("notCounted");
        assertThat(other.get("/v1/reports/costs?from=2030-01-01T00:00:00Z").at("details[0].path"))
                .isEqualTo("from");
        assertThat(other.get("/v1/reports/costs?groupBy=colour").status()).isEqualTo(400);
        assertThat(other.patch(
                                "/v1/settings/store",
                                "{\"costRates\":{\"energy\":{\"centsPerKwh\":1,\"models\":{},"
                                        + "\"windows\":[{\"from\":\"25:00\",\"until\":\"06:00\",\"centsPerKwh\":1}]}}}")
                        .status())
                .isEqualTo(400);
    }
}
