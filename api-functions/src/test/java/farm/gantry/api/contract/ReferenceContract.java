package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Uploads;
import org.junit.jupiter.api.Test;

/** Tests references: the referenced record must exist, and cannot be deleted while it is referenced. */
public interface ReferenceContract {
    Host host();

    private Client owner() {
        return Client.of(host(), SharedApi.newStore().key());
    }

    private static String material(String profile) {
        return "{\"name\":\"m\",\"brand\":\"b\",\"type\":\"PLA\",\"tags\":[],\"filamentUserProfileId\":\"" + profile
                + "\"}";
    }

    private static String profile(Client client) {
        return profile(client, "filament");
    }

    private static String profile(Client client, String type) {
        return client.made(
                "/v1/profiles",
                "{\"name\":\"p\",\"type\":\"" + type + "\",\"source\":\"manual\",\"data\":{},\"metadata\":{},"
                        + "\"inherits\":\"\",\"compatibilityList\":\"\"}");
    }

    @Test
    default void unknownReferenceIsRejectedAtItsField() {
        Client client = owner();
        Answer refused = client.post("/v1/materials", material(SharedApi.unknownId()));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.at("error")).isEqualTo("validation_failed");
        assertThat(refused.at("details[0].path")).isEqualTo("filamentUserProfileId");
        assertThat(refused.at("details[0].code")).isEqualTo("unknown");
    }

    @Test
    default void referenceToAnotherStoresRecordIsUnknown() {
        Client client = owner();
        Client other = owner();
        assertThat(client.post("/v1/materials", material(profile(other))).at("details[0].code"))
                .isEqualTo("unknown");
        String own = client.made("/v1/materials", material(profile(client)));
        Answer refused = client.patch("/v1/materials/" + own, "{\"filamentUserProfileId\":\"" + profile(other) + "\"}");
        assertThat(refused.at("details[0].path")).isEqualTo("filamentUserProfileId");
        assertThat(client.patch("/v1/materials/" + own, "{\"filamentUserProfileId\":null}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    default void profileReferenceNeedsTheRightType() {
        Client client = owner();
        String machine = profile(client, "machine");
        String process = profile(client, "process");
        Answer refused = client.post("/v1/materials", material(machine));
        assertThat(BuildContract.paths(refused)).containsExactly("filamentUserProfileId");
        assertThat(refused.at("message")).isEqualTo("filamentUserProfileId: there is no filament profile " + machine);
        String file = new Uploads(client).put("a.stl");
        String part = "{\"name\":\"a\",\"type\":\"stl\",\"fileUris\":[\"" + file
                + "\"],\"overriddenProcessProfileId\":\"%s\"}";
        assertThat(BuildContract.paths(client.post("/v1/parts", part.formatted(machine))))
                .containsExactly("overriddenProcessProfileId");
        assertThat(BuildContract.paths(client.patch("/v1/settings/store", """
                        {"defaultMachineProfileId": "%1$s", "defaultProcessProfileId": "%2$s",
                         "defaultFilamentProfileId": "%2$s"}""".formatted(process, machine))))
                .containsExactly("defaultMachineProfileId", "defaultProcessProfileId", "defaultFilamentProfileId");

        String id = client.made("/v1/parts", part.formatted(process));
        String other = "{\"type\":\"machine\"}";
        Answer needed = client.patch("/v1/profiles/" + process, other);
        assertThat(needed.status()).isEqualTo(409);
        assertThat(needed.at("message"))
                .isEqualTo("other records refer to it; delete them or change their references first:part " + id);
        assertThat(client.patch("/v1/profiles/" + process, "{\"type\":\"process\",\"name\":\"q\"}")
                        .status())
                .isEqualTo(200);
        client.patch("/v1/parts/" + id, "{\"overriddenProcessProfileId\":null}");
        assertThat(client.patch("/v1/profiles/" + process, other).at("type")).isEqualTo("machine");
    }

    @Test
    default void everyUnknownReferenceOfABatchIsNamed() {
        Client client = owner();
        String row = "{\"name\":\"P\",\"commMethod\":\"fuse\",\"deviceId\":\"%s\",\"enabled\":true,"
                + "\"integrationId\":null,\"integrationType\":null,\"nozzleDiameter\":\"0.4\",\"metadata\":null,"
                + "\"throttleGroupId\":%s,\"machineUserProfileId\":%s}";
        String unknown = "\"" + SharedApi.unknownId() + "\"";
        Answer refused = client.with("content-type", "application/json")
                .send(
                        "PUT",
                        "/v1/printers",
                        Client.utf8("[" + row.formatted(SharedApi.unknownId(), "null", unknown) + ","
                                + row.formatted(SharedApi.unknownId(), unknown, "null") + "]"));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().get("details").values())
                .extracting(fault -> Answer.at(fault, "path"))
                .containsExactlyInAnyOrder("[0].machineUserProfileId", "[1].throttleGroupId");
        assertThat(client.get("/v1/printers").each("id")).isEmpty();
    }

    @Test
    default void unknownReferenceIsReturnedWithAllOtherErrors() {
        Client client = owner();
        String unknown = "\"" + SharedApi.unknownId() + "\"";
        String material = "{\"name\":\"\",\"filamentUserProfileId\":" + unknown + "}";
        assertThat(BuildContract.paths(client.post("/v1/materials", material)))
                .containsExactly("name", "brand", "type", "tags", "filamentUserProfileId");
        String materialId = client.made("/v1/materials", material(profile(client)));
        assertThat(BuildContract.paths(client.patch("/v1/materials/" + materialId, material)))
                .containsExactly("name", "filamentUserProfileId");
        assertThat(BuildContract.paths(client.patch(
                        "/v1/materials", "{\"ids\":[\"" + materialId + "\"],\"update\":" + material + "}")))
                .containsExactly("update.name", "update.filamentUserProfileId");
        String linked = "{\"partId\":" + unknown + ",\"label\":\"\",\"quantity\":%s,\"parameters\":[],"
                + "\"exposedParameters\":[],\"materialAssignments\":{\"0\":[{\"materialId\":" + unknown + "}]}}";
        assertThat(BuildContract.paths(client.post("/v1/linked-parts", linked.formatted("1"))))
                .containsExactly("materialAssignments.0[0].materialId", "partId");
        assertThat(BuildContract.paths(client.post(
                        "/v1/skus",
                        "{\"sku\":\"\",\"title\":\"\",\"folderId\":" + unknown + ",\"linkedParts\":["
                                + linked.formatted("1") + "," + linked.formatted("-1") + "]}")))
                .containsExactly(
                        "sku",
                        "title",
                        "linkedParts[1].quantity",
                        "folderId",
                        "linkedParts[0].partId",
                        "linkedParts[1].partId");
        assertThat(BuildContract.paths(client.with("content-type", "application/json")
                        .send("PUT", "/v1/printers", Client.utf8("""
                        [{"name": "", "nozzleDiameter": "0.4", "throttleGroupId": %s},
                         {"name": "a", "nozzleDiameter": "0.4", "machineUserProfileId": %s}]""".formatted(unknown, unknown)))))
                .containsExactly("[0].name", "[0].throttleGroupId", "[1].machineUserProfileId");
        assertThat(BuildContract.paths(client.post(
                        "/v1/parts",
                        "{\"name\":\"\",\"type\":\"stl\",\"fileUris\":[\"uploads:x\"],\"folderId\":" + unknown
                                + ",\"parameters\":[{\"name\":\"a\",\"type\":\"number\",\"value\":\"b\"}]}")))
                .containsExactly("name", "parameters[0].value", "folderId");
        assertThat(BuildContract.paths(client.post(
                        "/v1/printer-throttle-groups",
                        "{\"name\":\"\",\"enabled\":true,\"maxConcurrentStarts\":1,\"fallbackTimeoutSeconds\":60,"
                                + "\"temperatureToleranceC\":2,\"releaseConditions\":{},\"printerIds\":[" + unknown
                                + "]}")))
                .containsExactly("name", "printerIds[0]");
        assertThat(BuildContract.paths(client.post(
                        "/v2/builds",
                        "{\"skus\":[{\"skuId\":" + unknown + ",\"order\":{\"orderId\":" + unknown + ",\"orderItemId\":"
                                + unknown + "}}]}")))
                .containsExactly("skus[0].order.orderItemId", "skus[0].skuId");
    }

    @Test
    default void referencedRecordIsNotDeletedAndItsUsersAreNamed() {
        Client client = owner();
        String profile = profile(client);
        String material = client.made("/v1/materials", material(profile));
        Answer refused = client.delete("/v1/profiles/" + profile);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text()).contains(material);
        assertThat(client.get("/v1/profiles/" + profile).status()).isEqualTo(200);
        assertThat(client.delete("/v1/materials/" + material).status()).isEqualTo(200);
        assertThat(client.delete("/v1/profiles/" + profile).status()).isEqualTo(200);
    }
}
