package farm.gantry.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Materials, and the variants that keep them. */
public interface MaterialContract extends ResourceContract {
    @Override
    default String path() {
        return "/v1/materials";
    }

    @Override
    default String body() {
        return "{\"name\":\"wipe\",\"brand\":\"Acme\",\"type\":\"PLA\",\"tags\":[]}";
    }

    @Override
    default Map<String, Object> defaults() {
        return Map.of(
                "brand", "Acme",
                "type", "PLA",
                "tags", "[]",
                "filamentSystemProfileId", "null",
                "filamentUserProfileId", "null",
                "pricePer1000g", "null",
                "starred", false,
                "customMetadata", "{}");
    }

    private static String variant(String material, String rest) {
        return "{\"name\":\"red\",\"materialId\":\"" + material + "\"" + rest + "}";
    }

    @Test
    default void everyFaultOfAMaterialIsSaidWithItsPath() {
        Answer refused = Client.of(host(), Farm.newStore().key())
                .post(
                        path(),
                        "{\"name\":\"PLA\",\"type\":\"\",\"tags\":[\"\"],\"filamentUserProfileId\":\"x\","
                                + "\"pricePer1000g\":19.9,\"starred\":\"yes\"}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().get("details").values())
                .extracting(fault -> Answer.at(fault, "path"))
                .containsExactlyInAnyOrder(
                        "brand", "type", "tags[0]", "filamentUserProfileId", "pricePer1000g", "starred");
    }

    @Test
    default void aVariantsColoursAreWrittenOut() {
        Client client = Client.of(host(), Farm.newStore().key());
        String material = client.made(path(), body());
        Answer made = client.post(path() + "/variants", variant(material, ",\"color\":\"ff00aa;#00ff0080\""));
        assertThat(made.at("color")).isEqualTo("#FF00AAFF;#00FF0080");
        assertThat(made.at("materialId")).isEqualTo(material);
        assertThat(made.at("tags")).hasToString("[]");
        String id = String.valueOf(made.at("id"));
        assertThat(client.get(path() + "/variants/" + id).text()).isEqualTo(made.text());
        assertThat(client.get(path() + "/variants?materialId=" + material).each("id"))
                .containsExactly(id);
        assertThat(client.patch(path() + "/variants/" + id, "{\"color\":null}").at("color"))
                .isNull();
        assertThat(client.post(path() + "/variants", variant(material, ",\"color\":\"red\""))
                        .at("details[0].path"))
                .isEqualTo("color");
    }

    @Test
    default void aVariantIsOfAMaterialOfItsStore() {
        Client client = Client.of(host(), Farm.newStore().key());
        String theirs = Client.of(host(), Farm.newStore().key()).made(path(), body());
        assertThat(client.post(path() + "/variants", variant(theirs, "")).at("details[0].path"))
                .isEqualTo("materialId");
        String id = client.made(path() + "/variants", variant(client.made(path(), body()), ""));
        assertThat(client.patch(path() + "/variants/" + id, "{\"materialId\":\"" + theirs + "\"}")
                        .status())
                .isEqualTo(400);
    }

    @Test
    default void aMaterialWithVariantsStays() {
        Client client = Client.of(host(), Farm.newStore().key());
        String material = client.made(path(), body());
        String id = client.made(path() + "/variants", variant(material, ""));
        Answer refused = client.delete(path() + "/" + material);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.at("message")).asString().contains(id);
        assertThat(client.delete(path() + "/variants/" + id).at("[0]")).isEqualTo(id);
        assertThat(client.delete(path() + "/" + material).status()).isEqualTo(200);
    }
}
