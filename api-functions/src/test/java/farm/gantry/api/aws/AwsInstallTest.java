package farm.gantry.api.aws;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Sha256;
import farm.gantry.api.database.Database;
import farm.gantry.api.file.FileStorage;
import farm.gantry.api.file.FileUrls;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Eventually;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.link.AgentWatchdog;
import farm.gantry.ingest.function.emulator.Buckets;
import farm.gantry.ingest.function.emulator.SdkSettings;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Tests that the setting of an AWS region replaces the services of a single machine by those of AWS. */
@Tag("install")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AwsInstallTest {
    private static final int IDLE_DELAY = Math.toIntExact(Duration.ofDays(10).toMillis());

    private Buckets buckets;
    private DynamoTables tables;
    private String prefix;
    private ApplicationContext install;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        buckets = new Buckets(folder);
        tables = new DynamoTables();
        prefix = tables.newTables();
        install = SharedApi.another(Map.of(
                "gantry.aws.region",
                SdkSettings.REGION,
                "gantry.aws.bucket",
                buckets.newBucket(),
                "gantry.aws.queue-prefix",
                "http://127.0.0.1/",
                "gantry.aws.table-prefix",
                prefix,
                "gantry.agents.long-poll-timeout",
                "0s",
                "gantry.agents.idle-poll-interval",
                "30s",
                "gantry.agents.full-check-interval",
                "10d"));
        Eventually.until("the tables count in time", this::isCounted);
    }

    /** Returns whether a request was counted. The first one loads classes, and may exceed the client's timeout. */
    private boolean isCounted() {
        new DynamoDbRateLimits(install.getBean(DynamoDbClient.class), install.getBean(AwsSettings.class))
                .create(60, 5)
                .take("first");
        return !tables.rateLimit(prefix, "first").isEmpty();
    }

    @AfterAll
    void stop() throws Exception {
        install.close();
        tables.stop();
        buckets.stop();
    }

    @Test
    void noAwsBeanExistsWithoutARegion() {
        assertThat(SharedApi.context().containsBean(S3Files.class)).isFalse();
        assertThat(SharedApi.context().containsBean(AwsSettings.class)).isFalse();
    }

    @Test
    void filesAreInTheBucketWithARegion() {
        assertThat(install.getBean(FileStorage.class)).isInstanceOf(S3Files.class);
        assertThat(install.getBean(FileUrls.class)).isInstanceOf(PresignedUrls.class);
    }

    @Test
    void requestsOfAKeyAreCountedInDynamoDb() {
        String url = install.getBean(EmbeddedServer.class).getURL().toString();
        Answer key = Client.of(new Socket(url), SharedApi.newStore().key())
                .post("/v1/api-keys", "{\"name\":\"busy\",\"fullAccess\":true,\"requestsPerMinute\":30}");
        Answer answer =
                Client.of(new Socket(url), String.valueOf(key.at("key"))).get("/v1/macros");
        assertThat(answer.header("ratelimit-remaining")).isEqualTo("5");
        assertThat(tables.rateLimit(prefix, String.valueOf(key.at("id"))))
                .containsEntry("tokens", AttributeValue.fromN("5"));
    }

    @Test
    void wrongPairingCodesAreCountedInDynamoDb() {
        Client client = Client.of(
                new Socket(install.getBean(EmbeddedServer.class).getURL().toString()));
        Answer answer = client.post(
                "/v1/agents/pair", "{\"code\":\"none\",\"name\":\"a\",\"version\":\"1\",\"platform\":\"a\"}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(tables.rateLimit(prefix, "pairing 7f000001")).containsEntry("tokens", AttributeValue.fromN("19"));
    }

    private static @Nullable Object reportDelay(Answer exchange) {
        return exchange.at("reportAfterMs");
    }

    /** Changes database and marks as if nobody had used the store for a while. */
    private void leave(SharedApi.Store store) {
        install.getBean(Database.class)
                .in(
                        store.id(),
                        tx -> tx.update(
                                "update farm.\"apiKey\" set \"lastUsedAt\" = now() - interval '3 minutes' where \"storeId\" = ?",
                                store.id().value()));
        tables.endUse(prefix);
    }

    private FakeAgent idleAgent(SharedApi.Store store) {
        FakeAgent agent = new FakeAgent(
                store, new Socket(install.getBean(EmbeddedServer.class).getURL().toString()));
        agent.printer("one", "");
        leave(store);
        Eventually.until("the agent has a mark", () -> Objects.equals(IDLE_DELAY, reportDelay(agent.exchange())));
        return agent;
    }

    private static boolean hasPolledDatabase(SharedApi.Store store, FakeAgent agent) {
        return SharedApi.bean(Database.class)
                        .in(
                                store.id(),
                                tx -> tx.update(
                                        "update farm.agent set \"lastSeenAt\" = now() - interval '1 hour' where \"storeId\" = ? and id = ?"
                                                + " and \"lastSeenAt\" > now() - interval '50 minutes'",
                                        store.id().value(),
                                        agent.agentId()))
                > 0;
    }

    @Test
    void idlePollsAreAnsweredWithoutTheDatabaseUntilTheStoreIsUsed() {
        SharedApi.Store store = SharedApi.newStore();
        FakeAgent agent = idleAgent(store);
        assertThat(hasPolledDatabase(store, agent)).isTrue();
        Answer poll = agent.exchange();
        assertThat(poll.status()).isEqualTo(201);
        assertThat(poll.at("pollAfterMs")).isEqualTo(30_000);
        assertThat(poll.at("ackSequence")).isEqualTo(1);
        assertThat(hasPolledDatabase(store, agent)).isFalse();
        tables.touch(prefix, store.id().value(), Instant.now().plusSeconds(60));
        agent.exchange();
        assertThat(hasPolledDatabase(store, agent)).isTrue();
    }

    @Test
    void idleAgentIsNotOfflineWhileItPolls() {
        SharedApi.Store store = SharedApi.newStore();
        FakeAgent agent = idleAgent(store);
        assertThat(hasPolledDatabase(store, agent)).isTrue();
        AgentWatchdog watchdog = install.getBean(AgentWatchdog.class);
        watchdog.checkTimeouts();
        assertThat(agent.client().get("/v1/agents/" + agent.agentId()).at("isOnline"))
                .isEqualTo(true);
        tables.setSeen(
                prefix, store.id().value(), agent.agentId(), Instant.now().minusSeconds(100));
        watchdog.checkTimeouts();
        assertThat(agent.client().get("/v1/agents/" + agent.agentId()).at("isOnline"))
                .isEqualTo(false);
    }

    @Test
    void revokedTokenOfAnIdleAgentIsRejected() {
        SharedApi.Store store = SharedApi.newStore();
        FakeAgent agent = idleAgent(store);
        String url = install.getBean(EmbeddedServer.class).getURL().toString();
        Client.of(new Socket(url), store.key()).delete("/v1/agents/" + agent.agentId());
        tables.touch(prefix, store.id().value(), Instant.now().plusSeconds(60));
        assertThat(agent.link("{\"session\":\"" + agent.session() + "\",\"sequence\":1}")
                        .status())
                .isEqualTo(401);
    }

    @Test
    void uploadGoesToTheBucketAndBecomesAPartsFile() throws Exception {
        SharedApi.Store store = SharedApi.newStore();
        String url = install.getBean(EmbeddedServer.class).getURL().toString();
        Client client = Client.of(new Socket(url), store.key());
        Answer signed = client.post("/v1/storage/signed-upload-urls", "{\"filenames\":[\"a.gcode\"]}");
        URI upload = URI.create(String.valueOf(signed.at("signedUrls[0].uploadUrl")));
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest put = HttpRequest.newBuilder(upload)
                    .PUT(BodyPublishers.ofString("G28"))
                    .build();
            assertThat(http.send(put, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
            Answer part = client.post(
                    "/v1/parts",
                    "{\"name\":\"cube\",\"type\":\"gcode\",\"fileUris\":[\"" + signed.at("signedUrls[0].path")
                            + "\"]}");
            assertThat(part.status()).as(part.text()).isEqualTo(201);
            assertThat(part.at("fileHashes[0]")).isEqualTo(Sha256.of("G28"));
            Answer urls = client.post("/v1/storage/signed-urls", "{\"paths\":[\"" + part.at("fileUris[0]") + "\"]}");
            HttpRequest get = HttpRequest.newBuilder(URI.create(String.valueOf(urls.at("signedUrls[0]"))))
                    .build();
            assertThat(http.send(get, BodyHandlers.ofString()).body()).isEqualTo("G28");
            HttpRequest past = HttpRequest.newBuilder(
                            URI.create(url + "/v1/storage/content?path=a&expires=1&signature=a"))
                    .build();
            assertThat(http.send(past, BodyHandlers.ofString()).statusCode())
                    .as("the API's own way to files")
                    .isEqualTo(404);
        }
    }
}
