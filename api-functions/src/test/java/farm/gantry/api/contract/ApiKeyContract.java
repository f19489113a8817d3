package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Permission;
import farm.gantry.api.apikey.ApiKeyRows;
import farm.gantry.api.database.Database;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.apikey.SecretToken;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests API keys: their permissions, and which of their fields are shown. */
public interface ApiKeyContract extends BulkContract {
    @Override
    default String path() {
        return "/v1/api-keys";
    }

    @Override
    default String body() {
        return "{\"name\":\"wipe\"}";
    }

    @Override
    default Map<String, Object> defaults() {
        return Map.of(
                "active",
                true,
                "fullAccess",
                false,
                "permissions",
                "[]",
                "managed",
                false,
                "ipAllowlist",
                "null",
                "expiresAt",
                "null",
                "hash",
                "redacted",
                "salt",
                "redacted");
    }

    private Client owner() {
        return Client.of(host(), SharedApi.newStore().key());
    }

    private static String key(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return String.valueOf(answer.at("key"));
    }

    @Test
    default void allowlistMustContainTheCallersAddress() {
        Client owner = owner();
        String id = String.valueOf(owner.get("/v1/api-keys?name=owner").at("[0].id"));
        Answer refused = owner.patch("/v1/api-keys/" + id, "{\"ipAllowlist\":[\"192.0.2.1\"]}");
        assertThat(BuildContract.paths(refused)).containsExactly("ipAllowlist");
        assertThat(owner.patch("/v1/api-keys/" + id, "{\"ipAllowlist\":[\"192.0.2.1\",\"127.0.0.0/8\",\"::1\"]}")
                        .status())
                .isEqualTo(200);
        assertThat(owner.get("/v1/web-init").status()).isEqualTo(200);
        String other = owner.made("/v1/api-keys", "{\"name\":\"o\",\"fullAccess\":true}");
        assertThat(owner.patch("/v1/api-keys/" + other, "{\"ipAllowlist\":[\"192.0.2.1\"]}")
                        .status())
                .isEqualTo(200);
    }

    private static Client limitedKey(Client owner) {
        return owner.keyed(key(owner.post("/v1/api-keys", """
                {"name": "limited", "fullAccess": true, "ipAllowlist": ["127.0.0.0/8", "::1"], "requestsPerMinute": 6000,
                 "expiresAt": "2099-01-01T00:00:00Z"}""")));
    }

    @Test
    default void limitedKeyCreatesOnlyKeysWithItsLimits() {
        Client limited = limitedKey(owner());
        for (String silent : new String[] {"", ",\"ipAllowlist\":null,\"requestsPerMinute\":null,\"expiresAt\":null"}) {
            Answer child =
                    limited.get("/v1/api-keys/" + limited.made("/v1/api-keys", "{\"name\":\"c\"" + silent + "}"));
            assertThat(child.at("ipAllowlist")).hasToString("[127.0.0.0/8, ::1]");
            assertThat(child.at("requestsPerMinute")).hasToString("6000");
            assertThat(child.at("expiresAt")).isEqualTo("2099-01-01T00:00:00.000Z");
        }
        for (String wider : new String[] {
            "\"ipAllowlist\":[\"127.0.0.1\",\"10.0.0.1\"]",
            "\"ipAllowlist\":[\"126.0.0.0/7\"]",
            "\"requestsPerMinute\":6001",
            "\"expiresAt\":\"2099-01-01T00:00:00.001Z\""
        }) {
            Answer refused = limited.post("/v1/api-keys", "{\"name\":\"c\"," + wider + "}");
            assertThat(refused.status()).as(wider).isEqualTo(403);
            assertThat(String.valueOf(refused.at("message")))
                    .startsWith(wider.substring(1, wider.indexOf("\":")))
                    .contains("the calling key");
        }
        assertThat(limited.post("/v1/api-keys", """
                        {"name": "c", "ipAllowlist": ["127.0.0.1"], "requestsPerMinute": 1,
                         "expiresAt": "2098-01-01T00:00:00Z"}""").status()).isEqualTo(201);
        String integration = limited.made("/v1/integrations", "{\"type\":\"market1\",\"name\":\"m\"}");
        Answer managed = limited.post("/v1/integrations/" + integration + "/api-keys", "{\"name\":\"m\"}");
        assertThat(limited.get("/v1/api-keys/" + managed.at("id")).at("requestsPerMinute"))
                .hasToString("6000");
    }

