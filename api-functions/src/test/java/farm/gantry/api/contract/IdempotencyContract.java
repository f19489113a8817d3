package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.SharedApi;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Tests that a request repeated with the same idempotency key is executed once. */
public interface IdempotencyContract {
    String PATH = "/v1/macros";

    Host host();

    private Client owner() {
        return Client.of(host(), SharedApi.newStore().key());
    }

    private static Client once(Client client) {
        return client.with("idempotency-key", "one");
    }

    private static void change(SharedApi.Store store, String assignment) throws SQLException {
        try (Connection owner = DriverManager.getConnection(SharedApi.ownerUrl());
                Statement update = owner.createStatement()) {
            update.execute("set session_replication_role = replica");
            assertThat(update.executeUpdate("update farm.\"idempotencyKey\" set " + assignment
                            + " where \"storeId\" = '" + store.id().value() + "'"))
                    .isEqualTo(1);
        }
    }

    @Test
    default void repeatedRequestGetsTheFirstResponse() {
        Client owner = owner();
        Answer first = once(owner).post(PATH, HttpContract.MACRO);
        Answer again = once(owner).post(PATH, HttpContract.MACRO);
        assertThat(first.status()).isEqualTo(201);
        assertThat(first.header("idempotency-replayed")).isNull();
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.header("idempotency-replayed")).isEqualTo("true");
        assertThat(again.header("content-type")).isEqualTo("application/json");
        assertThat(again.text()).isEqualTo(first.text());
        assertThat(owner.get(PATH).each("id")).hasSize(1);
    }

    @Test
    default void differentRequestWithTheKeyIsRejected() {
        Client owner = owner();
        once(owner).post(PATH, HttpContract.MACRO);
        for (String other : List.of(PATH, PATH + "?meta=true")) {
            Answer reused = once(owner)
                    .post(other, other.equals(PATH) ? HttpContract.MACRO.replace("wipe", "tidy") : HttpContract.MACRO);
            assertThat(reused.status()).as(other).isEqualTo(422);
            assertThat(reused.at("error")).isEqualTo("idempotency_key_reused");
        }
        assertThat(owner.get(PATH).each("id")).hasSize(1);
    }

    @Test
    default void keyIsScopedToApiKeyAndPath() {
        Client owner = owner();
        once(owner).post(PATH, HttpContract.MACRO);
        String key = String.valueOf(owner.post("/v1/api-keys", "{\"name\":\"other\",\"fullAccess\":true}")
                .at("key"));
        assertThat(once(owner.keyed(key)).post(PATH, HttpContract.MACRO).header("idempotency-replayed"))
                .isNull();
        assertThat(once(owner()).post(PATH, HttpContract.MACRO).status()).isEqualTo(201);
        assertThat(once(owner).post(PATH + "/search", "{}").status()).isEqualTo(201);
        assertThat(owner.get(PATH).each("id")).hasSize(2);
    }

    @Test
    default void onlyOneConcurrentRequestIsExecuted() throws Exception {
        Client owner = owner();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Answer> call = () -> once(owner).post(PATH, HttpContract.MACRO);
            List<Answer> answers = callers.invokeAll(Collections.nCopies(6, call)).stream()
                    .map(Future::resultNow)
                    .toList();
            assertThat(answers).allSatisfy(answer -> assertThat(answer.status()).isIn(201, 409));
            assertThat(answers.stream().filter(answer -> answer.status() == 409))
                    .allSatisfy(answer -> assertThat(answer.at("error")).isEqualTo("idempotency_in_progress"));
            assertThat(answers.stream()
                            .filter(answer -> answer.status() == 201)
                            .map(Answer::text)
                            .distinct())
                    .hasSize(1);
        }
        assertThat(owner.get(PATH).each("id")).hasSize(1);
    }

    @Test
    default void errorIsReplayedExceptEarlyChecks() {
        Client owner = owner();
        Answer wrong = once(owner).post(PATH, "{}");
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(once(owner).post(PATH, "{}").text()).isEqualTo(wrong.text());
        Client badly = once(owner.keyed("nobody's"));
        assertThat(badly.post(PATH, HttpContract.MACRO).status()).isEqualTo(401);
        assertThat(badly.post(PATH, HttpContract.MACRO).header("idempotency-replayed"))
                .isNull();
    }

    @Test
    default void keyLengthIsLimited() {
        Client owner = owner();
        assertThat(owner.with("idempotency-key", "k".repeat(255))
                        .post(PATH, HttpContract.MACRO)
                        .status())
                .isEqualTo(201);
        assertThat(owner.with("idempotency-key", "k".repeat(256))
                        .post(PATH, HttpContract.MACRO)
                        .status())
                .isEqualTo(400);
        assertThat(owner.get(PATH).each("id")).hasSize(1);
    }

    @Test
    default void secretIsReplayedAndStoredEncrypted() throws SQLException {
        SharedApi.Store store = SharedApi.newStore();
        Client owner = Client.of(host(), store.key());
        Answer made = once(owner).post("/v1/api-keys", "{\"name\":\"a\",\"permissions\":[]}");
        assertThat(once(owner)
                        .post("/v1/api-keys", "{\"name\":\"a\",\"permissions\":[]}")
                        .at("key"))
                .isEqualTo(made.at("key"));
        try (Connection connection = DriverManager.getConnection(SharedApi.ownerUrl());
                Statement select = connection.createStatement();
                ResultSet rows =
                        select.executeQuery("select k::text from farm.\"idempotencyKey\" k where \"storeId\" = '"
                                + store.id().value() + "'")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString(1)).doesNotContain(String.valueOf(made.at("key")), "\"name\"");
        }
    }

    @Test
    default void keyExpiresAfterADay() throws SQLException {
        SharedApi.Store store = SharedApi.newStore();
        Client owner = Client.of(host(), store.key());
        once(owner).post(PATH, HttpContract.MACRO);
        change(store, "\"expiresAt\" = now()");
        assertThat(owner.with("idempotency-key", "two").post(PATH, "{}").status())
                .isEqualTo(400);
        change(store, "\"expiresAt\" = now()"); // one row: the other was deleted
        assertThat(once(owner).post(PATH, HttpContract.MACRO).header("idempotency-replayed"))
                .isNull();
        assertThat(owner.get(PATH).each("id")).hasSize(2);
    }

    @Test
    default void interruptedRequestIsExecutedAgainOnlyWhenNotCommitted() throws SQLException {
        SharedApi.Store store = SharedApi.newStore();
        Client owner = Client.of(host(), store.key());
        once(owner).post(PATH, HttpContract.MACRO);
        change(store, "status = null, answer = null");
        assertThat(once(owner).post(PATH, HttpContract.MACRO).at("error")).isEqualTo("idempotency_in_progress");
        change(store, "\"leaseUntil\" = now()");
        assertThat(once(owner).post(PATH, HttpContract.MACRO).at("error"))
                .as("the request is stored with it")
                .isEqualTo("idempotency_answer_lost");
        assertThat(owner.get(PATH).each("id")).hasSize(1);
        change(store, "worked = false");
        assertThat(once(owner).post(PATH, HttpContract.MACRO).status()).isEqualTo(201);
        assertThat(owner.get(PATH).each("id")).hasSize(2);
    }
}
