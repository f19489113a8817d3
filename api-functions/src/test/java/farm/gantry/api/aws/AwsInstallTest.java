package farm.gantry.api.aws;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Sha256;
import farm.gantry.api.file.FileStorage;
import farm.gantry.api.file.FileUrls;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Eventually;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
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
import java.util.Map;
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
    private Buckets buckets;
    private DynamoTables tables;
    private String prefix;
    private ApplicationContext install;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        buckets = new Buckets(folder);
        tables = new DynamoTables();
        prefix = tables.newRateLimits();
        install = SharedApi.another(Map.of(
                "gantry.aws.region",
                SdkSettings.REGION,
                "gantry.aws.bucket",
                buckets.newBucket(),
                "gantry.aws.queue-prefix",
                "http://127.0.0.1/",
                "gantry.aws.table-prefix",
                prefix));
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
