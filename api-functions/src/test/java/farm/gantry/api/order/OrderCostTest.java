package farm.gantry.api.order;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.browser.LampStore;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the cost of orders: estimated before they are printed, actual after. */
final class OrderCostTest {
    private final LampStore lampStore = LampStore.open(new Socket());
    private final FakeAgent fakeAgent = new FakeAgent(lampStore.store(), new Socket());

    private Answer cost(String order) {
        Answer cost = lampStore.client().get("/v1/orders/" + order + "/cost");
        assertThat(cost.status()).as(cost.text()).isEqualTo(200);
        return cost;
    }

    @Test
    void orderCostIsActualUsagePlusComponents() {
        Client client = lampStore.client();
        String printer = fakeAgent.printer("K", "");
        client.made(
                "/v1/materials",
                "{\"name\":\"m\",\"brand\":\"b\",\"tags\":[],\"type\":\"PLA\",\"pricePer1000g\":2000}");
        String part = ReadyParts.uploaded(lampStore.store(), client);
        ReadyParts.change(lampStore.store(), part, "slicingEstimate", ReadyParts.estimate("PLA", 100));
        String sku = lampStore.sku("VASE", LampStore.linked(part, "vase", 1, ""));
        String labor = client.made(
                "/v1/cost-components", "{\"name\":\"packing\",\"type\":\"labor\",\"unit\":\"min\",\"rate\":30}");
        client.made(
                "/v1/sku-costs", "{\"skuId\":\"" + sku + "\",\"costComponentId\":\"" + labor + "\",\"quantity\":2}");
        String order = String.valueOf(lampStore
                .ordered("{\"order\":{\"price\":2000},\"items\":[{\"externalSku\":\"VASE\",\"quantity\":2}]}")
                .at("order.id"));
        Answer estimate = cost(order);
        assertThat(estimate.at("grams")).hasToString("200");
        assertThat(estimate.at("seconds")).hasToString("1200");
        assertThat(estimate.at("filamentCents")).hasToString("400");
        assertThat(estimate.at("componentCents")).hasToString("120");
        assertThat(estimate.at("totalCents")).hasToString("520");
        assertThat(estimate.at("marginCents")).hasToString("1480");
        assertThat(estimate.at("currency")).isEqualTo("USD");
        assertThat(estimate.at("estimated")).isEqualTo(true);
        assertThat(estimate.at("isComplete")).isEqualTo(true);
        ReadyParts.change(lampStore.store(), part, "slicingEstimate", ReadyParts.unweighed("PLA"));
        assertThat(cost(order).at("isComplete")).as("of an unknown weight").isEqualTo(false);
        ReadyParts.change(lampStore.store(), part, "slicingEstimate", ReadyParts.estimate("PLA", 100));
        lampStore.print(order);
        assertThat(cost(order).at("totalCents")).as("queued").hasToString("520");
        lampStore.settings("{\"maxRetries\":1}");
        List<String> kinds = List.of("jobFailed", "jobCompleted", "jobCompleted");
        int[] grams = {30, 110, 90};
        for (int i = 0; i < kinds.size(); i++) {
            fakeAgent.confirm(printer);
            fakeAgent.round();
            String job = lampStore.jobs(order, "&status=sending-to-printer").getFirst();
            fakeAgent.happened(printer, "jobStarted", job);
            fakeAgent.exchange(
                    List.of(fakeAgent.event(
                            printer,
                            kinds.get(i),
                            Map.of(
                                    "jobId",
                                    job,
                                    "attempt",
                                    fakeAgent.stored(job).at("attempt"),
                                    "usedGrams",
                                    grams[i],
                                    "elapsedSeconds",
                                    500))),
                    List.of(),
                    List.of());
        }
        Answer counted = cost(order);
        assertThat(counted.at("grams")).as("the failed piece included").hasToString("230");
        assertThat(counted.at("seconds")).hasToString("1500");
        assertThat(counted.at("filamentCents")).hasToString("460");
        assertThat(counted.at("totalCents")).hasToString("580");
        assertThat(counted.at("estimated")).isEqualTo(false);
        assertThat(counted.at("items[0].skuId")).isEqualTo(sku);
        client.patch("/v1/orders/" + order, "{\"currency\":\"EUR\"}");
        assertThat(cost(order).at("marginCents")).as("in another currency").isNull();
        assertThat(client.get("/v1/orders/" + SharedApi.unknownId() + "/cost").status())
                .isEqualTo(404);
    }
}
