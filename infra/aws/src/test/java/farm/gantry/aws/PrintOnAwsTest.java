package farm.gantry.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import farm.gantry.Id;
import farm.gantry.api.fixture.LocalTwins;
import farm.gantry.api.webhook.LocalReceiver;
import farm.gantry.ingest.tool.Tools;
import farm.gantry.local.Eventually;
import farm.gantry.local.FarmApiClient;
import farm.gantry.local.FarmRequests;
import farm.gantry.local.PrintFiles;
import farm.gantry.simulator.klipper.MoonrakerSimulator;
import farm.gantry.simulator.printer.SimulationSpeed;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Tests prints from the uploaded file to the final webhook, with the functions and emulators of the AWS services. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.MethodName.class) // retries after a death are not counted
final class PrintOnAwsTest {
    private static final Duration PAUSE = Duration.ofSeconds(3);
    private static final Duration IDLE_PAUSE = Duration.ofSeconds(4);
    private static final Duration FULL_CHECK = Duration.ofDays(1000);
    private static final String WEBHOOK = "/v1/settings/notifications";
    /** Presigned URLs, which no client of the SDK sends: the upload of a part's file, and the agent's download. */
    private static final int UPLOAD = 1;

    private static final int DOWNLOAD = 1;

    private FarmOnAws farm;
    private FarmApiClient client;
    private Path folder;
    private LocalReceiver receiver;
    private MoonrakerSimulator simulator;
    private AutoCloseable agent;
    private String printer;

    @BeforeAll
    void start(@TempDir Path files) throws Exception {
        folder = files;
        farm = new FarmOnAws(
                files,
                Map.of(
                        "gantry.webhooks.allow-insecure-local-receivers-for-development",
                        true,
                        "gantry.agents.poll-interval",
                        PAUSE.toSeconds() + "s",
                        "gantry.agents.idle-poll-interval",
                        IDLE_PAUSE.toSeconds() + "s",
                        "gantry.agents.full-check-interval",
                        FULL_CHECK.toDays() + "d"));
        client = farm.client();
        receiver = new LocalReceiver();
        Map<String, String> receives = Map.of("webhookUrl", receiver.url(), "apiKey", "k".repeat(32));
        client.post(WEBHOOK, Map.of("channel", "webhook", "data", receives));
        client.patch(WEBHOOK + "/webhook/events", Map.of("onJobSucceeded", true));
        simulator = new MoonrakerSimulator(0, new SimulationSpeed(60, null), null);
        agent = farm.agent("agent", null);
        printer = register(simulator, "agent");
        Eventually.see(
                "the printer is online",
                () -> client.get("/v1/printers/" + printer),
                each -> FarmRequests.is(each, "isOnline", true));
    }

    @AfterAll
    void stop() throws Exception {
        agent.close();
        simulator.close();
        receiver.close();
        farm.stop();
        RecordedPermissions.writeFile();
        PermissionsTest.assertAllowed(RecordedPermissions.all());
    }

    @Test
    void cleanupAndCommandsOfOperatorsSucceed() throws IOException {
        client.delete("/v1/parts/" + readyPart());
        farm.cleanUp();
        for (String command : List.of("rotate", "reseal")) {
            assertThat(farm.runCommand("secrets", command)).containsEntry("exitCode", 0);
        }
        assertThat(farm.runCommand("doctor").get("output")).asString().contains("file storage");
        assertThat(farm.failures()).isEmpty();
    }

    /** Registers a printer of the agent with that name. */
    private String register(MoonrakerSimulator machine, String itsAgent) throws IOException {
        String agentId = StreamSupport.stream(client.get("/v1/agents").values().spliterator(), false)
                .filter(each -> FarmRequests.is(each, "name", itsAgent))
                .map(each -> each.get("id").getStringValue())
                .findFirst()
                .orElseThrow();
        FarmRequests requests = () -> client;
        return requests.register(itsAgent, List.of(), machine.port(), agentId);
    }

    private String readyPart() throws IOException {
        String upload = client.upload(PrintFiles.gcode(folder, "ring", 60));
        String part = client.post("/v1/parts", Map.of("name", "ring", "type", "gcode", "fileUris", List.of(upload)))
                .get("id")
                .getStringValue();
        awaitRead(part);
        return part;
    }

    private void awaitRead(String part) {
        Eventually.see(
                "the part is read",
                () -> client.get("/v1/parts/" + part),
                each -> each.get("processingStatus").isNull());
    }

