package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.database.Database;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Call;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.SharedApi;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests browser sessions: the permissions, lifetime and origin of their cookie. */
public interface SessionContract {
    Host host();

    /** Returns the origin of the host's own pages. */
    String origin();

    /** Returns a client with the store's key. */
    private Client keyed(SharedApi.Store store) {
        return addressed().with("authorization", "ApiKey " + store.key());
    }

    default Client addressed() {
        return Client.of(host());
    }

    private Answer signIn(String name) {
        return signIn(SharedApi.newStore(), name);
    }

    private Answer signIn(SharedApi.Store store, String name) {
        Answer answer = keyed(store).post("/v1/sessions", "{\"name\":\"" + name + "\"}");
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer;
    }

    private static String cookie(Answer answer) {
        return Objects.requireNonNull(answer.header("set-cookie")).split(";", 2)[0];
    }

    /** Returns the headers that a page of this host sends. */
    private Client page(Answer signedIn) {
        return addressed().with("cookie", "theme=dark; " + cookie(signedIn)).with("origin", origin());
    }

    @Test
    default void keyIsExchangedForAnHttpOnlyCookie() {
        SharedApi.Store store = SharedApi.newStore();
        Answer signedIn = signIn(store, "Ada");
        String cookie = Objects.requireNonNull(signedIn.header("set-cookie"));
        assertThat(cookie).contains("; HttpOnly", "; SameSite=Strict", "; Path=/", "; Max-Age=2592000");
        boolean isSecure = origin().startsWith("https:");
        assertThat(cookie.contains("; Secure")).isEqualTo(isSecure);
        assertThat(cookie)
                .startsWith(isSecure ? "__Host-gantry-443=" : "gantry-" + origin().replaceAll(".*:", "") + "=");
        assertThat(signedIn.text()).doesNotContain(cookie(signedIn).replaceAll(".*=", ""));
        Client page = page(signedIn);
        assertThat(page.get("/v1/web-init").at("store.id")).isEqualTo(store.id().value());
        assertThat(page.get("/v1/sessions/current").at("name")).isEqualTo("Ada");
        assertThat(page.post("/v1/macros", HttpContract.MACRO).status()).isEqualTo(201);
    }

    @Test
    default void changeNeedsTheSameOrigin() {
        Answer signedIn = signIn("Ada");
        Client foreign = addressed().with("cookie", cookie(signedIn));
        assertThat(foreign.get("/v1/macros").status()).isEqualTo(200);
        for (Client client : new Client[] {
            foreign,
            foreign.with("origin", "https://other.example"),
            foreign.with("origin", "null"),
            foreign.with("origin", origin() + "0")
        }) {
            Answer refused = client.post("/v1/macros", HttpContract.MACRO);
            assertThat(refused.status()).as(refused.text()).isEqualTo(403);
            assertThat(String.valueOf(refused.at("message"))).contains(origin());
        }
        assertThat(foreign.get("/v1/macros").text()).isEqualTo("[]");
    }

