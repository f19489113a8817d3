package farm.gantry.api.cost;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.browser.LampStore;
import farm.gantry.api.database.Database;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the cost of finished prints after rates change, and that exact estimates equal the actual cost. */
final class PastCostsTest {
    private static final String RATES =
            "{\"costRates\":{\"printerHourCents\":%s,\"energy\":{\"centsPerKwh\":%s,\"windows\":[],\"models\":{\"Trident\":"
                    + "{\"heatingWatts\":1000,\"heatingSeconds\":60,\"printingWatts\":200}}},"
                    + "\"labour\":{\"hourCents\":%s,\"minutesPerBed\":3,\"minutesPerOrder\":10}}}";

    private final LampStore lampStore = LampStore.open(new Socket());
    private final FakeAgent fakeAgent = new FakeAgent(lampStore.store(), new Socket());
    private final Client client = lampStore.client();

    private String material(int price) {
        return client.made(
                "/v1/materials",
                "{\"name\":\"m\",\"brand\":\"b\",\"tags\":[],\"type\":\"PLA\",\"pricePer1000g\":" + price + "}");
    }

    private String order(int pieces) {
        return order(pieces, Map.of());
    }

    private String order(int pieces, Map<String, String> printTags) {
        String part = ReadyParts.uploaded(lampStore.store(), client);
        ReadyParts.change(lampStore.store(), part, "slicingEstimate", ReadyParts.estimate("PLA", 100));
        ReadyParts.change(lampStore.store(), part, "materials", List.of(Map.of("index", 0, "type", "PLA")));
        ReadyParts.change(lampStore.store(), part, "printTags", printTags);
        lampStore.sku("VASE", LampStore.linked(part, "vase", 1, ""));
        return String.valueOf(lampStore
                .ordered("{\"order\":{\"price\":5000},\"items\":[{\"externalSku\":\"VASE\",\"quantity\":" + pieces
                        + "}]}")
                .at("order.id"));
    }

    /** Prints the next job within exactly the estimated time, ten minutes. */
    private String printed(String printer) {
        fakeAgent.confirm(printer);
        fakeAgent.round();
        String job = client.get("/v1/print-jobs?status=sending-to-printer&assignedPrinterId=" + printer)
                .each("id")
                .getFirst();
        fakeAgent.happened(printer, "jobStarted", job);
        Map<String, ?> end = Map.of(
                "jobId", job, "attempt", fakeAgent.stored(job).at("attempt"), "usedGrams", 100, "elapsedSeconds", 600);
        fakeAgent.exchange(List.of(fakeAgent.event(printer, "jobCompleted", end)), List.of(), List.of());
        SharedApi.bean(Database.class)
                .in(
                        lampStore.store().id(),
                        tx -> tx.update(
                                "update farm.\"printAttempt\" set \"startedAt\" = \"endedAt\" - interval '10 minutes'"
                                        + " where \"storeId\" = ? and \"printJobId\" = ?",
                                lampStore.store().id().value(),
                                job));
        return job;
    }

    private String cost(String path) {
        Answer cost = client.get(path);
        assertThat(cost.status()).as(cost.text()).isEqualTo(200);
        return cost.text();
    }

    private List<String> groups(Answer report) {
        return List.of(
                String.valueOf(report.at("groups[0].totalCents")), String.valueOf(report.at("groups[0].currency")));
    }

    @Test
    void costOfAFinishedPrintStaysWhenRatesChange() {
        lampStore.settings(RATES.formatted("6000", "30", "6000"));
        String printer = fakeAgent.printer("K", ", \"modelName\": \"Trident\"");
        String material = material(2000);
        String order = order(1);
        lampStore.print(order);
        String job = printed(printer);
        String ofJob = cost("/v1/print-jobs/" + job + "/cost");
        String ofOrder = cost("/v1/orders/" + order + "/cost");
        List<String> ofDay = groups(client.get("/v1/reports/costs"));

        lampStore.settings(RATES.formatted("12000", "60", "3000"));
        client.patch("/v1/printers/" + printer, "{\"hourlyRate\":999,\"modelName\":\"Mini\"}");
        client.patch("/v1/materials/" + material, "{\"pricePer1000g\":4000}");
        lampStore.settings("{\"currency\":\"JPY\",\"timezone\":\"Asia/Tokyo\"}");
        assertThat(cost("/v1/print-jobs/" + job + "/cost")).isEqualTo(ofJob);
        assertThat(cost("/v1/orders/" + order + "/cost")).isEqualTo(ofOrder);
        assertThat(groups(client.get("/v1/reports/costs"))).isEqualTo(ofDay);
    }

