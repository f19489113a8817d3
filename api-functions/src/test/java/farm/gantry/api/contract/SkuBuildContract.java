package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.browser.LampStore;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import org.junit.jupiter.api.Test;

/** Tests build requests of SKUs: the parts of each instance, with the settings of SKU, inputs and request. */
public interface SkuBuildContract {
    Host host();

    private static String linked(String part, String label, int quantity, String rest) {
        return "{\"partId\":\"" + part + "\",\"label\":\"" + label + "\",\"quantity\":" + quantity
                + ",\"parameters\":[],\"exposedParameters\":[\"width\"]" + rest + "}";
    }

    private static Answer sku(Client client, String... linkedParts) {
        Answer made = client.post(
                "/v1/skus",
                "{\"sku\":\"LAMP-1\",\"title\":\"Lamp\",\"linkedParts\":[" + String.join(",", linkedParts) + "]}");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        return made;
    }

    private static String wish(String rest) {
        return "{\"skus\":[{\"sku\":\"LAMP-1\"" + rest + "}]}";
    }

    @Test
    default void buildRejectsAnItemOfAnotherOrder() {
        LampStore lampStore = LampStore.open(host());
        String order = lampStore.order(1);
        String other = lampStore.order(1);
        Answer refused = lampStore
                .client()
                .post(
                        "/v2/builds",
                        wish(",\"order\":{\"orderId\":\"" + order + "\",\"orderItemId\":\"" + lampStore.item(other)
                                + "\"}"));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text()).contains("skus[0].order.orderItemId", "the item belongs to another order");
        Answer unknown = lampStore
                .client()
                .post(
                        "/v2/builds/preview",
                        wish(",\"order\":{\"orderId\":\"" + order + "\",\"orderItemId\":\"" + SharedApi.unknownId()
                                + "\"}"));
        assertThat(BuildContract.paths(unknown)).containsExactly("skus[0].order.orderItemId");
        assertThat(lampStore.jobs(order, "")).isEmpty();
    }

    @Test
    default void skuInstanceIsPrintedCompletelyBeforeTheNext() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String part = ReadyParts.uploaded(store, client);
        Answer sku =
                sku(client, linked(part, "foot", 2, ""), linked(part, "shade", 1, ""), linked(part, "none", 0, ""));
        Answer ordered = client.post("/v1/orders", "{\"order\":{},\"items\":[{\"title\":\"Lamp\",\"quantity\":2}]}");
        String order = String.valueOf(ordered.at("order.id"));
        String item = String.valueOf(ordered.at("items[0].id"));
        Answer built = BuildContract.built(
                client,
                wish(",\"quantity\":2,\"order\":{\"orderId\":\"" + order + "\",\"orderItemId\":\"" + item + "\"}"));
        String skuBuild = String.valueOf(built.at("skuBuilds[0].id"));
        assertThat(built.at("skuBuilds[0].skuId")).isEqualTo(sku.at("id"));
        assertThat(built.at("skuBuilds[0].quantity")).hasToString("2");
        assertThat(built.at("partBuilds[1].skuBuildId")).isEqualTo(skuBuild);
        assertThat(built.at("partBuilds[2]")).isEqualTo("(absent)");
        Answer jobs = client.get("/v1/print-jobs?sort=queueOrder&include=sku,partBuild&orderId=" + order);
        assertThat(jobs.each("label")).containsExactly("foot", "foot", "shade", "foot", "foot", "shade");
        assertThat(jobs.each("skuInstance")).containsExactly("1", "1", "1", "2", "2", "2");
        assertThat(jobs.each("quantityIndex")).containsExactly("1", "2", "1", "3", "4", "2");
        assertThat(jobs.each("quantityTotal")).containsExactly("4", "4", "2", "4", "4", "2");
        assertThat(jobs.each("skuName")).containsOnly("Lamp");
        assertThat(jobs.each("sku.sku")).containsOnly("LAMP-1");
        assertThat(jobs.each("orderItemId")).containsOnly(item);
        assertThat(jobs.at("[0].linkedPartId")).isEqualTo(sku.at("linkedParts[0].id"));
        Answer got = client.get("/v1/sku-builds/" + skuBuild + "?include=partBuilds,sku");
        assertThat(got.at("partBuilds[0].orderId")).isEqualTo(order);
        assertThat(got.at("sku.title")).isEqualTo("Lamp");
        assertThat(client.post("/v1/sku-builds/search", "{\"filter\":{\"orderId\":\"" + order + "\"}}")
                        .each("id"))
                .containsExactly(skuBuild);
        assertThat(client.get("/v1/part-builds?include=skuBuild").at("[0].skuBuild.skuName"))
                .isEqualTo("Lamp");
    }

    @Test
    default void skuBuildHasTheStatusOfItsPartBuilds() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String part = ReadyParts.uploaded(store, client);
        sku(client, linked(part, "foot", 1, ""), linked(part, "shade", 1, ""));
        String skuBuild = String.valueOf(BuildContract.built(client, wish("")).at("skuBuilds[0].id"));
        for (String status : new String[] {"queued", "cancelled"}) {
            String job = client.get("/v1/print-jobs?status=pending").each("id").getFirst();
            client.patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + job + "\"]}");
            assertThat(client.get("/v1/sku-builds/" + skuBuild).at("status")).isEqualTo(status);
        }
        assertThat(client.get("/v1/sku-builds/" + skuBuild).at("cancelledAt")).isNotNull();
        Answer archived = client.patch("/v1/sku-builds/archive", "{\"ids\":[\"" + skuBuild + "\"]}");
        assertThat(archived.at("[0].dismissed")).isEqualTo(true);
        assertThat(client.get("/v1/part-builds").each("dismissed")).containsOnly("true");
        assertThat(client.get("/v1/print-jobs?hidden=true").json().size()).isEqualTo(2);
        Answer missing = client.patch("/v1/sku-builds/archive", "{\"ids\":[\"" + SharedApi.unknownId() + "\"]}");
        assertThat(missing.status()).isEqualTo(404);
        assertThat(missing.at("missing[0]")).asString().hasSize(24);
    }

    @Test
    default void requestOverridesTheInputAndTheInputOverridesTheSku() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String part = ReadyParts.project(store, client, "gcode3mf", BuildContract.PARAMETERS);
        String fixed = ",\"parameters\":[{\"name\":\"width\",\"type\":\"number\",\"value\":15}],"
                + "\"parameterBindings\":{\"width\":\"size\"},\"extensions\":{\"3mf\":{\"plateQuantities\":{\"2\":1}}}";
        Answer sku = sku(client, linked(part, "foot", 1, "").replace(",\"parameters\":[]", fixed));
        String id = String.valueOf(sku.at("linkedParts[0].id"));
        String config = ",\"linkedPartConfigs\":{\"" + id + "\":{\"parameters\":{\"width\":20}}}";
        BuildContract.built(client, wish(""));
        BuildContract.built(client, wish(",\"parameters\":{\"size\":17.5}"));
        BuildContract.built(client, wish(",\"parameters\":{\"size\":17.5}" + config));
        assertThat(client.get("/v1/print-jobs?sort=queueOrder").each("parameterOverrides[0].value"))
                .containsExactly("15", "17.5", "20");
        assertThat(client.get("/v1/sku-builds").at("[1].parameters.size")).hasToString("17.5");
    }

    @Test
    default void allErrorsOfASkuRequestNameTheirPaths() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String part = ReadyParts.project(store, client, "gcode3mf", BuildContract.PARAMETERS);
        Answer sku = sku(
                client,
                linked(
                        part,
                        "foot",
                        1,
                        ",\"parameterBindings\":{\"text\":\"name\"},\"plateQuantitiesBinding\":\"many\","
                                + "\"sequenceBindings\":{\"lid\":\"nobody\"}"));
        String id = String.valueOf(sku.at("linkedParts[0].id"));
        String unknown = SharedApi.unknownId();
        assertThat(BuildContract.paths(client.post("/v2/builds", wish("""
                        ,"parameters":{"name":"Cid","many":"two","colour":"red"},"linkedPartConfigs":{
                          "%s":{"parameters":{"width":9,"text":"Ann"},"materials":{"0":[{"groupId":"%s"}]}},
                          "%s":{}}""".formatted(id, unknown, unknown)))))
                .containsExactlyInAnyOrder(
                        "skus[0].parameters.name",
                        "skus[0].parameters.many",
                        "skus[0].parameters.colour",
                        "skus[0].linkedPartConfigs." + id + ".parameters.width",
                        "skus[0].linkedPartConfigs." + id + ".parameters.text",
                        "skus[0].linkedPartConfigs." + id + ".parameters.lid",
                        "skus[0].linkedPartConfigs." + id + ".materials.0[0].groupId",
                        "skus[0].linkedPartConfigs." + unknown);
        assertThat(BuildContract.paths(client.post(
                        "/v2/builds",
                        "{\"skus\":[{\"sku\":\"LAMP-2\"},{\"skuId\":\"" + unknown + "\",\"quantity\":1}]}")))
                .containsExactly("skus[0].sku", "skus[1].skuId");
        assertThat(BuildContract.paths(client.post("/v2/builds", "{\"skus\":[{},{\"sku\":\"x\",\"quantity\":0}]}")))
                .containsExactly("skus[1].quantity");
        assertThat(BuildContract.paths(client.post("/v2/builds", "{\"skus\":[{}]}")))
                .containsExactly("skus[0].skuId");
    }

    @Test
    default void inputSetsPlateQuantitiesAndSkuSetsLabelsAndSelection() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String part = ReadyParts.project(store, client, "gcode3mf", "");
        sku(
                client,
                linked(
                        part,
                        "foot",
                        1,
                        ",\"plateQuantitiesBinding\":\"many\",\"extensions\":{\"3mf\":{\"plateQuantities\":{\"3\":2},"
                                + "\"plateLabels\":{\"3\":\"thirds\"},\"skipObjects\":{\"3\":[\"brim\"]}}}"));
        BuildContract.built(client, wish(",\"parameters\":{\"many\":2}"));
        BuildContract.built(client, wish(",\"parameters\":{\"many\":{\"2\":1}}"));
        Answer jobs = client.get("/v1/print-jobs?sort=queueOrder");
        assertThat(jobs.each("extensions.3mf.plateId")).containsExactly("3", "3", "3", "3", "2");
        assertThat(jobs.each("label")).containsExactly("thirds", "thirds", "thirds", "thirds", "foot");
        assertThat(jobs.at("[0].extensions.3mf.skipObjects[0]")).isEqualTo("brim");
        assertThat(jobs.at("[4].extensions.3mf.skipObjects")).isEqualTo("(absent)");
        assertThat(client.get("/v1/part-builds").at("[0].plateQuantities.3")).hasToString("4");
    }

    @Test
    default void serialNumbersAreSharedOrDrawnPerCopy() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String sequence =
                client.made("/v1/sequences", "{\"name\":\"serials\",\"prefix\":\"L-\",\"next\":8,\"padding\":3}");
        String parameters = """
                ,"parameters":[{"name":"own","type":"string","serialReuse":"increment"},{"name":"lot","type":"string"},
                  {"name":"width","type":"number"}]""";
        String part = ReadyParts.project(store, client, "gcode3mf", parameters);
        sku(
                client,
                linked(part, "foot", 1, ",\"sequenceBindings\":{\"own\":\"serials\",\"lot\":\"" + sequence + "\"}"));
        Answer preview = client.post("/v2/builds/preview", wish(",\"quantity\":2"));
        assertThat(preview.at("partBuilds[0].jobs[0].serials.own")).isEqualTo("L-008");
        assertThat(preview.at("partBuilds[0].sku")).isEqualTo("LAMP-1");
        assertThat(client.get("/v1/sequences").at("[0].next")).hasToString("8");
        BuildContract.built(client, wish(",\"quantity\":2"));
        Answer jobs = client.get("/v1/print-jobs?sort=queueOrder");
        assertThat(jobs.each("parameterOverrides[0].value")).containsExactly("L-008", "L-008", "L-010", "L-010");
        assertThat(jobs.each("parameterOverrides[1].value")).containsOnly("L-009");
        assertThat(client.get("/v1/sequences").at("[0].next")).hasToString("11");
        assertThat(client.post("/v2/builds", wish(",\"quantity\":2,\"parameters\":{\"no\":1}"))
                        .status())
                .isEqualTo(400);
        assertThat(client.get("/v1/sequences").at("[0].next")).hasToString("11");
        assertThat(client.delete("/v1/sequences/" + sequence).status()).isEqualTo(409);
        assertThat(client.patch("/v1/sequences/" + sequence, "{\"name\":\"other\"}")
                        .text())
                .contains("other records refer to it; delete them or change their references first:linkedPart ");
        assertThat(client.patch("/v1/sequences/" + sequence, "{\"next\":20}").status())
                .isEqualTo(200);
    }

    @Test
    default void eachMissingPieceOfAnOrderGetsItsOwnSerialNumber() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        client.made("/v1/sequences", "{\"name\":\"serials\"}");
        String part = ReadyParts.project(
                store,
                client,
                "gcode3mf",
                ",\"parameters\":[{\"name\":\"own\",\"type\":\"string\",\"serialReuse\":\"increment\"}]");
        sku(client, linked(part, "foot", 1, ",\"sequenceBindings\":{\"own\":\"serials\"}"));
        LampStore lampStore = new LampStore(store, client);
        String order = lampStore.order(1);
        lampStore.print(order);
        lampStore.resize(order, 3);
        lampStore.print(order);
        assertThat(client.get("/v1/print-jobs?sort=queueOrder").each("parameterOverrides[0].value"))
                .as("both plates of each")
                .containsExactly("1", "1", "2", "2", "3", "3");
    }
}