    @Test
    default void crossOriginSignInIsRejected() throws Exception {
        List<Map.Entry<String, String>> headers = List.of(
                Map.entry("authorization", "ApiKey " + SharedApi.newStore().key()),
                Map.entry("content-type", "application/json"),
                Map.entry("origin", "https://other.example"));
        Answer refused = host().send(new Call("POST", "/v1/sessions", headers, Client.utf8("{\"name\":\"Eve\"}")));
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.at("error")).isEqualTo("forbidden");
        assertThat(refused.at("requestId")).isEqualTo(refused.header("x-request-id"));
        assertThat(refused.header("set-cookie")).isNull();
    }

    @Test
    default void keyTakesPrecedenceOverTheCookie() {
        SharedApi.Store other = SharedApi.newStore();
        Client both = page(signIn("Ada")).with("authorization", "ApiKey " + other.key());
        assertThat(both.get("/v1/web-init").at("store.id")).isEqualTo(other.id().value());
        assertThat(both.get("/v1/sessions/current").status()).isEqualTo(404);
        Client wrong = page(signIn("Ada")).with("authorization", "ApiKey wrong");
        assertThat(wrong.get("/v1/web-init").status()).isEqualTo(401);
    }

    @Test
    default void codeSignsInOnce() {
        SharedApi.Store store = SharedApi.newStore();
        Answer made = keyed(store).post("/v1/sessions/codes", "{}");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        String body = "{\"name\":\"Ada\",\"code\":\"" + made.at("code") + "\"}";
        Answer signedIn = addressed().post("/v1/sessions", body);
        assertThat(signedIn.status()).as(signedIn.text()).isEqualTo(201);
        assertThat(page(signedIn).get("/v1/web-init").at("store.id"))
                .isEqualTo(store.id().value());
        Answer again = addressed().post("/v1/sessions", body);
        assertThat(again.status()).isEqualTo(400);
        assertThat(again.at("details[0].path")).isEqualTo("code");
    }

    @Test
    default void signInTakesEitherACodeOrAKey() {
        SharedApi.Store store = SharedApi.newStore();
        Object code = keyed(store).post("/v1/sessions/codes", "{}").at("code");
        for (String body : new String[] {"{\"apiKey\":\"" + store.key() + "\"}", "{\"code\":\"" + code + "\"}"}) {
            Answer signedIn = addressed().post("/v1/sessions", body);
            assertThat(signedIn.status()).as(signedIn.text()).isEqualTo(201);
            assertThat(signedIn.at("name")).isEqualTo("unnamed");
            assertThat(page(signedIn).get("/v1/web-init").at("store.id"))
                    .isEqualTo(store.id().value());
        }
        assertThat(addressed().post("/v1/sessions", "{\"apiKey\":\"wrong\"}").status())
                .isEqualTo(401);
    }

    @Test
    default void codeExpiresAfterTenMinutesOrWithItsKey() {
        SharedApi.Store store = SharedApi.newStore();
        Client owner = keyed(store);
        Answer late = owner.post("/v1/sessions/codes", "{}");
        SharedApi.bean(Database.class)
                .in(
                        store.id(),
                        tx -> tx.update(
                                "update farm.\"signInCode\" set \"expiresAt\" = \"expiresAt\" - interval '10 minutes'"));
        assertThat(codeOpens(late)).isEqualTo(400);
        Answer key = owner.post("/v1/api-keys", "{\"name\":\"k\",\"fullAccess\":true}");
        Answer orphan =
                addressed().with("authorization", "ApiKey " + key.at("key")).post("/v1/sessions/codes", "{}");
        owner.delete("/v1/api-keys/" + key.at("id"));
        assertThat(codeOpens(orphan)).isEqualTo(400);
    }

    private int codeOpens(Answer made) {
        return addressed()
                .post("/v1/sessions", "{\"name\":\"Ada\",\"code\":\"" + made.at("code") + "\"}")
                .status();
    }

    @Test
    default void signInWithoutKeyOrCodeIsRejected() {
        assertThat(addressed().post("/v1/sessions", "{\"name\":\"Eve\"}").status())
                .isEqualTo(401);
        assertThat(addressed()
                        .with("cookie", cookie(signIn("Ada")))
                        .with("origin", origin())
                        .post("/v1/sessions", "{\"name\":\"Eve\"}")
                        .status())
                .as("a session does not prolong itself")
                .isEqualTo(401);
        assertThat(page(signIn("Ada")).post("/v1/sessions/codes", "{}").status())
                .isEqualTo(403);
        assertThat(keyed(SharedApi.newStore())
                        .post("/v1/sessions", "{\"name\":\" \"}")
                        .status())
                .isEqualTo(400);
    }

    @Test
    default void sessionHasThePermissionsOfItsKeyAndEndsWithIt() {
        Client owner = keyed(SharedApi.newStore());
        Answer key = owner.post("/v1/api-keys", "{\"name\":\"viewer\",\"permissions\":[\"macro.view\"]}");
        Answer signedIn =
                addressed().with("authorization", "ApiKey " + key.at("key")).post("/v1/sessions", "{\"name\":\"Ada\"}");
        Client page = page(signedIn);
        assertThat(page.get("/v1/macros").status()).isEqualTo(200);
        assertThat(page.post("/v1/macros", HttpContract.MACRO).status()).isEqualTo(403);
        String path = "/v1/api-keys/" + key.at("id");
        owner.patch(path, "{\"active\":false}");
        assertThat(page.get("/v1/macros").status()).isEqualTo(401);
        owner.patch(path, "{\"active\":true}");
        assertThat(page.get("/v1/macros").status()).isEqualTo(200);
        owner.delete(path);
        assertThat(page.get("/v1/macros").status()).isEqualTo(401);
        assertThat(owner.get("/v1/sessions").text()).isEqualTo("[]");
    }

    @Test
    default void sessionExpiresAfterThirtyDaysRegardlessOfUse() {
        SharedApi.Store store = SharedApi.newStore();
        Client page = page(signIn(store, "Ada"));
        assertThat(page.get("/v1/macros").status()).isEqualTo(200);
        int ended = SharedApi.bean(Database.class)
                .in(
                        store.id(),
                        tx -> tx.update("update farm.session set \"expiresAt\" = \"expiresAt\" - interval '30 days'"));
        assertThat(ended).isEqualTo(1);
        assertThat(page.get("/v1/macros").status()).isEqualTo(401);
    }

    @Test
    default void sessionsAreListedAndEnded() {
        SharedApi.Store store = SharedApi.newStore();
        Client owner = keyed(store);
        Answer ada = signIn(store, "Ada");
        Answer bob = signIn(store, "Bob");
        page(bob).get("/v1/macros");
        Answer list = owner.get("/v1/sessions");
        assertThat(list.each("name")).containsExactly("Ada", "Bob");
        assertThat(list.at("[1].lastUsedAt")).isNotNull();
        assertThat(list.text()).doesNotContain("hash", "salt");
        assertThat(owner.delete("/v1/sessions/" + ada.at("id")).status()).isEqualTo(200);
        assertThat(page(ada).get("/v1/macros").status()).isEqualTo(401);
        Answer signedOut = page(bob).delete("/v1/sessions/current");
        assertThat(signedOut.status()).isEqualTo(200);
        assertThat(signedOut.header("set-cookie")).contains("=; ", "Max-Age=0");
        assertThat(page(bob).get("/v1/macros").status()).isEqualTo(401);
        Answer viewer = owner.post("/v1/api-keys", "{\"name\":\"viewer\",\"permissions\":[]}");
        Client powerless = page(addressed()
                .with("authorization", "ApiKey " + viewer.at("key"))
                .post("/v1/sessions", "{\"name\":\"Eve\"}"));
        assertThat(powerless.get("/v1/sessions").status()).isEqualTo(403);
        assertThat(powerless.delete("/v1/sessions/current").status()).isEqualTo(200);
    }

    @Test
    default void weakerKeyCannotEndTheSessionOfAStrongerOne() {
        SharedApi.Store store = SharedApi.newStore();
        Client owner = keyed(store);
        String ofOwner = String.valueOf(signIn(store, "Ada").at("id"));
        Client weak = owner.permitted("apiKey.delete", "apiKey.view");
        String ofWeak =
                String.valueOf(weak.post("/v1/sessions", "{\"name\":\"Bob\"}").at("id"));
        assertThat(weak.delete("/v1/sessions/" + ofOwner).status()).isEqualTo(403);
        assertThat(owner.get("/v1/sessions").each("id")).containsExactlyInAnyOrder(ofOwner, ofWeak);
        assertThat(weak.delete("/v1/sessions/" + ofWeak).status()).isEqualTo(200);
        assertThat(weak.delete("/v1/sessions/" + SharedApi.unknownId()).status())
                .isEqualTo(404);
        assertThat(owner.delete("/v1/sessions/" + ofOwner).status()).isEqualTo(200);
    }

    @Test
    default void auditLogNamesTheKeyOfASession() {
        SharedApi.Store store = SharedApi.newStore();
        Answer signedIn = signIn(store, "Ada B. Lovelace");
        String macro = page(signedIn).made("/v1/macros", HttpContract.MACRO);
        Client owner = keyed(store);
        Map<String, String> names =
                Map.of(macro, "Ada B. Lovelace", String.valueOf(signedIn.at("id")), "Ada B. Lovelace");
        names.forEach((id, name) -> {
            Answer noted = owner.get("/v1/audit-logs?entityId=" + id);
            assertThat(noted.at("[0].action")).as(noted.text()).isEqualTo("created");
            assertThat(noted.at("[0].sessionName")).isEqualTo(name);
            assertThat(noted.text()).doesNotContain("hash", "salt");
        });
        String byKey = owner.made("/v1/macros", HttpContract.MACRO);
        assertThat(owner.get("/v1/audit-logs?entityId=" + byKey).at("[0].sessionName"))
                .isNull();
    }
}
