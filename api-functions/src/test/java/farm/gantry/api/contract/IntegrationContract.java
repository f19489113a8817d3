package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests integrations: the secret that is shown once, and what is deleted with an integration. */
public interface IntegrationContract extends BulkContract {
    @Override
    default String path() {
        return "/v1/integrations";
    }

    @Override
    default String body() {
        return "{\"name\":\"wipe\",\"type\":\"market3\"}";
    }

    @Override
    default Map<String, Object> defaults() {
        return Map.of("type", "market3", "externalId", "null", "settings", "{}", "secret", "redacted");
    }

    @Test
    default void secretIsShownOnce() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        Answer made = client.post(path(), body().replace("}", ",\"settings\":{\"autoPrint\":true},\"secret\":\"x\"}"));
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.at("secret")).asString().matches("whsec_[A-Za-z0-9+/]{43}=");
        assertThat(made.at("settings.autoPrint")).isEqualTo(true);
        String at = path() + "/" + made.at("id");
        assertThat(client.get(at).text()).isEqualTo(made.text().replaceAll("whsec_[A-Za-z0-9+/]{43}=", "redacted"));
        assertThat(client.patch(at, "{\"secret\":\"x\",\"settings\":{}}").at("secret"))
                .isEqualTo("redacted");
        assertThat(client.get(path() + "?secret.startsWith=seal").status()).isEqualTo(400);
    }

    @Test
    default void nullEqualsAMissingOptionalField() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        String id = client.made(
                path(), "{\"name\":\"m\",\"type\":\"market1\",\"settings\":{\"account\":null,\"apiKey\":null}}");
        assertThat(String.valueOf(client.get(path() + "/" + id).at("settings"))).isEqualTo("{}");
        assertThat(client.patch(path() + "/" + id, "{\"name\":null}").at("details[0].path"))
                .isEqualTo("name");
    }

    @Test
    default void credentialsOfTheServiceAreEncrypted() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        String id = client.made(
                path(),
                "{\"name\":\"post\",\"type\":\"shipping1\",\"settings\":{\"account\":\"farm\",\"apiKey\":\"hush\"}}");
        Client viewer = client.permitted("integration.view");
        Answer seen = viewer.get(path() + "/" + id);
        assertThat(seen.at("settings.account")).isEqualTo("farm");
        assertThat(seen.at("settings.apiKey")).isEqualTo("********");
        client.patch(path() + "/" + id, "{\"settings\":{\"account\":\"new\",\"apiKey\":\"********\"}}");
        Client technician = client.permitted("integration.view", "printer.config");
        assertThat(technician.get(path() + "/" + id).at("settings.apiKey"))
                .as("permission to configure printers only")
                .isEqualTo("********");
        assertThat(client.get(path() + "/" + id).at("settings.apiKey"))
                .as("the owner, who may change integrations")
                .isEqualTo("hush");
    }

    @Test
    default void createAndRotateResponsesDifferFromGetOnlyInTheSecret() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        Answer made =
                client.post(path(), "{\"name\":\"post\",\"type\":\"shipping1\",\"settings\":{\"apiKey\":\"hush\"}}");
        assertThat(made.status()).isEqualTo(201);
        Answer rotated = client.post(path() + "/" + made.at("id") + "/rotate-secret", "");
        String read = client.get(path() + "/" + made.at("id")).text();
        for (Answer answer : List.of(made, rotated)) {
            assertThat(answer.at("secret")).asString().startsWith("whsec_");
            assertThat(answer.at("settings.apiKey")).isEqualTo("hush");
        }
        assertThat(rotated.text().replace(String.valueOf(rotated.at("secret")), "redacted"))
                .isEqualTo(read);
    }

    @Test
    default void keyOfAnIntegrationCannotBeChangedByHand() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        String keys = path() + "/" + client.made(path(), body()) + "/api-keys";
        String key = "{\"name\":\"k\",\"permissions\":[\"order.view\"]}";
        Answer made = client.post(keys, key);
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        String at = "/v1/api-keys/" + made.at("id");
        assertThat(client.get(at).at("managed")).isEqualTo(true);
        assertThat(client.get(at).at("managedBy")).isEqualTo("market3");
        Answer refused = client.patch(at, "{\"permissions\":[]}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(client.patch("/v1/api-keys", "{\"ids\":[\"" + made.at("id") + "\"],\"update\":{\"name\":\"n\"}}")
                        .status())
                .isEqualTo(409);
        assertThat(client.get(at).at("permissions")).hasToString("[order.view]");
        Client manager = client.permitted("integration.manage", "apiKey.create");
        assertThat(manager.post(keys, key).at("details[0].path"))
                .as("no more than the caller's permissions")
                .isEqualTo("order.view");
        assertThat(client.post(path() + "/" + SharedApi.unknownId() + "/api-keys", key)
                        .status())
                .isEqualTo(404);
        assertThat(client.delete(at).status()).as("a lost key can be revoked").isEqualTo(200);
    }

    @Test
    default void deletionRemovesKeysAndUnlinksPrintersAndProfiles() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String id = client.made(path(), body());
        Answer key = client.post(
                path() + "/" + id + "/api-keys", "{\"name\":\"market\",\"permissions\":[\"integration.view\"]}");
        String of = "\"integrationId\":\"" + id + "\",\"integrationType\":\"market3\"";
        String profile = client.made(
                "/v1/profiles",
                "{\"name\":\"p\",\"type\":\"process\",\"source\":\"manual\",\"data\":{},\"metadata\":{},"
                        + "\"inherits\":\"\",\"compatibilityList\":\"\"," + of + "}");
        String printer = String.valueOf(client.with("content-type", "application/json")
                .send(
                        "PUT",
                        "/v1/printers",
                        Client.utf8("[{\"name\":\"K1\",\"nozzleDiameter\":\"0.4\",\"deviceId\":\"" + Id.next() + "\","
                                + of + "}]"))
                .at("[0].id"));
        Client market = client.keyed(String.valueOf(key.at("key")));
        assertThat(market.get(path()).status()).isEqualTo(200);
        assertThat(market.delete(path() + "/" + id).at("details[0].path")).isEqualTo("integration.manage");
        assertThat(client.delete(path() + "/" + id).at("[0]")).isEqualTo(id);
        assertThat(market.get(path()).status()).isEqualTo(401);
        assertThat(client.get("/v1/api-keys/" + key.at("id")).status()).isEqualTo(404);
        for (String freed : new String[] {"/v1/profiles/" + profile, "/v1/printers/" + printer}) {
            assertThat(client.get(freed).at("integrationId")).isNull();
        }
    }
}
