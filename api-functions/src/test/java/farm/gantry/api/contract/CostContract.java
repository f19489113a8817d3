package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Uploads;
import farm.gantry.api.part.PartIngest;
import farm.gantry.part.Processing;
import farm.gantry.part.SlicingEstimate;
import farm.gantry.wire.StageReport;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the cost of a SKU is right after every change of its parts, materials and components. */
public interface CostContract {
    Host host();

    private static String material(Client client, String type, int price) {
        return client.made(
                "/v1/materials",
                "{\"name\":\"m\",\"brand\":\"b\",\"tags\":[],\"type\":\"" + type + "\",\"pricePer1000g\":" + price
                        + "}");
    }

    private static String sku(Client client, String part, String rest) {
        return client.made(
                "/v1/skus",
                "{\"sku\":\"S-" + part + "\",\"title\":\"t\",\"linkedParts\":[{\"partId\":\"" + part
                        + "\",\"label\":\"\",\"quantity\":2,\"parameters\":[],\"exposedParameters\":[]" + rest + "}]}");
    }

    private static void assertCosts(Client client, String sku, int cents) {
        assertThat(client.get("/v1/skus/" + sku).at("totalCogs")).hasToString(String.valueOf(cents));
    }

    @Test
    default void filamentCostIsGramsTimesPriceOfItsMaterial() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String pla = material(client, "PLA", 2000);
        String petg = material(client, "PETG", 3000);
        String part = ReadyParts.insert(store, ReadyParts.estimate("PLA", 50, "PLA", 10));
        String sku = sku(
                client,
                part,
                ",\"materialAssignments\":{\"0\":[{\"materialId\":\"" + pla + "\"}],\"1\":[{\"materialId\":\"" + petg
                        + "\"}]}");
        assertCosts(client, sku, 2 * (100 + 30));
        client.patch("/v1/materials/" + pla, "{\"pricePer1000g\":4000}");
        assertCosts(client, sku, 2 * (200 + 30));
        String linked = String.valueOf(client.get("/v1/skus/" + sku).at("linkedParts[0].id"));
        client.patch("/v1/linked-parts/" + linked, "{\"quantity\":3}");
        assertCosts(client, sku, 3 * (200 + 30));
        client.patch("/v1/linked-parts", "{\"ids\":[\"" + linked + "\"],\"update\":{\"skuId\":null}}");
        assertCosts(client, sku, 0);
        client.patch("/v1/skus/" + sku, "{\"linkedParts\":[{\"id\":\"" + linked + "\",\"quantity\":1}]}");
        assertCosts(client, sku, 230);
        client.delete("/v1/linked-parts/" + linked);
        assertCosts(client, sku, 0);
    }

    @Test
    default void priceOfVariantGroupOrTypeIsUsedForThePartsChoice() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String pla = material(client, "PLA", 1000);
        String red = client.made(
                "/v1/materials/variants", "{\"name\":\"red\",\"materialId\":\"" + pla + "\",\"pricePer1000g\":5000}");
        String blue = client.made("/v1/materials/variants", "{\"name\":\"blue\",\"materialId\":\"" + pla + "\"}");
        String part = ReadyParts.insert(store, ReadyParts.estimate("PLA", 100));
        String sku = sku(client, part, "");
        assertCosts(client, sku, 2 * 100);
        material(client, "PLA", 3000);
        assertCosts(client, sku, 2 * 200);
        String assign = "{\"assignedMaterials\":{\"0\":[%s]}}";
        client.patch("/v1/parts/" + part, assign.formatted("{\"variantId\":\"" + red + "\"}"));
        assertCosts(client, sku, 2 * 500);
        client.patch("/v1/parts/" + part, assign.formatted("{\"variantId\":\"" + blue + "\"}"));
        assertCosts(client, sku, 2 * 100);
        String group = client.made("/v1/materials/groups", "{\"name\":\"g\"}");
        client.patch("/v1/parts/" + part, assign.formatted("{\"groupId\":\"" + group + "\"}"));
        assertCosts(client, sku, 0);
        for (String variant : List.of(red, blue)) {
            client.made(
                    "/v1/materials/group-members", "{\"groupId\":\"" + group + "\",\"variantId\":\"" + variant + "\"}");
        }
        assertCosts(client, sku, 2 * 300);
        client.patch("/v1/parts/" + part, assign.formatted("{\"materialType\":\"NYLON\"},{\"materialType\":\"PLA\"}"));
        assertCosts(client, sku, 2 * 200);
    }

    @Test
    default void costIncludesAPartOnceItIsEstimated() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        material(client, "PLA", 1000);
        Uploads uploads = new Uploads(client);
        String part = client.made("/v1/parts", uploads.part("a.gcode", "gcode", ""));
        String sku = sku(client, part, "");
        assertCosts(client, sku, 0);
        String breakdown = "/v1/sku-costs/breakdown/" + sku;
        assertThat(client.get(breakdown).at("isComplete"))
                .as("without an estimate")
                .isEqualTo(false);
        Answer stored = client.get("/v1/parts/" + part);
        SharedApi.bean(PartIngest.class)
                .apply(List.of(new StageReport(
                        store.id().value(),
                        part,
                        String.valueOf(stored.at("processing.workflowKey")),
                        new Processing.Stage(Processing.StageKey.estimate, Processing.StageStatus.done, 1, null),
                        StageReport.Findings.ofEstimate(ReadyParts.estimate("PLA", 70)))));
        assertCosts(client, sku, 2 * 70);
        assertThat(client.get(breakdown).at("isComplete")).isEqualTo(true);
        ReadyParts.change(store, part, "slicingEstimate", ReadyParts.unweighed("PLA"));
        assertThat(client.get(breakdown).at("isComplete"))
                .as("without a weight")
                .isEqualTo(false);
        client.patch("/v1/parts/" + part, "{\"fileUris\":[\"" + uploads.put("b.gcode") + "\"]}");
        assertCosts(client, sku, 0);
    }

    @Test
    default void platesAreCountedByQuantity() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        material(client, "PLA", 1000);
        SlicingEstimate one = ReadyParts.estimate("PLA", 10);
        SlicingEstimate two = ReadyParts.estimate("PLA", 100);
        SlicingEstimate both = new SlicingEstimate(
                1200,
                110.0,
                one.slicedAt(),
                one.slicerVersion(),
                ReadyParts.estimate("PLA", 110).materials(),
                List.of(
                        new SlicingEstimate.Plate(1, 600, one.materials(), 10.0, null, null),
                        new SlicingEstimate.Plate(2, 600, two.materials(), 100.0, null, null)),
                null,
                null,
                null,
                null);
        String part = ReadyParts.insert(store, both);
        String plates = ",\"extensions\":{\"3mf\":{\"plateQuantities\":%s}}";
        assertCosts(client, sku(client, part, plates.formatted("{}")), 2 * 110);
        String sku = client.made(
                "/v1/skus",
                "{\"sku\":\"P\",\"title\":\"t\",\"linkedParts\":[{\"partId\":\"" + part
                        + "\",\"label\":\"\",\"quantity\":1,\"parameters\":[],\"exposedParameters\":[]"
                        + plates.formatted("{\"1\":3}") + "}]}");
        assertCosts(client, sku, 30);
    }

    @Test
    default void breakdownNamesEachComponent() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        material(client, "PLA", 2000);
        String part = ReadyParts.insert(store, ReadyParts.estimate("PLA", 50, "ABS", 10));
        String sku = sku(client, part, "");
        String labor = client.made(
                "/v1/cost-components", "{\"name\":\"packing\",\"type\":\"labor\",\"unit\":\"min\",\"rate\":33.3}");
        String cost = client.made(
                "/v1/sku-costs", "{\"skuId\":\"" + sku + "\",\"costComponentId\":\"" + labor + "\",\"quantity\":1.5}");
        assertCosts(client, sku, 250);
        Answer breakdown = client.get("/v1/sku-costs/breakdown/" + sku);
        assertThat(breakdown.status()).as(breakdown.text()).isEqualTo(200);
        assertThat(breakdown.at("totalCogs")).hasToString("250");
        assertThat(breakdown.at("filamentCents")).hasToString("200");
        assertThat(breakdown.at("componentCents")).hasToString("49.95");
        assertThat(breakdown.at("filaments[0].grams")).hasToString("50");
        assertThat(breakdown.at("filaments[0].pricePer1000g")).hasToString("2000");
        assertThat(breakdown.at("filaments[0].cents")).hasToString("200");
        assertThat(breakdown.at("filaments[1].materialType")).isEqualTo("ABS");
        assertThat(breakdown.at("filaments[1].pricePer1000g")).isNull();
        assertThat(breakdown.at("components[0].skuCostId")).isEqualTo(cost);
        assertThat(breakdown.at("components[0].name")).isEqualTo("packing");
        assertThat(client.delete("/v1/cost-components/" + labor).at("message"))
                .asString()
                .contains(cost);
        client.patch("/v1/cost-components/" + labor, "{\"rate\":100}");
        assertCosts(client, sku, 350);
        client.delete("/v1/sku-costs/" + cost);
        assertCosts(client, sku, 200);
        assertThat(client.get("/v1/sku-costs/breakdown/" + SharedApi.unknownId())
                        .status())
                .isEqualTo(404);
    }

    @Test
    default void totalIsCappedAtTheLargestExactInteger() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String sku = sku(client, ReadyParts.insert(store, ReadyParts.estimate("PLA", 1)), "");
        String gold = client.made(
                "/v1/cost-components", "{\"name\":\"gold\",\"type\":\"material\",\"unit\":\"t\",\"rate\":1e15}");
        client.made(
                "/v1/sku-costs", "{\"skuId\":\"" + sku + "\",\"costComponentId\":\"" + gold + "\",\"quantity\":16.25}");
        assertThat(client.get("/v1/skus/" + sku).at("totalCogs")).hasToString("9007199254740991");
        assertThat(client.patch("/v1/cost-components/" + gold, "{\"rate\":1.1e15}")
                        .at("details[0].path"))
                .isEqualTo("rate");
        assertThat(client.patch("/v1/cost-components/" + gold, "{\"rate\":4}").status())
                .isEqualTo(200);
        assertCosts(client, sku, 65);
    }

    @Test
    default void unchangedTotalDoesNotUpdateTheSku() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String pla = material(client, "PLA", 2000);
        String sku = sku(client, ReadyParts.insert(store, ReadyParts.estimate("PLA", 50)), "");
        String before = client.get("/v1/skus/" + sku).text();
        client.patch("/v1/materials/" + pla, "{\"starred\":true}");
        assertThat(client.get("/v1/skus/" + sku).text()).isEqualTo(before);
        client.patch("/v1/materials/" + pla, "{\"pricePer1000g\":null}");
        Answer after = client.get("/v1/skus/" + sku);
        assertThat(after.at("totalCogs")).hasToString("0");
        assertThat(String.valueOf(after.at("updatedAt")))
                .isGreaterThan(String.valueOf(
                        Answer.tree(Client.utf8(before)).get("updatedAt").getStringValue()));
    }
}
