package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests materials and their variants. */
public interface MaterialContract extends BulkContract {
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
    default void materialErrorsNameTheirPaths() {
        Answer refused = Client.of(host(), SharedApi.newStore().key())
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
    default void customMetadataIsStoredUnchanged() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        String id = client.made(path(), body());
        String any = "{\"list\":[1,null,[null],{\"a\":null}],\"id\":1801439850948198501,\"far\":-1.5E300,\"no\":null}";
        Answer changed = client.patch(path() + "/" + id, "{\"customMetadata\":" + any + "}");
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(changed.text()).contains("\"customMetadata\":" + any);
        Answer renamed = client.patch(path() + "/" + id, "{\"name\":\"other\"}");
        assertThat(renamed.text()).contains("\"customMetadata\":" + any);
        assertThat(client.get(path() + "?customMetadata.id=1801439850948198501").each("id"))
                .containsExactly(id);
        assertThat(client.patch(path() + "/" + id, "{\"customMetadata\":{\"far\":1e999}}")
                        .at("details[0].path"))
                .isEqualTo("customMetadata.far");
        for (String number : List.of("9223372036854775808", "-9223372036854775809", "1e19")) {
            Answer beyond = client.patch(path() + "/" + id, "{\"filamentSystemProfileId\":" + number + "}");
            assertThat(beyond.at("details[0].code")).as(number).isEqualTo("range");
        }
        assertThat(client.patch(path() + "/" + id, "{\"filamentSystemProfileId\":900719925474099.5}")
                        .at("details[0].code"))
                .isEqualTo("type");
        assertThat(client.patch(path() + "/" + id, "{\"pricePer1000g\":1e999}").at("details[0].path"))
                .isEqualTo("pricePer1000g");
    }

    @Test
    default void variantColoursAreExpanded() {
        Client client = Client.of(host(), SharedApi.newStore().key());
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
    default void variantNeedsAMaterialOfItsStore() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        String theirs = Client.of(host(), SharedApi.newStore().key()).made(path(), body());
        assertThat(client.post(path() + "/variants", variant(theirs, "")).at("details[0].path"))
                .isEqualTo("materialId");
        String id = client.made(path() + "/variants", variant(client.made(path(), body()), ""));
        assertThat(client.patch(path() + "/variants/" + id, "{\"materialId\":\"" + theirs + "\"}")
                        .status())
                .isEqualTo(400);
    }

    private static String spool(String what) {
        return "{\"remainingGrams\":612.5," + what + "}";
    }

    @Test
    default void spoolTakesMaterialAndTypeOfItsVariant() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        String material = client.made(path(), body());
        String variant = client.made(path() + "/variants", variant(material, ""));
        Answer made = client.post(path() + "/instances", spool("\"variantId\":\"" + variant + "\""));
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.at("materialId")).isEqualTo(material);
        assertThat(made.at("materialType")).isEqualTo("PLA");
        assertThat(made.at("remainingGrams")).hasToString("612.5");
        String id = String.valueOf(made.at("id"));
        assertThat(client.get(path() + "/instances?materialId=" + material + "&remainingGrams.gt=600")
                        .each("id"))
                .containsExactly(id);
        Answer loose = client.patch(
                path() + "/instances/" + id, "{\"variantId\":null,\"materialId\":null,\"materialType\":\"PETG\"}");
        assertThat(loose.at("materialType")).isEqualTo("PETG");
        assertThat(client.post(path() + "/instances", "{}").at("details[0].path"))
                .isEqualTo("materialType");
        assertThat(client.post(path() + "/instances", spool("\"materialId\":\"" + SharedApi.unknownId() + "\""))
                        .at("details[0].path"))
                .isEqualTo("materialId");
    }

    @Test
    default void spoolsHaveTheirOwnPermissions() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        Client limited = client.permitted("material.view");
        assertThat(limited.get(path() + "/groups").status()).isEqualTo(200);
        assertThat(limited.get(path() + "/instances").at("details[0].path")).isEqualTo("material.instance.view");
    }

    @Test
    default void variantIsInAGroupOnce() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        String variant = client.made(path() + "/variants", variant(client.made(path(), body()), ""));
        String group = client.made(path() + "/groups", "{\"name\":\"reds\"}");
        String membership = "{\"groupId\":\"" + group + "\",\"variantId\":\"" + variant + "\"}";
        String member = client.made(path() + "/group-members", membership);
        Answer twice = client.post(path() + "/group-members", membership);
        assertThat(twice.status()).isEqualTo(409);
        assertThat(twice.at("message")).asString().contains("groupId, variantId");
        assertThat(client.get(path() + "/groups?include=members.variant").at("[0].members[0].variant.id"))
                .isEqualTo(variant);
        assertThat(client.delete(path() + "/variants/" + variant).status()).isEqualTo(409);
        assertThat(client.delete(path() + "/groups/" + group).at("[0]")).isEqualTo(group);
        assertThat(client.get(path() + "/group-members/" + member).status()).isEqualTo(404);
        assertThat(client.delete(path() + "/variants/" + variant).status()).isEqualTo(200);
    }

    @Test
    default void materialWithVariantsCannotBeDeleted() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        String material = client.made(path(), body());
        String id = client.made(path() + "/variants", variant(material, ""));
        Answer refused = client.delete(path() + "/" + material);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.at("message")).asString().contains(id);
        assertThat(client.delete(path() + "/variants/" + id).at("[0]")).isEqualTo(id);
        assertThat(client.delete(path() + "/" + material).status()).isEqualTo(200);
    }

    @Test
    default void materialInUseCannotBeDeleted() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String group = client.made(path() + "/groups", "{\"name\":\"reds\"}");
        String material = client.made(path(), body());
        String variant = client.made(path() + "/variants", variant(client.made(path(), body()), ""));
        String part = ReadyParts.project(store, client, "gcode3mf", "");
        String choice = "{\"0\":[{\"variantId\":\"%s\"},{\"groupId\":\"%s\"},{\"materialId\":\"%s\"}]}"
                .formatted(variant, group, material);
        Answer build = client.post("/v2/builds", BuildContract.build(part, ",\"quantity\":1,\"materials\":" + choice));
        assertThat(build.status()).as(build.text()).isEqualTo(201);
        List<String> jobs = client.get("/v1/print-jobs?sort=id").each("id");
        String linked = client.made(
                "/v1/linked-parts",
                "{\"partId\":\"" + part + "\",\"label\":\"body\",\"quantity\":1,\"parameters\":[],"
                        + "\"exposedParameters\":[],\"materialAssignments\":" + choice + "}");
        for (String chosen : List.of("/variants/" + variant, "/groups/" + group, "/" + material)) {
            assertThat(client.delete(path() + chosen).at("message"))
                    .asString()
                    .startsWith("other records refer to it; delete them or change their references first:linkedPart "
                            + linked)
                    .contains(jobs);
        }
        client.delete("/v1/linked-parts/" + linked);
        client.patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + String.join("\",\"", jobs) + "\"]}");
        for (String chosen : List.of("/variants/" + variant, "/groups/" + group, "/" + material)) {
            assertThat(client.delete(path() + chosen).status()).as(chosen).isEqualTo(200);
        }
    }
}
