package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.SharedApi;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the audit log: who changed what, with which key and from which address. */
public interface AuditContract {
    Host host();

    private static Answer entries(Client owner, String id) {
        return owner.get("/v1/audit-logs?sort=createdAt&entityId=" + id);
    }

    @Test
    default void changeIsLoggedWithKeyAndRequest() {
        SharedApi.Store store = SharedApi.newStore();
        Client owner = Client.of(host(), store.key());
        String macro = owner.with("x-request-id", "made-here").made("/v1/macros", HttpContract.MACRO);
        owner.patch("/v1/macros/" + macro, "{\"name\":\"tidy\"}");
        owner.patch("/v1/macros/" + macro, "{\"name\":\"tidy\"}");
        owner.delete("/v1/macros/" + macro);
        Answer noted = entries(owner, macro);
        assertThat(noted.each("action")).as(noted.text()).containsExactly("created", "updated", "deleted");
        assertThat(noted.at("[0].entityType")).isEqualTo("gcodeMacro");
        assertThat(noted.at("[0].requestId")).isEqualTo("made-here");
        assertThat(noted.at("[0].address")).isEqualTo("127.0.0.1");
        assertThat(noted.at("[0].before")).isNull();
        assertThat(noted.at("[0].after.id")).isEqualTo(macro);
        assertThat(noted.at("[1].before.id")).isEqualTo("(absent)");
        assertThat(noted.at("[1].before.name")).isEqualTo(noted.at("[0].after.name"));
        assertThat(noted.at("[1].after.name")).isEqualTo("tidy");
        assertThat(noted.at("[2].before.name")).isEqualTo("tidy");
        assertThat(noted.at("[2].after")).isNull();
        String key = String.valueOf(noted.at("[0].keyId"));
        assertThat(store.key()).contains(key);
        assertThat(owner.get("/v1/api-keys/" + key).at("name")).isEqualTo(noted.at("[0].keyName"));
    }

    @Test
    default void rejectedChangeIsNotLogged() {
        Client owner = Client.of(host(), SharedApi.newStore().key());
        String macro = owner.made("/v1/macros", HttpContract.MACRO);
        assertThat(owner.patch(
                                "/v1/macros/batch",
                                "{\"ids\":[\"" + macro + "\",\"" + "z".repeat(24) + "\"],\"update\":{\"name\":\"n\"}}")
                        .status())
                .isNotEqualTo(200);
        assertThat(entries(owner, macro).each("action")).containsExactly("created");
    }

    @Test
    default void secretsAreNotLogged() {
        Client owner = Client.of(host(), SharedApi.newStore().key());
        Answer key = owner.post("/v1/api-keys", "{\"name\":\"shop\",\"permissions\":[\"part.view\"]}");
        Answer market = owner.post("/v1/integrations", "{\"type\":\"market1\",\"name\":\"m\",\"settings\":{}}");
        String webhook = "k".repeat(40);
        owner.post(
                "/v1/settings/notifications",
                "{\"channel\":\"webhook\",\"data\":{\"webhookUrl\":\"http://127.0.0.1:9/\",\"apiKey\":\"" + webhook
                        + "\"}}");
        String all = owner.get("/v1/audit-logs?limit=1000").text();
        assertThat(all).contains("notificationSetting", "integration", "apiKey");
        for (String secret : List.of(
                String.valueOf(key.at("key")), String.valueOf(market.at("secret")), webhook, "sealed:", "salt")) {
            assertThat(secret).isNotEqualTo("(absent)");
            assertThat(all).doesNotContain(secret);
        }
    }

    @Test
    default void logOfTheOwnStoreIsReadOnlyWithPermission() {
        SharedApi.Store store = SharedApi.newStore();
        Client owner = Client.of(host(), store.key());
        String macro = owner.made("/v1/macros", HttpContract.MACRO);
        String entry = entries(owner, macro).each("id").getFirst();
        assertThat(owner.get("/v1/audit-logs/" + entry).at("entityId")).isEqualTo(macro);
        Client stranger = Client.of(host(), SharedApi.newStore().key());
        assertThat(stranger.get("/v1/audit-logs/" + entry).status()).isEqualTo(404);
        assertThat(entries(stranger, macro).text()).isEqualTo("[]");
        assertThat(owner.delete("/v1/audit-logs/" + entry).status()).isIn(404, 405);
    }
}