    @Test
    default void limitedKeyOnlyTightensLimits() {
        Client owner = owner();
        Client limited = limitedKey(owner);
        String own = "/v1/api-keys/" + owner.get("/v1/api-keys?name=limited").at("[0].id");
        String free = "/v1/api-keys/" + owner.made("/v1/api-keys", "{\"name\":\"free\",\"active\":false}");
        for (String lifted : new String[] {
            "{\"ipAllowlist\":null}",
            "{\"ipAllowlist\":[\"0.0.0.0/0\",\"::/0\"]}",
            "{\"requestsPerMinute\":null}",
            "{\"expiresAt\":null}",
            "{\"expiresAt\":\"2100-01-01T00:00:00Z\"}"
        }) {
            assertThat(limited.patch(own, lifted).status()).as(lifted).isEqualTo(403);
        }
        for (String stronger :
                new String[] {"{\"fullAccess\":true}", "{\"permissions\":[\"part.view\"]}", "{\"active\":true}"}) {
            assertThat(limited.patch(free, stronger).status())
                    .as("an unlimited key that gains " + stronger)
                    .isEqualTo(403);
        }
        assertThat(limited.patch(free, "{\"name\":\"n\",\"requestsPerMinute\":50000}")
                        .status())
                .isEqualTo(200);
        assertThat(limited.patch(free, "{\"requestsPerMinute\":50001}").status())
                .isEqualTo(403);
        assertThat(limited.patch(
                                own,
                                "{\"name\":\"n\",\"requestsPerMinute\":5000,\"ipAllowlist\":[\"127.0.0.1\",\"::1\"]}")
                        .status())
                .isEqualTo(200);
        assertThat(limited.patch(own, "{\"requestsPerMinute\":6000}").status()).isEqualTo(403);
    }

    @Test
    default void newKeyIsShownOnceAndWorks() {
        Client owner = owner();
        Answer made = owner.post("/v1/api-keys", "{\"name\":\"k\",\"permissions\":[\"macro.view\"]}");
        String key = key(made);
        assertThat(key).matches("[a-z0-9]{81}").startsWith(String.valueOf(made.at("id")));
        assertThat(made.json().entries())
                .extracting(Map.Entry::getKey)
                .containsExactlyInAnyOrder("id", "storeId", "name", "key");
        assertThat(owner.keyed(key).get("/v1/macros").status()).isEqualTo(200);
        assertThat(owner.get("/v1/api-keys").text()).doesNotContain(key.substring(24));
        assertThat(owner.get("/v1/api-keys/" + made.at("id")).at("key")).isEqualTo("(absent)");
    }

    @Test
    default void hashAndSaltAreRedactedAndCannotBeProbed() {
        Client owner = owner();
        assertThat(owner.get("/v1/api-keys").each("hash")).containsOnly("redacted");
        assertThat(owner.get("/v1/api-keys?fields=hash,salt").each("salt")).containsOnly("redacted");
        for (String probe : new String[] {
            "hash=x", "salt=x", "hash.startsWith=a", "hash.isNull=true", "salt.ne=x", "sort=hash", "sort=salt:desc"
        }) {
            assertThat(owner.get("/v1/api-keys?" + probe).status()).as(probe).isEqualTo(400);
        }
    }

    @Test
    default void callerGrantsOnlyItsOwnPermissions() {
        Client owner = owner();
        Client clerk = owner.keyed(key(owner.post(
                "/v1/api-keys",
                "{\"name\":\"clerk\",\"permissions\":[\"apiKey.create\",\"apiKey.edit\",\"macro.view\"]}")));
        Answer within = clerk.post("/v1/api-keys", "{\"name\":\"k\",\"permissions\":[\"macro.view\"]}");
        assertThat(within.status()).isEqualTo(201);
        Answer beyond = clerk.post("/v1/api-keys", "{\"name\":\"k\",\"permissions\":[\"macro.edit\"]}");
        assertThat(beyond.status()).isEqualTo(403);
        assertThat(beyond.at("details[0].path")).isEqualTo("macro.edit");
        assertThat(clerk.post("/v1/api-keys", "{\"name\":\"k\",\"fullAccess\":true}")
                        .status())
                .isEqualTo(403);
        String id = String.valueOf(within.at("id"));
        assertThat(clerk.patch("/v1/api-keys/" + id, "{\"permissions\":[\"macro.edit\"]}")
                        .status())
                .isEqualTo(403);
        assertThat(clerk.patch("/v1/api-keys/" + id, "{\"fullAccess\":true}").status())
                .isEqualTo(403);
        assertThat(clerk.patch("/v1/api-keys/" + id, "{\"name\":\"n\"}").status())
                .isEqualTo(200);
    }