    @Test
    void correctionAppliesToItsPeriodUntilDeletedAndIsLogged() {
        lampStore.settings(RATES.formatted("6000", "30", "6000"));
        String printer = fakeAgent.printer("K", ", \"modelName\": \"Trident\"");
        material(2000);
        String order = order(1);
        lampStore.print(order);
        String path = "/v1/print-jobs/" + printed(printer) + "/cost";
        assertThat(client.get(path).at("machineCents")).hasToString("1000");
        Instant now = Instant.now();
        String body = "{\"from\":\"" + now.minus(Duration.ofDays(1)) + "\",\"to\":\"" + now.plus(Duration.ofDays(1))
                + "\",\"printerId\":\"" + printer
                + "\",\"costRates\":{\"printerHourCents\":3000},\"pricePer1000g\":3000,\"reason\":\"wrong invoice\"}";
        String correction = client.made("/v1/cost-corrections", body);
        assertThat(client.get(path).at("machineCents")).hasToString("500");
        assertThat(client.get(path).at("filamentCents")).hasToString("300");
        assertThat(client.get(path).at("labourCents")).as("as it was").hasToString("1300");
        assertThat(client.get("/v1/audit-logs?entityId=" + correction).at("[0].after.reason"))
                .isEqualTo("wrong invoice");
        client.delete("/v1/cost-corrections/" + correction);
        assertThat(client.get(path).at("machineCents")).hasToString("1000");
        assertThat(client.post(
                                "/v1/cost-corrections",
                                body.replace("\"to\":\"", "\"to\":\"2020-01-01T00:00:00Z\",\"x\":\""))
                        .status())
                .isEqualTo(400);
    }

    /** Notes that the job's filament came from the spool, at a price of 20.00 a kilogram. */
    private void takenFrom(String spool, String job) {
        String store = lampStore.store().id().value();
        SharedApi.bean(Database.class)
                .in(
                        lampStore.store().id(),
                        tx -> tx.update(
                                "insert into farm.\"filamentUse\" (\"storeId\", \"printJobId\", attempt, \"amsIndex\","
                                        + " \"slotIndex\", \"instanceId\", share, \"usedGrams\", \"pricePer1000g\","
                                        + " \"usedAt\") values (?, ?, 1, 0, 0, ?, 1, 100, 2000, now()) on conflict"
                                        + " (\"storeId\", \"printJobId\", attempt, \"amsIndex\", \"slotIndex\") do update"
                                        + " set \"instanceId\" = excluded.\"instanceId\", \"usedGrams\" = 100,"
                                        + " \"pricePer1000g\" = 2000",
                                store,
                                job,
                                spool));
    }

