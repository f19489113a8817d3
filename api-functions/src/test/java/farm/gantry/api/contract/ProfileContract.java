package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests profiles: a slicer's settings are stored unchanged, and cannot be deleted while in use. */
public interface ProfileContract extends BulkContract {
    @Override
    default String path() {
        return "/v1/profiles";
    }

    @Override
    default String body() {
        return "{\"name\":\"wipe\",\"type\":\"process\",\"source\":\"manual\",\"data\":{},\"metadata\":{},"
                + "\"inherits\":\"\",\"compatibilityList\":\"\"}";
    }

    @Override
    default Map<String, Object> defaults() {
        return Map.of(
                "type", "process",
                "source", "manual",
                "data", "{}",
                "inherits", "",
                "externalId", "null",
                "integrationId", "null",
                "integrationType", "null",
                "customMetadata", "{}");
    }

    @Test
    default void settingsAreStoredUnchanged() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        String data = "{\"layer_height\":\"0.2\",\"speeds\":[1,2.5],\"nested\":{\"on\":true,\"off\":null}}";
        Answer made = client.post(
                path(),
                body().replace("\"data\":{}", "\"data\":" + data)
                        .replace("manual", "vendorA-account")
                        .replace("\"metadata\"", "\"integrationType\":\"shipping1\",\"metadata\""));
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.text()).contains("\"data\":" + data).contains("\"source\":\"vendorA-account\"");
        assertThat(made.at("integrationType")).isEqualTo("shipping1");
        assertThat(client.get(path() + "?data.layer_height=0.2").each("id"))
                .containsExactly(String.valueOf(made.at("id")));
    }

    @Test
    default void profileErrorsNameTheirPaths() {
        Answer refused = Client.of(host(), SharedApi.newStore().key())
                .post(
                        path(),
                        "{\"name\":\"\",\"type\":\"printer\",\"source\":\"vendorB-account\",\"data\":[],"
                                + "\"metadata\":null,\"inherits\":null}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().get("details").values())
                .extracting(fault -> Answer.at(fault, "path"))
                .containsExactlyInAnyOrder(
                        "name", "type", "source", "data", "metadata", "inherits", "compatibilityList");
    }

    @Test
    default void profileInUseCannotBeDeleted() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        String id = client.made(path(), body());
        Answer registered = client.with("content-type", "application/json")
                .send("PUT", "/v1/printers", Client.utf8("""
                        [{"name": "K1", "nozzleDiameter": "0.4", "deviceId": "%s",
                          "processUserProfileId": "%s"}]""".formatted(Id.next(), id)));
        String printer = String.valueOf(registered.at("[0].id"));
        Answer refused = client.delete(path() + "/" + id);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.at("message")).asString().contains("printer " + printer);
        client.delete("/v1/printers/" + printer);
        assertThat(client.delete(path() + "/" + id).at("[0]")).isEqualTo(id);
    }
}