    @Test
    default void callerCannotTakeOverAStrongerKey() {
        Client owner = owner();
        Client clerk = owner.keyed(key(owner.post(
                "/v1/api-keys", "{\"name\":\"clerk\",\"permissions\":[\"apiKey.create\",\"apiKey.edit\"]}")));
        String strong =
                owner.made("/v1/api-keys", "{\"name\":\"s\",\"fullAccess\":true,\"ipAllowlist\":[\"192.0.2.1\"]}");
        assertThat(clerk.patch("/v1/api-keys/" + strong, "{\"ipAllowlist\":null}")
                        .status())
                .isEqualTo(403);
        assertThat(clerk.patch("/v1/api-keys/" + strong, "{\"fullAccess\":false}")
                        .status())
                .as("weakening a stronger key is rejected")
                .isEqualTo(403);
    }

    @Test
    default void callerCannotDeleteAStrongerKey() {
        Client owner = Client.of(host(), SharedApi.newStore().key());
        Answer other = owner.post("/v1/api-keys", "{\"name\":\"second owner\",\"fullAccess\":true}");
        Answer strong = owner.post("/v1/api-keys", "{\"name\":\"strong\",\"permissions\":[\"part.delete\"]}");
        Answer weak = owner.post("/v1/api-keys", "{\"name\":\"weak\",\"permissions\":[]}");
        Client deleter = owner.permitted("apiKey.delete");
        for (Answer key : new Answer[] {other, strong}) {
            assertThat(deleter.delete("/v1/api-keys/" + key.at("id")).status()).isEqualTo(403);
            String both = "[\"" + weak.at("id") + "\",\"" + key.at("id") + "\"]";
            assertThat(deleter.delete("/v1/api-keys", both).status()).isEqualTo(403);
        }
        assertThat(owner.get("/v1/api-keys").json().size()).isEqualTo(5);
        assertThat(deleter.delete("/v1/api-keys/" + weak.at("id")).status()).isEqualTo(200);
    }

    @Test
    default void lastFullAccessKeyCannotBeDisabledOrDeleted() {
        Client owner = Client.of(host(), SharedApi.newStore().key());
        String last = String.valueOf(owner.get("/v1/api-keys").at("[0].id"));
        owner.post("/v1/api-keys", "{\"name\":\"off\",\"fullAccess\":true,\"active\":false}");
        owner.post("/v1/api-keys", "{\"name\":\"over\",\"fullAccess\":true,\"expiresAt\":\"2020-01-01T00:00:00Z\"}");
        for (String change :
                new String[] {"{\"active\":false}", "{\"fullAccess\":false}", "{\"expiresAt\":\"2020-01-01T00:00:00Z\"}"
                }) {
            assertThat(owner.patch("/v1/api-keys/" + last, change).status())
                    .as(change)
                    .isEqualTo(409);
            assertThat(owner.patch("/v1/api-keys", "{\"ids\":[\"" + last + "\"],\"update\":" + change + "}")
                            .status())
                    .isEqualTo(409);
        }
        assertThat(owner.delete("/v1/api-keys/" + last).status()).isEqualTo(409);
        assertThat(owner.delete("/v1/api-keys", "[\"" + last + "\"]").status()).isEqualTo(409);
        assertThat(owner.patch("/v1/api-keys/" + last, "{\"name\":\"renamed\"}").status())
                .isEqualTo(200);
        Answer next = owner.post("/v1/api-keys", "{\"name\":\"next\",\"fullAccess\":true}");
        assertThat(owner.keyed(String.valueOf(next.at("key")))
                        .delete("/v1/api-keys/" + last)
                        .status())
                .isEqualTo(200);
    }

