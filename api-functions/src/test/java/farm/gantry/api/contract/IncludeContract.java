package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.SharedApi;
import io.micronaut.json.tree.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the records that lists, searches and single records embed by {@code include}. */
public interface IncludeContract {
    Host host();

    private Client owner() {
        return Client.of(host(), SharedApi.newStore().key());
    }

    private static String material(Client client, String name) {
        return client.made("/v1/materials", "{\"name\":\"" + name + "\",\"brand\":\"b\",\"type\":\"PLA\",\"tags\":[]}");
    }

    private static String variant(Client client, String name, String material) {
        return client.made("/v1/materials/variants", "{\"name\":\"" + name + "\",\"materialId\":\"" + material + "\"}");
    }

    private static String group(Client client) {
        return client.made(
                "/v1/printer-throttle-groups",
                "{\"name\":\"g\",\"enabled\":true,\"maxConcurrentStarts\":1,\"fallbackTimeoutSeconds\":60,"
                        + "\"temperatureToleranceC\":2,\"releaseConditions\":{}}");
    }

    private static void printer(Client client, String group) {
        Answer made = client.with("content-type", "application/json")
                .send("PUT", "/v1/printers", Client.utf8("""
                        [{"name":"P","commMethod":"fuse","deviceId":"%s","enabled":true,"integrationId":null,
                          "integrationType":null,"nozzleDiameter":"0.4","throttleGroupId":"%s","metadata":
                          {"provider":"vendorP","nozzle_diameter":0.4,"password":"sesame"}}]
                        """.formatted(SharedApi.unknownId(), group)));
        assertThat(made.status()).as(made.text()).isEqualTo(200);
    }

    private static List<Object> embedded(JsonNode record, String relation, String member) {
        List<Object> members = new ArrayList<>();
        record.get(relation)
                .values()
                .forEach(each -> members.add(each.get(member).getStringValue()));
        return members;
    }

    @Test
    default void referringRecordsAreEmbeddedOldestFirst() {
        Client client = owner();
        String pla = material(client, "PLA");
        material(client, "lonely");
        variant(client, "red", pla);
        variant(client, "blue", pla);
        JsonNode list = client.get("/v1/materials?include=variants").json();
        assertThat(embedded(list.get(0), "variants", "name")).containsExactly("red", "blue");
        assertThat(list.get(1).get("variants").values()).isEmpty();
        assertThat(client.get("/v1/materials").json().get(0).get("variants")).isNull();
    }

    @Test
    default void referencedRecordIsEmbeddedAsItsRouteReturnsIt() {
        Client client = owner();
        String pla = material(client, "PLA");
        variant(client, "red", pla);
        variant(client, "blue", pla);
        String alone = client.get("/v1/materials/" + pla).text();
        for (JsonNode variant :
                client.get("/v1/materials/variants?include=material").json().values()) {
            assertThat(variant.get("material")).isEqualTo(Answer.tree(Client.utf8(alone)));
            assertThat(variant.get("filamentUserProfileId").isNull()).isTrue();
        }
        assertThat(client.get("/v1/materials/variants?include=filamentUserProfile")
                        .at("[0].filamentUserProfile"))
                .isNull();
    }

    @Test
    default void includesNestTwoLevels() {
        Client client = owner();
        String pla = material(client, "PLA");
        variant(client, "red", pla);
        Answer list = client.get("/v1/materials?include=variants.material,variants");
        assertThat(list.at("[0].variants[0].material.name")).isEqualTo("PLA");
        assertThat(client.get("/v1/materials?include=variants.material").text())
                .as("the outer record is embedded through the inner one")
                .isEqualTo(list.text());
    }

    @Test
    default void searchesAndSingleRecordsEmbed() {
        Client client = owner();
        String pla = material(client, "PLA");
        variant(client, "red", pla);
        printer(client, group(client));
        assertThat(client.post("/v1/printers/search", "{\"include\":\"throttleGroup\"}")
                        .at("data[0].throttleGroup.name"))
                .isEqualTo("g");
        Answer one = client.get("/v1/materials/" + pla + "?include=variants&fields=name");
        assertThat(one.json().entries()).extracting(Map.Entry::getKey).containsExactly("name", "variants");
    }

