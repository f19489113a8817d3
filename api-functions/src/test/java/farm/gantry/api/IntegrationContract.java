package farm.gantry.api;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.Tables;
import farm.gantry.apikey.ApiKey;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Integrations: a secret shown once, and what leaves with them. */
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
    default void theSecretIsShownOnce() {
        Client client = Client.of(host(), Farm.newStore().key());
        Answer made = client.post(path(), body().replace("}", ",\"settings\":{\"autoPrint\":true},\"secret\":\"x\"}"));
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.at("secret")).asString().matches("[a-z0-9]{48}");
        assertThat(made.at("settings.autoPrint")).isEqualTo(true);
        String at = path() + "/" + made.at("id");
        assertThat(client.get(at).text()).isEqualTo(made.text().replaceAll("[a-z0-9]{48}", "redacted"));
        assertThat(client.patch(at, "{\"secret\":\"x\",\"settings\":{}}").at("secret"))
                .isEqualTo("redacted");
        assertThat(client.get(path() + "?secret.startsWith=seal").status()).isEqualTo(400);
    }

    @Test
    default void itsKeysGoWithItAndPrintersAndProfilesAreLetGo() {
        Farm.Store store = Farm.newStore();
        Client client = Client.of(host(), store.key());
        String id = client.made(path(), body());
        Answer key = client.post("/v1/api-keys", "{\"name\":\"market\",\"permissions\":[\"integration.view\"]}");
        Farm.bean(Database.class)
                .in(
                        store.id(),
                        tx -> Farm.bean(Tables.class)
                                .of(ApiKey.class)
                                .change(
                                        tx,
                                        String.valueOf(key.at("id")),
                                        Map.of(),
                                        Map.of("integrationId", id, "managed", true)));
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
