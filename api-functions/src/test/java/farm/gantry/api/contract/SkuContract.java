package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import org.junit.jupiter.api.Test;

/** Tests SKUs and their linked parts, which are stored together or not at all. */
public interface SkuContract {
    Host host();

    private static String linked(String part, String rest) {
        return "{\"partId\":\"" + part + "\",\"label\":\"left\",\"quantity\":2,\"parameters\":[],"
                + "\"exposedParameters\":[]" + rest + "}";
    }

    private static String sku(String name, String linkedParts) {
        return "{\"sku\":\"" + name + "\",\"title\":\"Bracket\",\"linkedParts\":[" + linkedParts + "]}";
    }

    private static String part(SharedApi.Store store) {
        return ReadyParts.insert(store, ReadyParts.estimate("PLA", 10));
    }

    @Test
    default void everyResponseContainsTheLinkedParts() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String part = part(store);
        String rest =
                ",\"parameters\":[{\"name\":\"text\",\"type\":\"string\",\"value\":\"Ann\"}],\"exposedParameters\":[\"text\"],"
                        + "\"materialAssignments\":{\"0\":[{\"materialType\":\"PLA\"}]},\"sequenceBindings\":{\"text\":\"s\"},"
                        + "\"extensions\":{\"3mf\":{\"plateQuantities\":{\"1\":2},\"skipObjects\":{\"1\":[\"brim\"]}}}";
        Answer made = client.post("/v1/skus", sku("B-1", linked(part, rest)));
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        String id = String.valueOf(made.at("id"));
        assertThat(made.at("description")).isEqualTo("");
        assertThat(made.at("externalProvider")).isNull();
        assertThat(made.at("totalCogs")).hasToString("0");
        assertThat(made.at("linkedParts[0].skuId")).isEqualTo(id);
        assertThat(made.at("linkedParts[0].partId")).isEqualTo(part);
        assertThat(made.at("linkedParts[0].quantity")).hasToString("2");
        assertThat(made.at("linkedParts[0].parameters[0].value")).isEqualTo("Ann");
        assertThat(made.at("linkedParts[0].plateQuantitiesBinding")).isNull();
        assertThat(made.text())
                .contains(
                        "\"extensions\":{\"3mf\":{\"plateQuantities\":{\"1\":2},\"skipObjects\":{\"1\":[\"brim\"]}}}");
        assertThat(client.get("/v1/skus/" + id).text()).isEqualTo(made.text());
        assertThat(client.get("/v1/skus?sku=B-1").text()).isEqualTo("[" + made.text() + "]");
        assertThat(client.post("/v1/skus/search", "{\"filter\":{\"sku\":\"B-1\"},\"include\":\"linkedParts.part\"}")
                        .at("data[0].linkedParts[0].part.name"))
                .isEqualTo("bracket");
        assertThat(client.patch("/v1/skus/" + id, "{\"title\":\"New\",\"linkedParts\":null}")
                        .at("linkedParts[0].label"))
                .isEqualTo("left");
        assertThat(client.patch("/v1/skus", "{\"ids\":[\"" + id + "\"],\"update\":{\"description\":\"d\"}}")
                        .at("[0].linkedParts[0].label"))
                .isEqualTo("left");
    }

    @Test
    default void allErrorsOfASkuAndItsPartsAreReturned() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String part = part(store);
        Answer refused = client.post(
                "/v1/skus",
                sku(
                        "",
                        linked(part, ",\"materialAssignments\":{\"x\":[]}") + ","
                                + linked(part, ",\"extensions\":{\"3mf\":{}}").replace(":2", ":501") + ",7"));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().get("details").values())
                .extracting(fault -> Answer.at(fault, "path"))
                .containsExactlyInAnyOrder(
                        "sku",
                        "linkedParts[0].materialAssignments.x",
                        "linkedParts[1].quantity",
                        "linkedParts[1].extensions.3mf.plateQuantities",
                        "linkedParts[2]");
        Answer negative = client.post(
                "/v1/skus", sku("B-1", linked(part, ",\"extensions\":{\"3mf\":{\"plateQuantities\":{\"1\":-1}}}")));
        assertThat(negative.at("details[0].path")).isEqualTo("linkedParts[0].extensions.3mf.plateQuantities.1");
        String id = client.made("/v1/skus", sku("B-0", ""));
        Answer changed = client.patch("/v1/skus/" + id, "{\"title\":7,\"linkedParts\":[7,{\"id\":\"x\"}]}");
        assertThat(BuildContract.paths(changed)).containsExactly("title", "linkedParts[0]");
        client.delete("/v1/skus/" + id);
        Answer unknown =
                client.post("/v1/skus", sku("B-1", linked(part, "") + "," + linked(SharedApi.unknownId(), "")));
        assertThat(unknown.at("details[0].path")).isEqualTo("linkedParts[1].partId");
        Answer several = client.post(
                "/v1/skus",
                sku("B-1", linked(part, ",\"materialAssignments\":{\"0\":[{\"materialType\":\"PLA\"},{}]}")));
        assertThat(several.at("details[0].path")).isEqualTo("linkedParts[0].materialAssignments.0[1]");
        assertThat(client.get("/v1/skus").text()).isEqualTo("[]");
        assertThat(client.get("/v1/linked-parts").text()).isEqualTo("[]");
    }

    @Test
    default void linkedPartValuesMatchTheirParametersTypeAndAreUnique() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String part = part(store);
        String wrong = "\"parameters\":[{\"name\":\"a\",\"type\":\"number\",\"value\":\"wide\"},"
                + "{\"name\":\"b\",\"type\":\"boolean\",\"value\":1},{\"name\":\"c\",\"type\":\"file\",\"value\":true}]";
        String twice = "\"parameters\":[{\"name\":\"a\",\"type\":\"string\"},{\"name\":\"a\",\"type\":\"number\"}]";
        assertThat(BuildContract.paths(client.post("/v1/linked-parts", linked(part, "," + wrong))))
                .containsExactly("parameters[0].value", "parameters[1].value", "parameters[2].value");
        assertThat(BuildContract.paths(client.post("/v1/linked-parts", linked(part, "," + twice))))
                .containsExactly("parameters[1].name");
        assertThat(BuildContract.paths(client.post("/v1/skus", sku("", linked(part, "," + twice)))))
                .containsExactly("sku", "linkedParts[0].parameters[1].name");
        String id = client.made("/v1/linked-parts", linked(part, ""));
        assertThat(BuildContract.paths(client.patch("/v1/linked-parts/" + id, "{" + wrong + "}")))
                .hasSize(3);
        assertThat(BuildContract.paths(client.patch("/v1/linked-parts/" + id, "{" + twice + "}")))
                .containsExactly("parameters[1].name");
    }

    @Test
    default void skuIsUniqueInItsStore() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        client.made("/v1/skus", sku("B-1", ""));
        String other = client.made("/v1/skus", sku("B-2", ""));
        Answer twice = client.post("/v1/skus", sku("B-1", ""));
        assertThat(twice.status()).isEqualTo(409);
        assertThat(twice.at("message")).asString().contains("sku");
        assertThat(client.patch("/v1/skus/" + other, "{\"sku\":\"B-1\"}").status())
                .isEqualTo(409);
        assertThat(Client.of(host(), SharedApi.newStore().key())
                        .post("/v1/skus", sku("B-1", ""))
                        .status())
                .isEqualTo(201);
    }

    @Test
    default void linkedPartsAreReplacedExceptTheNamedOnes() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String part = part(store);
        Answer made = client.post("/v1/skus", sku("B-1", linked(part, "") + "," + linked(part, "")));
        String id = String.valueOf(made.at("id"));
        String linkedPart = String.valueOf(made.at("linkedParts[0].id"));
        Answer changed = client.patch(
                "/v1/skus/" + id,
                "{\"linkedParts\":[{\"id\":\"" + linkedPart + "\",\"quantity\":5},"
                        + linked(part, "").replace("left", "new") + "]}");
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(changed.at("linkedParts[0].id")).isEqualTo(linkedPart);
        assertThat(changed.at("linkedParts[0].quantity")).hasToString("5");
        assertThat(changed.at("linkedParts[0].label")).isEqualTo("left");
        assertThat(changed.at("linkedParts[1].label")).isEqualTo("new");
        assertThat(changed.at("linkedParts[2]")).isEqualTo("(absent)");
        Answer others = client.post("/v1/skus", sku("B-2", "{\"id\":\"" + linkedPart + "\"}"));
        assertThat(others.status()).isEqualTo(400);
        assertThat(others.at("details[0].path")).isEqualTo("linkedParts[0].id");
        assertThat(client.patch("/v1/skus/" + id, "{\"linkedParts\":[]}").text())
                .contains("\"linkedParts\":[]");
        assertThat(client.patch("/v1/skus/" + id, "{\"linkedParts\":7}").at("details[0].path"))
                .isEqualTo("linkedParts");
    }

    @Test
    default void linkedPartWithoutASkuIsAdopted() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String part = part(store);
        String one = client.made("/v1/linked-parts", linked(part, ""));
        String two = client.made("/v1/linked-parts", linked(part, ""));
        assertThat(client.get("/v1/linked-parts?skuId.isNull=true").each("id")).containsExactly(one, two);
        Answer made = client.post("/v1/skus", sku("B-1", "{\"id\":\"" + one + "\"}"));
        assertThat(made.at("linkedParts[0].id")).isEqualTo(one);
        String sku = String.valueOf(made.at("id"));
        assertThat(client.patch("/v1/linked-parts/" + two, "{\"skuId\":\"" + sku + "\"}")
                        .at("skuId"))
                .isEqualTo(sku);
        assertThat(client.get("/v1/skus/" + sku).json().get("linkedParts").size())
                .isEqualTo(2);
        assertThat(client.get("/v1/parts/" + part + "?include=linkedParts.sku").at("linkedParts[1].sku.sku"))
                .isEqualTo("B-1");
    }

    @Test
    default void partOfASkuCannotBeDeletedAndSkuDeletesItsOwnRecords() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String part = part(store);
        Answer made = client.post("/v1/skus", sku("B-1", linked(part, "")));
        String linked = String.valueOf(made.at("linkedParts[0].id"));
        Answer refused = client.delete("/v1/parts/" + part);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.at("message")).asString().contains(linked);
        assertThat(client.delete("/v1/skus/" + made.at("id")).status()).isEqualTo(200);
        assertThat(client.get("/v1/linked-parts/" + linked).status()).isEqualTo(404);
        assertThat(client.delete("/v1/parts/" + part).at("[0]")).isEqualTo(part);
    }

    @Test
    default void partsBecomeSkusInOrder() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String one = part(store);
        String two = part(store);
        String named = "{\"partId\":\"%s\",\"skuName\":\"%s\"}";
        Answer made = client.post(
                "/v1/parts/create-skus", "[" + named.formatted(two, "B-2") + "," + named.formatted(one, "B-1") + "]");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.each("sku")).containsExactly("B-2", "B-1");
        assertThat(made.each("title")).containsExactly("B-2", "B-1");
        assertThat(made.each("linkedParts[0].partId")).containsExactly(two, one);
        assertThat(made.each("linkedParts[0].quantity")).containsExactly("1", "1");
        Answer refused = client.post(
                "/v1/parts/create-skus",
                "[" + named.formatted(one, "B-3") + "," + named.formatted(SharedApi.unknownId(), "B-4") + "]");
        assertThat(refused.at("details[0].path")).isEqualTo("[1].partId");
        assertThat(client.post("/v1/parts/create-skus", "[" + named.formatted(one, "B-1") + "]")
                        .status())
                .isEqualTo(409);
        assertThat(client.post("/v1/parts/create-skus", "[]").status()).isEqualTo(400);
        assertThat(client.get("/v1/skus").each("sku")).containsExactly("B-2", "B-1");
    }

    @Test
    default void materialsOfALinkedPartMustExist() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String unknown = ",\"materialAssignments\":{\"0\":[{\"materialType\":\"PLA\"},{\"variantId\":\""
                + SharedApi.unknownId() + "\"}]}";
        String part = part(store);
        Answer refused = client.post("/v1/skus", sku("B-1", linked(part, "") + "," + linked(part, unknown)));
        assertThat(refused.at("details[0].path")).isEqualTo("linkedParts[1].materialAssignments.0[1].variantId");
        assertThat(client.post("/v1/linked-parts", linked(part, unknown)).at("details[0].path"))
                .isEqualTo("materialAssignments.0[1].variantId");
        String id = client.made("/v1/linked-parts", linked(part, ""));
        assertThat(client.patch("/v1/linked-parts/" + id, "{" + unknown.substring(1) + "}")
                        .at("details[0].path"))
                .isEqualTo("materialAssignments.0[1].variantId");
    }

    @Test
    default void manySkusDoNotShareLinkedParts() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String sku = client.made("/v1/skus", sku("B-1", linked(part(store), "")));
        Answer refused =
                client.patch("/v1/skus", "{\"ids\":[\"" + sku + "\"],\"update\":{\"title\":\"x\",\"linkedParts\":[]}}");
        assertThat(refused.at("details[0].path")).isEqualTo("update.linkedParts");
        assertThat(client.get("/v1/skus").at("[0].linkedParts[0].label")).isEqualTo("left");
    }
}