    @Test
    default void fieldsAndIncludesSelectExactlyThose() {
        Client client = owner();
        String pla = material(client, "PLA");
        variant(client, "red", pla);
        JsonNode record = client.get("/v1/materials/variants?fields=name&include=material&meta=true")
                .json()
                .get("data")
                .get(0);
        assertThat(record.entries()).extracting(Map.Entry::getKey).containsExactly("name", "material");
    }

    @Test
    default void pageWithMetaHasANextCursor() {
        Client client = owner();
        String pla = material(client, "PLA");
        for (String name : List.of("a", "b", "c")) {
            variant(client, name, pla);
        }
        Answer first = client.get("/v1/materials/variants?include=material&meta=true&limit=2");
        assertThat(first.each("name")).containsExactly("a", "b");
        assertThat(first.at("meta.total")).hasToString("3");
        Answer second = client.get(
                "/v1/materials/variants?include=material&meta=true&limit=2&cursor=" + first.at("meta.nextCursor"));
        assertThat(second.each("name")).containsExactly("c");
        assertThat(second.at("data[0].material.name")).isEqualTo("PLA");
        assertThat(second.at("meta.hasMore")).isEqualTo(false);
    }

    @Test
    default void unknownIncludeIsRejected() {
        Client client = owner();
        for (String include : List.of(
                "nonsense",
                "variants.nonsense",
                "variants.material.variants",
                "variants,",
                "variants,filamentUserProfile,variants.material,a,b",
                "id")) {
            Answer refused = client.get("/v1/materials?include=" + include);
            assertThat(refused.status()).as(include).isEqualTo(400);
            assertThat(refused.at("error")).isEqualTo("invalid_include");
        }
        assertThat(client.post("/v1/printers/search", "{\"include\":\"nonsense\"}")
                        .at("error"))
                .isEqualTo("invalid_include");
        assertThat(client.post("/v1/printers/search", "{\"include\":[\"agent\"]}")
                        .status())
                .isEqualTo(400);
    }

    @Test
    default void includeNeedsThePermissionOfTheEmbeddedRecord() {
        Client client = owner();
        String pla = material(client, "PLA");
        variant(client, "red", pla);
        Client limited = client.permitted("material.view", "printer.view");
        assertThat(limited.get("/v1/materials/variants?include=material").status())
                .isEqualTo(200);
        for (Answer refused : List.of(
                limited.get("/v1/materials?include=filamentUserProfile"),
                limited.get("/v1/materials?include=variants.filamentUserProfile"),
                limited.get("/v1/materials/" + pla + "?include=filamentUserProfile"),
                limited.post("/v1/printers/search", "{\"include\":\"machineUserProfile\"}"))) {
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.at("details[0].path")).isEqualTo("profile.view");
        }
    }

    @Test
    default void anotherStoresRecordsAreNeverEmbedded() {
        Client client = owner();
        Client other = owner();
        variant(client, "red", material(client, "PLA"));
        variant(other, "theirs", material(other, "theirs"));
        assertThat(client.get("/v1/materials?include=variants").text()).doesNotContain("theirs");
    }

    @Test
    default void secretsStayHiddenWhereTheyAreEmbedded() {
        Client client = owner();
        printer(client, group(client));
        Client limited = client.permitted("printer.view");
        String target = "/v1/printer-throttle-groups?include=printers";
        assertThat(limited.get(target).at("[0].printers[0].metadata.password")).isEqualTo("********");
        assertThat(client.get(target).at("[0].printers[0].metadata.password")).isEqualTo("sesame");
    }

    @Test
    default void secretsThatAnotherPermissionShowsStayHiddenWhereTheyAreEmbedded() {
        Client client = owner();
        String integration = client.made(
                "/v1/integrations", "{\"name\":\"post\",\"type\":\"shipping1\",\"settings\":{\"apiKey\":\"hush\"}}");
        client.post("/v1/orders", "{\"order\":{\"integrationId\":\"" + integration + "\"}}");
        assertThat(client.get("/v1/orders?include=integration").at("[0].integration.settings.apiKey"))
                .isEqualTo("********");
        assertThat(client.get("/v1/integrations/" + integration).at("settings.apiKey"))
                .isEqualTo("hush");
    }
}
