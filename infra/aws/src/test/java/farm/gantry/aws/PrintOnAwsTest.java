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
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** A print from a user's file to the webhook of its end, by functions and the services' emulators alone. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.MethodName.class) // what is sent again after a death is not counted
final class PrintOnAwsTest {
    private static final Duration PAUSE = Duration.ofSeconds(3);
    private static final String WEBHOOK = "/v1/settings/notifications";
    /** By presigned URLs, which no client of the SDK sends: the upload of a part's file, and the agent's download. */
    private static final int UPLOAD = 1;

    private static final int DOWNLOAD = 1;

    private FarmOnAws farm;
    private Api client;
    private Path folder;
    private LocalReceiver receiver;
    private MoonrakerSimulator simulator;
    private AutoCloseable agent;
    private String printer;

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
        receiver = new LocalReceiver();
        Map<String, String> receives = Map.of("webhookUrl", receiver.url(), "apiKey", "k".repeat(32));
        client.post(WEBHOOK, Map.of("channel", "webhook", "data", receives));
        client.patch(WEBHOOK + "/webhook/events", Map.of("onJobSucceeded", true));
        simulator = new MoonrakerSimulator(0, new SimulationSpeed(60, null), null);
        agent = farm.agent();
        printer = register();
        Eventually.see(
                "the printer is online",
                () -> client.get("/v1/printers/" + printer),
                each -> is(each, "isOnline", true));
    }

    @AfterAll
    void stop() throws Exception {
        agent.close();
        simulator.close();
        receiver.close();
        farm.stop();
    }

    private String register() throws IOException {
        Map<String, Object> metadata = Map.of(
                "provider",
                "firmwareK",
                "extruder_count",
                1,
                "nozzle_diameter",
                0.4,
                "server_port",
                simulator.port(),
                "server_host",
                "127.0.0.1");
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
        return client.get("/v1/print-jobs?partBuildId=" + build)
                .get(0)
                .get("id")
                .getStringValue();
    }

    /** A job of a new part, which is printed by now. */
    private String printed() throws IOException {
        String part = readyPart();
        Eventually.see(
                "the bed is confirmed",
                () -> client.patch("/v1/printers/confirm-ready", Map.of("ids", List.of(printer), "ready", true)),
                _ -> true);
        String job = job(part);
        JsonNode done = Eventually.see(
                "the job is done", () -> client.get("/v1/print-jobs/" + job), each -> is(each, "status", "Completed"));
        assertThat(done.get("attempt").getIntValue()).isEqualTo(1);
        Eventually.until("the webhook comes", () -> !told(job).isEmpty(), farm::failures);
        return job;
    }

    private List<LocalReceiver.Received> told(String job) {
        return receiver.received().stream()
                .filter(each -> each.body().contains(job))
                .toList();
    }

    /** How often the printer was told to print for the job. */
    private long starts(String job) throws IOException {
        JsonNode log = new Api("http://127.0.0.1:" + simulator.port(), "none").get("/sim/log");
        return StreamSupport.stream(log.get("starts").values().spliterator(), false)
                .filter(file -> file.getStringValue().contains(job))
                .count();
    }

    @Test
    void aPrintGoesFromAnUploadToTheWebhookOfItsEnd() throws Exception {
        Map<String, Long> before = Requests.all();
        long begun = System.nanoTime();
        String job = printed();
        noMoreIsAskedOfAwsThanIsReckonedWith(before, System.nanoTime() - begun);
        assertThat(told(job))
                .singleElement()
                .satisfies(told -> assertThat(told.body()).contains("onJobSucceeded"));
        anExchangeWithoutNewsIsOneCallAndAsksNoTable();
        assertThat(farm.failures()).isEmpty();
        assertThat(farm.localFiles()).doesNotExist();
        try (Connection owner = DriverManager.getConnection(farm.ownerUrl());
                ResultSet kept = owner.createStatement().executeQuery("select count(*) from farm.\"queueMessage\"")) {
            assertThat(kept.next()).isTrue();
            assertThat(kept.getInt(1))
                    .as("messages in the queues of one machine")
                    .isZero();
        }
    }

    @Test
    void functionsThatAreKilledBeforeTheirWorkIsKnownPrintOnce() throws Exception {
        farm.kill(Set.of(
                "Lambda ingest", "Lambda stage-reports.fifo", "Lambda schedule", "Lambda webhooks", "Lambda link"));
        String job = printed();
        Eventually.until("all were killed", () -> farm.dying().isEmpty(), farm::dying);
        assertThat(starts(job)).isEqualTo(1);
        assertThat(told(job).stream().map(each -> each.header("webhook-id")).distinct())
                .hasSize(1);
        assertThat(farm.failures()).isEmpty();
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
