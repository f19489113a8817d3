package farm.gantry.aws;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.api.deliver.LocalReceiver;
import farm.gantry.local.Api;
import farm.gantry.local.Eventually;
import farm.gantry.local.PrintFiles;
import farm.gantry.simulator.MoonrakerSimulator;
import farm.gantry.simulator.SimulationSpeed;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A print from a user's file to the webhook of its end, by functions and the services' emulators alone. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PrintOnAwsTest {
    private static final Duration PAUSE = Duration.ofSeconds(3);
    private static final String WEBHOOK = "/v1/settings/notifications";
    /** By presigned URLs, which no client of the SDK sends: the upload of a part's file, and the agent's download. */
    private static final int UPLOAD = 1;

    private static final int DOWNLOAD = 1;

    private FarmOnAws farm;
    private Api client;
    private Path folder;

    @BeforeAll
    void start(@TempDir Path kept) throws Exception {
        folder = kept;
        farm = new FarmOnAws(
                kept,
                Map.of(
                        "gantry.webhooks.allow-insecure-local-receivers-for-development",
                        true,
                        "gantry.link.poll-after",
                        PAUSE.toSeconds() + "s"));
        client = farm.client();
    }

    @AfterAll
    void stop() throws Exception {
        farm.close();
    }

    private String printer(MoonrakerSimulator simulator) throws IOException {
        Map<String, Object> metadata = Map.of(
                "provider", "firmwareK",
                "extruder_count", 1,
                "nozzle_diameter", 0.4,
                "server_port", simulator.port(),
                "server_host", "127.0.0.1");
        Map<String, Object> printer = Map.of(
                "name", "one",
                "nozzleDiameter", "0.4",
                "commMethod", "fuse",
                "provider", "firmwareK",
                "deviceId", Id.next(),
                "proxyClientId", client.get("/v1/agents").get(0).get("id").getStringValue(),
                "metadata", metadata);
        return client.put("/v1/printers", List.of(printer)).get(0).get("id").getStringValue();
    }

    private static boolean is(JsonNode record, String field, Object value) {
        return Objects.equals(record.get(field).getValue(), value);
    }

    private String readyPart() throws IOException {
        String upload = client.upload(PrintFiles.gcode(folder, "ring", 60));
        String part = client.post("/v1/parts", Map.of("name", "ring", "type", "gcode", "fileUris", List.of(upload)))
                .get("id")
                .getStringValue();
        Eventually.see(
                "the part is read",
                () -> client.get("/v1/parts/" + part),
                each -> each.get("processingStatus").isNull());
        return part;
    }

    private String job(String part) throws IOException {
        JsonNode built = client.post("/v2/builds", Map.of("parts", List.of(Map.of("partId", part, "quantity", 1))));
        String build = built.get("partBuilds").get(0).get("id").getStringValue();
        return client.get("/v1/print-jobs?partBuildId=" + build).get(0).get("id").getStringValue();
    }

    @Test
    void aPrintGoesFromAnUploadToTheWebhookOfItsEnd() throws Exception {
        try (LocalReceiver receiver = new LocalReceiver();
                MoonrakerSimulator simulator = new MoonrakerSimulator(0, new SimulationSpeed(60, null), null);
                AutoCloseable _ = farm.agent()) {
            client.post(
                    WEBHOOK,
                    Map.of(
                            "channel",
                            "webhook",
                            "data",
                            Map.of("webhookUrl", receiver.url(), "apiKey", "k".repeat(32))));
            client.patch(WEBHOOK + "/webhook/events", Map.of("onJobSucceeded", true));
            String printer = printer(simulator);
            Eventually.see(
                    "the printer is online",
                    () -> client.get("/v1/printers/" + printer),
                    each -> is(each, "isOnline", true));
            Map<String, Long> before = Requests.all();
            long begun = System.nanoTime();
            String part = readyPart();
            Eventually.see(
                    "the bed is confirmed",
                    () -> client.patch(
                            "/v1/printers/confirm-ready", Map.of("ids", List.of(printer), "ready", true)),
                    _ -> true);
            String job = job(part);
            JsonNode done = Eventually.see(
                    "the job is done",
                    () -> client.get("/v1/print-jobs/" + job),
                    each -> is(each, "status", "Completed"));
            assertThat(done.get("attempt").getIntValue()).isEqualTo(1);
            Eventually.until("the webhook comes", () -> !receiver.received().isEmpty(), farm::failures);
            assertThat(receiver.received()).singleElement().satisfies(told -> assertThat(told.body())
                    .contains("onJobSucceeded", job));
            noMoreIsAskedOfAwsThanIsReckonedWith(before, System.nanoTime() - begun);
            anExchangeWithoutNewsIsOneCallAndAsksNoTable();
        }
        assertThat(farm.failures()).isEmpty();
        assertThat(farm.localFiles()).doesNotExist();
        try (Connection owner = DriverManager.getConnection(farm.ownerUrl());
                ResultSet kept = owner.createStatement().executeQuery("select count(*) from farm.\"queueMessage\"")) {
            assertThat(kept.next()).isTrue();
            assertThat(kept.getInt(1)).as("messages in the queues of one machine").isZero();
        }
    }

    /** Of part and print together, for files of a part are cleaned up while it prints. */
    private static void noMoreIsAskedOfAwsThanIsReckonedWith(Map<String, Long> before, long nanos) {
        long messages = Requests.since(before, "Sqs SendMessage");
        long asked = nanos / PAUSE.toNanos(); // whether or not it prints
        long exchanges = Requests.since(before, "Lambda link") - asked;
        long writes = Requests.since(before, "S3 Put", "S3 Copy", "S3 List", "S3 Create", "S3 Upload") + UPLOAD;
        long reads = Requests.since(before, "S3 Get", "S3 Head") + DOWNLOAD;
        System.out.printf(
                "A part and its print: %d messages, %d exchanges beside %d that ask, %d writes and %d reads of files%n",
                messages, exchanges, asked, writes, reads);
        assertThat(messages).isBetween(1L, (long) Costs.MESSAGES_OF_A_PART + Costs.WAKEUPS_OF_A_PRINT);
        assertThat(exchanges).isBetween(1L, (long) Costs.EXCHANGES_OF_A_PRINT);
        assertThat(writes).isBetween(1L, (long) Costs.WRITES_OF_A_PART);
        assertThat(reads).isBetween(1L, (long) Costs.READS_OF_A_PART + Costs.READS_OF_A_PRINT);
    }

    private static void anExchangeWithoutNewsIsOneCallAndAsksNoTable() {
        Map<String, Long> before = Requests.all();
        Eventually.until(
                "the agent asks again", () -> Requests.since(before, "Lambda link") >= 2, () -> Requests.all());
        assertThat(Requests.since(before, "DynamoDb", "S3", "Kms")).isZero();
        assertThat(Requests.since(before, "Lambda api")).isZero();
    }
}