    private String job(String part) throws IOException {
        JsonNode built = done("/v2/builds", Map.of("parts", List.of(Map.of("partId", part, "quantity", 1))));
        String build = built.get("partBuilds").get(0).get("id").getStringValue();
        return Eventually.see(
                        "its job", () -> client.get("/v1/print-jobs?partBuildId=" + build), jobs -> jobs.size() == 1)
                .get(0)
                .get("id")
                .getStringValue();
    }

    /** Returns a completed job of the part. */
    private String printed(String part) throws IOException {
        Eventually.see(
                "the bed is confirmed",
                () -> client.patch("/v1/printers/confirm-ready", Map.of("ids", List.of(printer), "ready", true)),
                _ -> true);
        String job = job(part);
        JsonNode done = Eventually.see(
                "the job is done",
                () -> client.get("/v1/print-jobs/" + job),
                each -> FarmRequests.is(each, "status", "Completed"));
        assertThat(done.get("attempt").getIntValue()).isEqualTo(1);
        Eventually.until("the webhook comes", () -> !deliveries(job).isEmpty(), farm::failures);
        return job;
    }

    private List<LocalReceiver.Received> deliveries(String job) {
        return receiver.received().stream()
                .filter(each -> each.body().contains(job))
                .toList();
    }

    /** Returns how often the printer received a start for the job. */
    private long starts(String job) throws IOException {
        JsonNode log = new FarmApiClient("http://127.0.0.1:" + simulator.port(), "none").get("/sim/log");
        return StreamSupport.stream(log.get("starts").values().spliterator(), false)
                .filter(file -> file.getStringValue().contains(job))
                .count();
    }