    @Test
    default void keyErrorsNameTheirPaths() {
        Answer answer = owner().post(
                        "/v1/api-keys",
                        "{\"name\":\"k\",\"permissions\":[\"macro.view\",\"no.such\"],\"ipAllowlist\":[\"10.0.0.0/8\",\"10.0.0.0/33\",\"host.example\"]}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().get("details").values())
                .extracting(fault -> Answer.at(fault, "path"))
                .containsExactly("permissions[1]", "ipAllowlist[1]", "ipAllowlist[2]");
        String wrong =
                "{\"name\":\"\",\"permissions\":[\"no.such\"],\"ipAllowlist\":[\"host\"],\"requestsPerMinute\":0}";
        String key = owner().made("/v1/api-keys", "{\"name\":\"k\"}");
        for (Answer all : List.of(owner().post("/v1/api-keys", wrong), owner().patch("/v1/api-keys/" + key, wrong))) {
            assertThat(BuildContract.paths(all))
                    .containsExactly("name", "permissions[0]", "ipAllowlist[0]", "requestsPerMinute");
        }
    }

    @Test
    default void disabledOrDeletedKeyIsRejected() {
        Client owner = owner();
        Answer made = owner.post("/v1/api-keys", "{\"name\":\"k\",\"fullAccess\":true}");
        Client client = owner.keyed(key(made));
        String path = "/v1/api-keys/" + made.at("id");
        assertThat(owner.patch(path, "{\"active\":false}").status()).isEqualTo(200);
        assertThat(client.get("/v1/macros").status()).isEqualTo(401);
        assertThat(owner.patch(path, "{\"active\":true}").status()).isEqualTo(200);
        assertThat(client.get("/v1/macros").status()).isEqualTo(200);
        assertThat(owner.delete(path).status()).isEqualTo(200);
        assertThat(client.get("/v1/macros").status()).isEqualTo(401);
    }

    @Test
    default void wrongSecretIsRejectedAndDoesNotEvictTheKey() {
        Client owner = owner();
        String key = key(owner.post("/v1/api-keys", "{\"name\":\"k\",\"permissions\":[\"macro.view\"]}"));
        Client client = owner.keyed(key);
        assertThat(client.get("/v1/macros").status()).isEqualTo(200);
        String wrong = key.substring(0, key.length() - 1) + (key.endsWith("a") ? "b" : "a");
        assertThat(owner.keyed(wrong).get("/v1/macros").status()).isEqualTo(401);
        String id = SecretToken.parse(key).orElseThrow().id();
        assertThat(SharedApi.bean(ApiKeyRows.class).findCached(id, Instant.EPOCH)).isPresent();
        assertThat(client.get("/v1/macros").status()).isEqualTo(200);
    }

    /** Changes the key as another process does, without notifying this one. */
    private static void changeElsewhere(SharedApi.Store store, Answer made, String change) {
        int changed = SharedApi.bean(Database.class)
                .in(
                        store.id(),
                        tx -> tx.update(
                                "update farm.\"apiKey\" set " + change
                                        + ", \"updatedAt\" = \"updatedAt\" + interval '1 ms' where id = ?",
                                String.valueOf(made.at("id"))));
        assertThat(changed).isEqualTo(1);
    }

    @Test
    default void keyDisabledByAnotherProcessIsRejected() {
        SharedApi.Store store = SharedApi.newStore();
        Client owner = Client.of(host(), store.key());
        Answer made = owner.post("/v1/api-keys", "{\"name\":\"k\",\"fullAccess\":true}");
        Client client = owner.keyed(key(made));
        String macro = client.made("/v1/macros", "{\"name\":\"m\",\"type\":\"purge\",\"gcode\":\"G28\"}");
        changeElsewhere(store, made, "active = false");
        assertThat(client.get("/v1/macros/" + macro).status()).isEqualTo(401);
        assertThat(client.get("/v1/macros").status()).isEqualTo(401);
        assertThat(client.get("/v1/permissions/types").status()).isEqualTo(401);
        assertThat(client.post("/v1/macros", "{\"name\":\"n\",\"type\":\"purge\",\"gcode\":\"G28\"}")
                        .status())
                .isEqualTo(401);
        assertThat(client.post("/v1/storage/signed-upload-urls", "{\"filenames\":[\"a.stl\"]}")
                        .status())
                .isEqualTo(401);
        assertThat(client.patch("/v1/macros/" + macro, "{\"name\":\"n\"}").status())
                .isEqualTo(401);
        assertThat(owner.get("/v1/macros?name=n&meta=true").at("meta.total")).isEqualTo(0);
        changeElsewhere(store, made, "active = true");
        assertThat(client.get("/v1/macros/" + macro).status()).isEqualTo(200);
    }

    @Test
    default void keyChangedByAnotherProcessIsReloadedOnlyWhenItsPermissionsChange() {
        SharedApi.Store store = SharedApi.newStore();
        Client owner = Client.of(host(), store.key());
        Answer made = owner.post("/v1/api-keys", "{\"name\":\"k\",\"permissions\":[\"macro.view\",\"macro.create\"]}");
        Client client = owner.keyed(key(made));
        assertThat(client.get("/v1/macros").status()).isEqualTo(200);
        changeElsewhere(store, made, "name = 'renamed'");
        assertThat(client.made("/v1/macros", "{\"name\":\"m\",\"type\":\"purge\",\"gcode\":\"G28\"}"))
                .isNotEmpty();
        changeElsewhere(store, made, "permissions = '[\"macro.view\",\"part.view\"]'");
        Answer response = client.get("/v1/macros");
        assertThat(response.status()).isEqualTo(503);
        assertThat(response.header("retry-after")).isEqualTo("1");
        assertThat(client.get("/v1/macros").status()).isEqualTo(200);
        assertThat(client.get("/v1/parts").status()).isEqualTo(200);
        changeElsewhere(store, made, "permissions = '[\"part.view\"]'");
        assertThat(client.get("/v1/macros").status()).isEqualTo(403);
    }

    @Test
    default void permissionsOfAKeyAreListed() {
        Client owner = owner();
        Answer made = owner.post("/v1/api-keys", "{\"name\":\"k\",\"permissions\":[\"macro.view\",\"apiKey.view\"]}");
        assertThat(owner.get("/v1/api-keys/" + made.at("id") + "/permissions").text())
                .isEqualTo("[\"apiKey.view\",\"macro.view\"]");
        String full = owner.made("/v1/api-keys", "{\"name\":\"f\",\"fullAccess\":true}");
        assertThat(owner.get("/v1/api-keys/" + full + "/permissions").json().size())
                .isEqualTo(Permission.values().length);
    }

    @Test
    default void lastUseIsRecorded() {
        Client owner = owner();
        Answer made = owner.post("/v1/api-keys", "{\"name\":\"k\",\"permissions\":[\"macro.view\"]}");
        assertThat(owner.get("/v1/api-keys/" + made.at("id")).at("lastUsedAt")).isNull();
        owner.keyed(key(made)).get("/v1/macros");
        assertThat(owner.get("/v1/api-keys/" + made.at("id")).at("lastUsedAt")).isNotNull();
    }

    @Test
    default void anyKeyReadsItsStoreAndPermissions() {
        SharedApi.Store store = SharedApi.newStore();
        Client owner = Client.of(host(), store.key());
        Answer types = owner.get("/v1/permissions/types");
        assertThat(types.status()).isEqualTo(200);
        assertThat(types.text()).contains("\"part.view\"", "\"apiKey.create\"");
        assertThat(owner.get("/v1/web-init").json().get("permissions")).isEqualTo(types.json());
        Answer made = owner.post("/v1/api-keys", "{\"name\":\"viewer\",\"permissions\":[\"part.view\"]}");
        Answer start = owner.keyed(String.valueOf(made.at("key"))).get("/v1/web-init");
        assertThat(start.at("store.id")).isEqualTo(store.id().value());
        assertThat(start.at("permissions[0]")).isEqualTo("part.view");
        assertThat(start.json().get("permissions").size()).isEqualTo(1);
        assertThat(Client.of(host()).get("/v1/web-init").status()).isEqualTo(401);
    }
}
