package farm.gantry.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** An id of another record names one that is there, and stays there as long as it is needed. */
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
        return client.made(
                "/v1/profiles",
                "{\"name\":\"p\",\"type\":\"filament\",\"source\":\"manual\",\"data\":{},\"metadata\":{},"
                        + "\"inherits\":\"\",\"compatibilityList\":\"\"}");
    }

    @Test
    default void aRecordThatRefersToNothingIsRefusedAtThatField() {
        Client client = owner();
        Answer refused = client.post("/v1/materials", material(SharedApi.unknownId()));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.at("error")).isEqualTo("validation_failed");
        assertThat(refused.at("details[0].path")).isEqualTo("filamentUserProfileId");
        assertThat(refused.at("details[0].code")).isEqualTo("unknown");
    }

    @Test
    default void anotherStoresRecordIsNothing() {
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
    default void eachOfManyRecordsIsNamed() {
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
    default void aRecordThatOthersNeedStaysAndTheyAreNamed() {
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