    @Test
    void uploadedPartIsPrintedAndItsEndSentByWebhook() throws Exception {
        Map<String, Long> before = Requests.all();
        long begun = System.nanoTime();
        String job = printed(readyPart());
        assertRequestsWithinEstimate(before, System.nanoTime() - begun);
        assertThat(deliveries(job))
                .singleElement()
                .satisfies(delivery -> assertThat(delivery.body()).contains("onJobSucceeded"));
        assertEmptyExchangeIsOneCall();
        assertThat(farm.failures()).isEmpty();
        assertThat(farm.localFiles()).doesNotExist();
        assertThat(farm.contexts())
                .hasSizeGreaterThan(4)
                .allSatisfy(function -> assertThat(LocalTwins.in(function)).isEmpty());
        try (Connection owner = DriverManager.getConnection(farm.ownerUrl());
                ResultSet rows = owner.createStatement().executeQuery("select count(*) from farm.\"queueMessage\"")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getInt(1))
                    .as("messages in the queues of one machine")
                    .isZero();
        }
    }

    @Test
    void idleHourOfPollsAndSweepsDoesNotUseTheDatabase() throws Exception {
        Eventually.until("sweep and poll find nothing to do", this::isIdle, farm::failures);
        Map<String, Long> before = Requests.all();
        for (int minute = 0; minute < 60; minute++) {
            assertThat(farm.sweep()).isEqualTo("idle");
            for (int poll = 0; poll < 2; poll++) {
                assertThat(farm.repeatLastPoll().at("pollAfterMs")).hasToString(Long.toString(IDLE_PAUSE.toMillis()));
            }
        }
        System.out.printf(
                "An idle hour of an agent: %d connections, %d statements, %d requests to DynamoDB%n",
                Requests.since(before, "PostgreSQL connect"),
                Requests.since(before, "PostgreSQL"),
                Requests.since(before, "DynamoDb"));
        assertThat(Requests.since(before, "PostgreSQL")).isZero();
        assertThat(Requests.since(before, "DynamoDb"))
                .as("a scan each minute, a read and a write each poll, and the agent's own polls meanwhile")
                .isBetween(60L + 2 * 120, 60L + 2 * 120 + 20);
    }

    /** Returns whether the database is not used by a sweep and a poll when nobody has used the farm for a while. */
    private boolean isIdle() {
        try {
            farm.endUse();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        farm.sweep();
        Map<String, Long> before = Requests.all();
        farm.repeatLastPoll();
        return farm.sweep().equals("idle") && Requests.since(before, "PostgreSQL") == 0;
    }

    @Test
    void modelIsSlicedByTheFunctionAndPrinted() throws Exception {
        assumeTrue(Tools.DEFAULTS.prusaSlicer().isInstalled(), "PrusaSlicer is not installed");
        String machine = profile(
                "machine", Map.of("bed_shape", List.of("0x0", "200x0", "200x200", "0x200"), "nozzle_diameter", "0.4"));
        String process = profile("process", Map.of("layer_height", 0.3, "first_layer_height", 0.3, "skirts", 0));
        String filament =
                profile("filament", Map.of("filament_type", "PLA", "first_layer_temperature", 200, "temperature", 200));
        client.patch("/v1/printers/" + printer, Map.of("machineUserProfileId", machine));
        client.patch(
                "/v1/settings/store", Map.of("defaultProcessProfileId", process, "defaultFilamentProfileId", filament));
        String upload = client.upload(box());
        String part = client.post("/v1/parts", Map.of("name", "box", "type", "stl", "fileUris", List.of(upload)))
                .get("id")
                .getStringValue();
        awaitRead(part);
        String job = printed(part);
        JsonNode done = client.get("/v1/print-jobs/" + job);
        assertThat(done.get("slicerInputHash").isNull()).isFalse();
        assertThat(starts(job)).isEqualTo(1);
        assertThat(farm.failures()).isEmpty();
    }

    @Test
    void agentOnIotCorePrintsAndGoesOfflineWhenDisconnected() throws Exception {
        String part = readyPart();
        try (IotCore broker = farm.iotCore();
                MoonrakerSimulator machine = new MoonrakerSimulator(0, new SimulationSpeed(60, null), null)) {
            Map<String, Long> before = Requests.all();
            String far;
            try (AutoCloseable _ = farm.agent("far", broker.url())) {
                far = register(machine, "far");
                Eventually.see(
                        "the bed is confirmed",
                        () -> client.patch("/v1/printers/confirm-ready", Map.of("ids", List.of(far), "ready", true)),
                        _ -> true);
                JsonNode built = done(
                        "/v2/builds",
                        Map.of("parts", List.of(Map.of("partId", part, "tags", Map.of("printer.id", far)))));
                String build = built.get("partBuilds").get(0).get("id").getStringValue();
                JsonNode job = Eventually.see(
                                "the job is done",
                                () -> client.get("/v1/print-jobs?partBuildId=" + build),
                                jobs -> jobs.size() == 1 && FarmRequests.is(jobs.get(0), "status", "Completed"))
                        .get(0);
                assertThat(job.get("assignedPrinterId").getStringValue()).isEqualTo(far);
                assertThat(Requests.since(before, "Lambda iot-authorizer"))
                        .as("once, and again after a line that broke")
                        .isBetween(1L, 3L);
                assertThat(Requests.since(before, "IotDataPlane Publish"))
                        .isBetween(1L, Requests.since(before, "Lambda iot-link"));
            }
            Eventually.see(
                    "the agent is missed",
                    () -> client.get("/v1/printers/" + far),
                    each -> FarmRequests.is(each, "isOnline", false));
            client.delete("/v1/printers/" + far);
            assertThatThrownBy(() -> broker.client("gantry-agent-" + Id.next(), "guess"))
                    .isInstanceOf(Mqtt5ConnAckException.class);
        }
        assertThat(farm.failures()).isEmpty();
    }

    private String profile(String type, Map<String, ?> data) throws IOException {
        return client.post(
                        "/v1/profiles",
                        Map.of(
                                "name",
                                type,
                                "type",
                                type,
                                "source",
                                "manual",
                                "data",
                                data,
                                "metadata",
                                Map.of(),
                                "inherits",
                                "",
                                "compatibilityList",
                                ""))
                .get("id")
                .getStringValue();
    }

    /** Returns a box of three millimetres, each of its faces two triangles. */
    private Path box() throws IOException {
        int[][] faces = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
        StringBuilder text = new StringBuilder("solid box\n");
        for (int[] face : faces) {
            for (int second = 1; second < 3; second++) {
                text.append("facet normal 0 0 0\nouter loop\n");
                for (int corner : List.of(face[0], face[second], face[second + 1])) {
                    text.append(
                            "vertex %d %d %d\n".formatted(3 * (corner & 1), 3 * (corner >> 1 & 1), 3 * (corner >> 2)));
                }
                text.append("endloop\nendfacet\n");
            }
        }
        return Files.writeString(folder.resolve("box.stl"), text + "endsolid box\n");
    }

    /** Runs more prints with {@code -Ddeaths.prints=20}, and repeats a run with {@code -Ddeaths.seed=…}. */
    @Test
    void everyJobIsPrintedOnceWhenFunctionsCrash() throws Exception {
        long seed = Long.getLong("deaths.seed", System.nanoTime());
        int prints = Integer.getInteger("deaths.prints", 2);
        farm.deaths().begin(seed);
        try (AutoCloseable _ = farm.sweeps()) {
            List<String> names =
                    IntStream.range(0, 2 * prints).mapToObj(i -> "part " + i).toList();
            List<String> parts = new ArrayList<>();
            for (String name : names) {
                parts.add(done("/v1/parts", Map.of("name", name, "type", "gcode", "fileUris", List.of(uploaded(name))))
                        .get("id")
                        .getStringValue());
            }
            for (String part : parts) {
                awaitRead(part);
            }
            for (String part : parts.subList(0, prints)) {
                String job = printed(part);
                assertThat(starts(job)).as("seed %d", seed).isEqualTo(1);
                assertThat(deliveries(job).stream()
                                .map(each -> each.header("webhook-id"))
                                .distinct())
                        .as("seed %d", seed)
                        .hasSize(1);
            }
            assertThat(StreamSupport.stream(client.get("/v1/parts").values().spliterator(), false)
                            .map(part -> part.get("name").getStringValue()))
                    .as("seed %d", seed)
                    .containsOnlyOnceElementsOf(names);
        } finally {
            farm.deaths().end();
        }
        System.out.printf(
                "Functions died at so many of their steps, seed %d: %s%n",
                seed, farm.deaths().counted());
        assertThat(farm.deaths().counted())
                .containsKeys(
                        "Lambda api",
                        "Lambda link",
                        "Lambda ingest",
                        "Lambda stage-reports.fifo",
                        "Lambda schedule",
                        "Lambda webhooks",
                        "Lambda sweep");
        assertThat(farm.failures()).isEmpty();
    }

    /** Posts with an idempotency key, and retries until it gets a response. */
    private JsonNode done(String path, Object body) throws IOException {
        String key = Id.next();
        return Eventually.see(
                path + " is answered",
                () -> {
                    FarmApiClient.Reply reply = client.attempt("POST", path, body, key);
                    if (reply.status() / 100 != 2) {
                        throw new IOException(reply.toString());
                    }
                    return client.parse(reply.body());
                },
                _ -> true);
    }

    private String uploaded(String name) throws IOException {
        Path file = PrintFiles.gcode(folder, name, 60);
        AtomicReference<String> path = new AtomicReference<>("");
        Eventually.until(
                "the file is uploaded",
                () -> {
                    try {
                        path.set(client.upload(file));
                        return true;
                    } catch (IOException e) {
                        return false;
                    }
                },
                farm::failures);
        return Objects.requireNonNull(path.get());
    }

    /** Compares the requests of part and print together, because files of a part are cleaned up while it prints. */
    private static void assertRequestsWithinEstimate(Map<String, Long> before, long nanos) {
        long messages = Requests.since(before, "Sqs SendMessage");
        long polls = nanos / PAUSE.toNanos(); // whether or not it prints
        long exchanges = Requests.since(before, "Lambda link") - polls;
        long writes = Requests.since(before, "S3 Put", "S3 Copy", "S3 List", "S3 Create", "S3 Upload") + UPLOAD;
        long reads = Requests.since(before, "S3 Get", "S3 Head") + DOWNLOAD;
        System.out.printf(
                "A part and its print: %d messages, %d exchanges beside %d that ask, %d writes and %d reads of files%n",
                messages, exchanges, polls, writes, reads);
        assertThat(messages).isBetween(1L, (long) StageCosts.MESSAGES_OF_A_PART + StageCosts.WAKEUPS_OF_A_PRINT);
        assertThat(exchanges).isLessThanOrEqualTo(StageCosts.EXCHANGES_OF_A_PRINT);
        assertThat(writes).isBetween(1L, (long) StageCosts.WRITES_OF_A_PART);
        assertThat(reads).isBetween(1L, (long) StageCosts.READS_OF_A_PART + StageCosts.READS_OF_A_PRINT);
    }

    private static void assertEmptyExchangeIsOneCall() {
        Map<String, Long> before = Requests.all();
        Eventually.until(
                "the agent asks again", () -> Requests.since(before, "Lambda link") >= 2, () -> Requests.all());
        assertThat(Requests.since(before, "DynamoDb GetItem", "DynamoDb BatchGetItem", "DynamoDb PutItem", "S3", "Kms"))
                .isZero();
        assertThat(Requests.since(before, "DynamoDb UpdateItem"))
                .as("once a minute, that the store is in use")
                .isLessThanOrEqualTo(1);
        assertThat(Requests.since(before, "Lambda api")).isZero();
    }
}