    @Test
    void correctionOfASpoolAndOfTheCurrencyApplyToTheirPeriodUntilDeleted() {
        lampStore.settings(RATES.formatted("6000", "30", "6000"));
        String printer = fakeAgent.printer("K", ", \"modelName\": \"Trident\"");
        String variant =
                client.made("/v1/materials/variants", "{\"name\":\"red\",\"materialId\":\"" + material(2000) + "\"}");
        String spool =
                client.made("/v1/materials/instances", "{\"variantId\":\"" + variant + "\",\"remainingGrams\":1000}");
        String order = order(1);
        lampStore.print(order);
        String job = printed(printer);
        takenFrom(spool, job);
        String path = "/v1/print-jobs/" + job + "/cost";
        assertThat(client.get(path).at("filamentCents")).hasToString("200");
        client.patch("/v1/materials/instances/" + spool, "{\"pricePer1000g\":9000}");
        assertThat(client.get(path).at("filamentCents")).as("as it was").hasToString("200");
        Instant now = Instant.now();
        String period = "{\"from\":\"" + now.minus(Duration.ofDays(1)) + "\",\"to\":\"" + now.plus(Duration.ofDays(1))
                + "\",\"reason\":\"wrong invoice\",";
        String ofSpool = client.made(
                "/v1/cost-corrections", period + "\"instanceId\":\"" + spool + "\",\"pricePer1000g\":3000}");
        String ofCurrency = client.made("/v1/cost-corrections", period + "\"currency\":\"CHF\"}");
        assertThat(client.get(path).at("filamentCents")).hasToString("300");
        assertThat(client.get(path).at("currency")).isEqualTo("CHF");
        client.delete("/v1/cost-corrections/" + ofSpool);
        client.delete("/v1/cost-corrections/" + ofCurrency);
        assertThat(client.get(path).at("filamentCents")).hasToString("200");
        assertThat(client.get(path).at("currency")).isEqualTo("USD");
        assertThat(client.post("/v1/cost-corrections", period + "\"instanceId\":\"" + spool + "\"}")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void actualOrderCostEqualsACorrectEstimate() {
        lampStore.settings(RATES.formatted("6000", "30", "6000"));
        String printer = fakeAgent.printer("K", ", \"modelName\": \"Trident\", \"hourlyRate\": 3000");
        material(2000);
        String order = order(2);
        String path = "/v1/orders/" + order + "/cost";
        Answer estimate = client.get(path);
        assertThat(estimate.at("estimated")).isEqualTo(true);
        assertThat(estimate.at("labourCents")).as("two beds and the order").hasToString("1600");
        lampStore.print(order);
        Answer queued = client.get(path);
        printed(printer);
        Answer half = client.get(path);
        printed(printer);
        Answer counted = client.get(path);
        assertThat(counted.at("estimated")).isEqualTo(false);
        for (String member : List.of(
                "grams",
                "seconds",
                "filamentCents",
                "machineCents",
                "energyCents",
                "labourCents",
                "totalCents",
                "marginCents",
                "marginPerHourCents")) {
            assertThat(List.of(estimate.at(member), queued.at(member), half.at(member)))
                    .as(member)
                    .containsOnly(counted.at(member));
        }
    }

    @Test
    void estimateOfAJobEqualsItsCost() {
        lampStore.settings(RATES.formatted("6000", "30", "6000"));
        String printer = fakeAgent.printer("K", ", \"modelName\": \"Trident\"");
        material(2000);
        String order = order(2);
        lampStore.print(order);
        for (String minutes : List.of("1300", "300")) {
            String next = client.get("/v1/print-jobs?status=Pending&sort=queueOrder&orderId=" + order)
                    .each("id")
                    .getFirst();
            Answer estimate = client.get("/v1/print-jobs/" + next + "/cost");
            assertThat(printed(printer)).isEqualTo(next);
            Answer counted = client.get("/v1/print-jobs/" + next + "/cost");
            assertThat(counted.at("labourCents")).hasToString(minutes);
            for (String member : List.of("filamentCents", "machineCents", "energyCents", "labourCents", "totalCents")) {
                assertThat(estimate.at(member)).as(member).isEqualTo(counted.at(member));
            }
        }
    }

    @Test
    void estimateOfAnOrderUsesThePrintersOfThePartsTags() {
        lampStore.settings(RATES.formatted("6000", "30", "6000"));
        String costly = fakeAgent.printer("K", ", \"modelName\": \"Trident\", \"hourlyRate\": 3000");
        fakeAgent.printer("L", ", \"modelName\": \"Trident\", \"hourlyRate\": 1000");
        material(2000);
        String order = order(1, Map.of("printer.id", "|=" + costly + ",another"));
        String path = "/v1/orders/" + order + "/cost";
        Answer estimate = client.get(path);
        lampStore.print(order);
        Answer queued = client.get(path);
        printed(costly);
        Answer counted = client.get(path);
        assertThat(counted.at("machineCents")).hasToString("500");
        assertThat(List.of(estimate.at("totalCents"), queued.at("totalCents"))).containsOnly(counted.at("totalCents"));
    }
}
