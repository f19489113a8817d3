package farm.gantry.api.main.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.amazonaws.services.lambda.runtime.LambdaLogger;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import farm.gantry.api.database.Database;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.EventSource;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.Lambda;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.RuntimeInterface;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.queue.OutboxRows;
import farm.gantry.api.webhook.LocalReceiver;
import farm.gantry.ingest.function.emulator.Buckets;
import farm.gantry.ingest.function.emulator.Queues;
import farm.gantry.ingest.function.emulator.SdkSettings;
import farm.gantry.part.Processing;
import farm.gantry.wire.StageReport;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Tests functions, woken by messages, that do the work of loops; they run over emulators of AWS. */
@Tag("install")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FunctionsTest {
    private static final int AT_ONCE = 10;
    private static final String SETTINGS = "/v1/settings/notifications";

    private Buckets buckets;
    private Queues queues;
    private String prefix;
    private String bucket;
    private ApplicationContext install;
    private Host host;
    private EventSource schedule;
    private EventSource webhooks;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        buckets = new Buckets(folder);
        bucket = buckets.newBucket();
        queues = new Queues();
        String url = queues.newQueue();
        prefix = url.substring(0, url.lastIndexOf('/') + 1);
        List.of("schedule", "webhooks", "ingest", "ingest-model", "ingest-heavy", "slice")
                .forEach(name -> queues.client().createQueue(request -> request.queueName(name)));
        install = SharedApi.another(Map.of(
                "gantry.aws.region",
                SdkSettings.REGION,
                "gantry.aws.bucket",
                bucket,
                "gantry.aws.queue-prefix",
                prefix,
                "gantry.webhooks.allow-insecure-local-receivers-for-development",
                true,
                // As for a function, whose events name no host.
                "micronaut.server.host",
                ""));
        host = new Lambda(new HttpApiFunction(install));
        schedule = new EventSource(queues, prefix + "schedule", new ScheduleFunction(install));
        webhooks = new EventSource(queues, prefix + "webhooks", new DeliveryFunction(install));
    }

    @AfterAll
    void stop() throws Exception {
        install.close();
        queues.stop();
        buckets.stop();
    }

    private static String job(FakeAgent fakeAgent) throws IOException, InterruptedException {
        String part = String.valueOf(part(fakeAgent.client()).at("id"));
        ReadyParts.change(fakeAgent.store(), part, "processingStatus", null);
        return fakeAgent.jobOf(part, "");
    }

    /** Sets the store's webhook to the receiver. */
    private Client subscribed(SharedApi.Store store, LocalReceiver receiver) {
        Client client = Client.of(host, store.key());
        client.post(
                SETTINGS,
                "{\"channel\":\"webhook\",\"data\":{\"webhookUrl\":\"" + receiver.url() + "\",\"apiKey\":\""
                        + "k".repeat(32) + "\"}}");
        assertThat(client.patch(SETTINGS + "/webhook/events", "{\"onPrinterOnline\":true}")
                        .status())
                .isEqualTo(200);
        return client;
    }

    private static List<SQSBatchResponse> atOnce(RequestHandler<SQSEvent, SQSBatchResponse> function, String message)
            throws Exception {
        CountDownLatch all = new CountDownLatch(AT_ONCE);
        try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
            List<Future<SQSBatchResponse>> running = IntStream.range(0, AT_ONCE)
                    .mapToObj(_ -> threads.submit(() -> {
                        all.countDown();
                        all.await();
                        return function.handleRequest(EventSource.of(message), new EventSource.Call());
                    }))
                    .toList();
            List<SQSBatchResponse> answers = new ArrayList<>();
            for (Future<SQSBatchResponse> each : running) {
                answers.add(each.get());
            }
            return answers;
        }
    }

    @Test
    void buildWakesTheScheduleFunction() throws Exception {
        queues.purge(prefix + "schedule");
        SharedApi.Store store = SharedApi.newStore();
        FakeAgent fakeAgent = new FakeAgent(store, host);
        fakeAgent.printer("one", "");
        String job = job(fakeAgent);
        assertThat(schedule.handOver()).isNotEmpty().containsOnly(store.id().value());
        assertThat(fakeAgent.status(job)).isEqualTo("Sending-to-printer");
    }

    @Test
    void concurrentScheduleFunctionsAssignNoJobTwice() throws Exception {
        SharedApi.Store store = SharedApi.newStore();
        FakeAgent fakeAgent = new FakeAgent(store, host);
        List<String> printers = IntStream.range(0, 5)
                .mapToObj(i -> fakeAgent.printer("printer " + i, ""))
                .toList();
        List<String> jobs = new ArrayList<>();
        while (jobs.size() < 8) {
            jobs.add(job(fakeAgent));
        }
        assertThat(atOnce(schedule.function(), store.id().value()))
                .allSatisfy(answer -> assertThat(answer.getBatchItemFailures()).isEmpty());
        List<String> given = jobs.stream()
                .filter(job -> fakeAgent.status(job).equals("Sending-to-printer"))
                .toList();
        assertThat(given).hasSameSizeAs(printers);
        assertThat(given)
                .allSatisfy(
                        job -> assertThat(fakeAgent.stored(job).at("attempt")).isEqualTo(1));
        assertThat(new HashSet<>(given.stream()
                        .map(job -> fakeAgent.stored(job).at("assignedPrinterId"))
                        .toList()))
                .containsExactlyInAnyOrderElementsOf(printers);
        assertThat(fakeAgent.exchange().json().get("commands").size()).isEqualTo(printers.size());
    }

    @Test
    void concurrentDeliveryFunctionsAttemptEachDeliveryOnce() throws Exception {
        SharedApi.Store store = SharedApi.newStore();
        try (LocalReceiver receiver = new LocalReceiver()) {
            Client client = subscribed(store, receiver);
            FakeAgent fakeAgent = new FakeAgent(store, host);
            IntStream.range(0, 40).forEach(i -> fakeAgent.printer("printer " + i, ""));
            atOnce(webhooks.function(), store.id().value());
            assertThat(receiver.received()).hasSize(40);
            assertThat(receiver.received().stream()
                            .map(got -> got.header("webhook-id"))
                            .distinct())
                    .hasSize(40);
            assertThat(client.get(SETTINGS + "/webhook/deliveries?limit=100").each("status"))
                    .hasSize(40)
                    .containsOnly("delivered");
        }
    }

    @Test
    void deliveryFunctionSendsMessagesToChannels() throws Exception {
        queues.purge(prefix + "webhooks");
        SharedApi.Store store = SharedApi.newStore();
        try (LocalReceiver receiver = new LocalReceiver()) {
            Client.of(host, store.key()).made("/v1/notification-channels", """
                    {"name": "chat", "kind": "discord", "settings": {"url": "%s"}, "events": ["onPrinterOnline"]}""".formatted(receiver.url()));
            new FakeAgent(store, host).printer("one", "");
            assertThat(webhooks.handOver()).containsOnly(store.id().value());
            assertThat(receiver.received())
                    .singleElement()
                    .satisfies(got -> assertThat(got.body()).contains("one is reachable again."));
        }
    }

    @Test
    void failedDeliverySchedulesOneWakeup() throws Exception {
        queues.purge(prefix + "webhooks");
        SharedApi.Store store = SharedApi.newStore();
        try (LocalReceiver receiver = new LocalReceiver()) {
            subscribed(store, receiver);
            receiver.answerWith(500);
            new FakeAgent(store, host).printer("one", "");
            int before = delayed("webhooks");
            assertThat(webhooks.handOver()).containsOnly(store.id().value());
            assertThat(receiver.received()).hasSize(1);
            atOnce(webhooks.function(), store.id().value());
            assertThat(receiver.received()).as("nothing is due yet").hasSize(1);
            assertThat(delayed("webhooks") - before).isEqualTo(1);
        }
    }

    private int delayed(String queue) {
        return Integer.parseInt(queues.client()
                .getQueueAttributes(request -> request.queueUrl(prefix + queue)
                        .attributeNames(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED))
                .attributes()
                .get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED));
    }

    @Test
    void sweepReplacesALostWakeup() throws Exception {
        SharedApi.Store store = SharedApi.newStore();
        try (LocalReceiver receiver = new LocalReceiver()) {
            subscribed(store, receiver);
            FakeAgent fakeAgent = new FakeAgent(store, host);
            fakeAgent.printer("one", "");
            String job = job(fakeAgent);
            queues.purge(prefix + "webhooks");
            queues.purge(prefix + "schedule");
            new SweepFunction(install).handleRequest(Map.of(), new EventSource.Call());
            handOverAll(webhooks);
            handOverAll(schedule);
            assertThat(receiver.received()).hasSize(1);
            assertThat(fakeAgent.status(job)).isEqualTo("Sending-to-printer");
        }
    }

    @Test
    void requestSendsMessagesOfItsStoreAndSweepThoseOfAll() throws Exception {
        SharedApi.Store other = SharedApi.newStore();
        String queue = queues.newQueue();
        install.getBean(Database.class).in(other.id(), tx -> {
            install.getBean(OutboxRows.class).add(tx, queue.substring(prefix.length()), "{}");
            return other;
        });
        queues.purge(prefix + "ingest");
        part(Client.of(host, SharedApi.newStore().key()));
        assertThat(queues.drained(prefix + "ingest")).hasSize(1);
        assertThat(queues.drained(queue)).isEmpty();
        new SweepFunction(install).handleRequest(Map.of(), new EventSource.Call());
        assertThat(queues.drained(queue)).containsExactly("{}");
    }

    @Test
    void hstsIsSentWhenOnlyTlsIsServed() {
        Client client = Client.of(host, SharedApi.newStore().key());
        for (String path : List.of("/v1/parts", "/v1/parts/" + SharedApi.unknownId())) {
            assertThat(client.get(path).header("strict-transport-security")).isEqualTo("max-age=31536000");
        }
    }

    private static void handOverAll(EventSource source) {
        while (!source.handOver().isEmpty()) {
            assertThat(source.queue()).isNotEmpty();
        }
    }

    @Test
    void sweepMarksASilentAgentOffline() {
        SharedApi.Store store = SharedApi.newStore();
        FakeAgent fakeAgent = new FakeAgent(store, host);
        String printer = fakeAgent.printer("one", "");
        setLastSeen(store, "5 minutes");
        new SweepFunction(install).handleRequest(Map.of(), new EventSource.Call());
        assertThat(fakeAgent.stateOf(printer).at("isOnline")).isEqualTo(false);
    }

    private void setLastSeen(SharedApi.Store store, String ago) {
        install.getBean(Database.class)
                .in(
                        store.id(),
                        tx -> tx.update(
                                "update farm.agent set \"lastSeenAt\" = now() - ?::interval where \"storeId\" = ?",
                                ago,
                                store.id().value()));
    }

    @Test
    void sweepPublishesTheNumbersOfOnlineAndExpectedAgents() {
        SharedApi.Store store = SharedApi.newStore();
        new FakeAgent(store, host).printer("one", "");
        JsonNode online = sweptMetrics();
        assertThat(online.get("FunctionName").getStringValue()).isEqualTo("gantry-prod-sweep");
        JsonNode directive = online.get("_aws").get("CloudWatchMetrics").get(0);
        assertThat(directive.get("Namespace").getStringValue()).isEqualTo("Gantry");
        assertThat(directive.get("Dimensions").get(0).get(0).getStringValue()).isEqualTo("FunctionName");
        assertThat(StreamSupport.stream(directive.get("Metrics").values().spliterator(), false)
                        .map(metric -> metric.get("Name").getStringValue()))
                .containsExactly("AgentsOnline", "AgentsExpected")
                .allSatisfy(name -> assertThat(online.get(name).isNumber()).isTrue());
        setLastSeen(store, "5 minutes");
        JsonNode silent = sweptMetrics();
        assertThat(silent.get("AgentsOnline").getIntValue())
                .isLessThan(online.get("AgentsOnline").getIntValue());
        assertThat(silent.get("AgentsExpected").getIntValue())
                .isEqualTo(online.get("AgentsExpected").getIntValue());
        setLastSeen(store, "25 hours");
        assertThat(sweptMetrics().get("AgentsExpected").getIntValue())
                .isEqualTo(online.get("AgentsExpected").getIntValue() - 1);
    }

    /** Returns the metrics that a sweep writes to its log in CloudWatch's embedded metric format. */
    private JsonNode sweptMetrics() {
        StringBuilder log = new StringBuilder();
        new SweepFunction(install).handleRequest(Map.of(), new EventSource.Call() {
            @Override
            public String getFunctionName() {
                return "gantry-prod-sweep";
            }

            @Override
            public LambdaLogger getLogger() {
                return new LambdaLogger() {
                    @Override
                    public void log(String message) {
                        log.append(message);
                    }

                    @Override
                    public void log(byte[] message) {
                        log(new String(message, StandardCharsets.UTF_8));
                    }
                };
            }
        });
        try {
            return install.getBean(ObjectMapper.class).readValue(log.toString(), Argument.of(JsonNode.class));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void cleanupDeletesExpiredRecords() throws Exception {
        SharedApi.Store store = SharedApi.newStore();
        try (LocalReceiver receiver = new LocalReceiver()) {
            Client client = subscribed(store, receiver);
            new FakeAgent(store, host).printer("one", "");
            webhooks.function().handleRequest(EventSource.of(store.id().value()), new EventSource.Call());
            install.getBean(Database.class)
                    .in(
                            store.id(),
                            tx -> tx.update(
                                    "update farm.\"webhookDelivery\" set \"createdAt\" = now() - interval '31 days' where \"storeId\" = ?",
                                    store.id().value()));
            assertThat(client.get(SETTINGS + "/webhook/deliveries").each("id")).hasSize(1);
            new CleanupFunction(install).handleRequest(Map.of(), new EventSource.Call());
            assertThat(client.get(SETTINGS + "/webhook/deliveries").each("id")).isEmpty();
        }
    }

    /** Starts a function's process that dies at this point. */
    private RuntimeInterface runtime(Class<?> function, String crashAt) throws IOException {
        return new RuntimeInterface(
                function,
                Map.of(
                        "GANTRY_AWS_REGION",
                        SdkSettings.REGION,
                        "GANTRY_AWS_BUCKET",
                        bucket,
                        "GANTRY_AWS_QUEUE_PREFIX",
                        prefix,
                        "GANTRY_WEBHOOKS_ALLOW_INSECURE_LOCAL_RECEIVERS_FOR_DEVELOPMENT",
                        "true",
                        "AWS_ACCESS_KEY_ID",
                        SdkSettings.KEY,
                        "AWS_SECRET_ACCESS_KEY",
                        SdkSettings.SECRET,
                        "AWS_ENDPOINT_URL_S3",
                        System.getProperty("aws.endpointUrlS3"),
                        "AWS_ENDPOINT_URL_SQS",
                        System.getProperty("aws.endpointUrlSqs")),
                List.of("-Dgantry.crashAt=" + crashAt));
    }

    @ParameterizedTest
    @ValueSource(strings = {"claimed", "attempted"})
    void deliveryOfAKilledFunctionIsRepeatedAfterItsLease(String step) throws Exception {
        SharedApi.Store store = SharedApi.newStore();
        try (LocalReceiver receiver = new LocalReceiver();
                RuntimeInterface killed = runtime(DeliveryFunction.class, step)) {
            Client client = subscribed(store, receiver);
            new FakeAgent(store, host).printer("one", "");
            assertThatThrownBy(() -> killed.invoke("{\"Records\":[{\"messageId\":\"1\",\"body\":\""
                            + store.id().value() + "\"}]}"))
                    .hasStackTraceContaining("the runtime ended");
            SQSEvent again = EventSource.of(store.id().value());
            webhooks.function().handleRequest(again, new EventSource.Call());
            assertThat(client.get(SETTINGS + "/webhook/deliveries").each("status"))
                    .as("while the lease lasts")
                    .containsExactly("pending");
            install.getBean(Database.class)
                    .in(
                            store.id(),
                            tx -> tx.update(
                                    "update farm.\"webhookDelivery\" set \"nextAttemptAt\" = now() - interval '1 minute' where \"storeId\" = ?",
                                    store.id().value()));
            webhooks.function().handleRequest(again, new EventSource.Call());
            assertThat(client.get(SETTINGS + "/webhook/deliveries").each("status"))
                    .containsExactly("delivered");
            assertThat(receiver.received()).isNotEmpty();
        }
    }

    /** Uploads a file to the bucket, creates a part of it and returns the response. */
    private static Answer part(Client client) throws IOException, InterruptedException {
        return client.post(
                "/v1/parts", "{\"name\":\"a\",\"type\":\"gcode\",\"fileUris\":[\"" + uploaded(client) + "\"]}");
    }

    private static String uploaded(Client client) throws IOException, InterruptedException {
        Answer signed = client.post("/v1/storage/signed-upload-urls", "{\"filenames\":[\"a.gcode\"]}");
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest put = HttpRequest.newBuilder(URI.create(String.valueOf(signed.at("signedUrls[0].uploadUrl"))))
                    .PUT(HttpRequest.BodyPublishers.ofString("G28"))
                    .build();
            assertThat(http.send(put, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
        }
        return String.valueOf(signed.at("signedUrls[0].path"));
    }

    private static String report(SharedApi.Store store, Answer part, Processing.StageStatus status) throws IOException {
        StageReport report = new StageReport(
                store.id().value(),
                String.valueOf(part.at("id")),
                String.valueOf(part.at("processing.workflowKey")),
                new Processing.Stage(Processing.StageKey.fetch, status, null, null),
                null);
        return new String(
                SharedApi.bean(ObjectMapper.class)
                        .writeValueAsBytes(Argument.listOf(StageReport.class), List.of(report)),
                StandardCharsets.UTF_8);
    }

    @Test
    void requestIsSentOnCommitAndReportsArriveInOrder() throws Exception {
        queues.purge(prefix + "ingest");
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host, store.key());
        Answer part = part(client);
        assertThat(queues.drained(prefix + "ingest"))
                .singleElement()
                .asString()
                .contains(String.valueOf(part.at("id")));

        Map<String, String> group = Map.of("MessageGroupId", String.valueOf(part.at("processing.workflowKey")));
        SQSBatchResponse answer = new WorkerResultFunction(install)
                .handleRequest(
                        EventSource.event(List.of(
                                Map.of(
                                        "messageId",
                                        "1",
                                        "attributes",
                                        group,
                                        "body",
                                        report(store, part, Processing.StageStatus.running)),
                                Map.of("messageId", "2", "attributes", group, "body", "[nonsense"),
                                Map.of(
                                        "messageId",
                                        "3",
                                        "attributes",
                                        group,
                                        "body",
                                        report(store, part, Processing.StageStatus.done)),
                                Map.of("messageId", "4", "attributes", Map.of(), "body", "{}"))),
                        new EventSource.Call());
        assertThat(EventSource.failed(answer)).containsExactlyInAnyOrder("2", "3", "4");
        assertThat(client.get("/v1/parts/" + part.at("id")).text()).contains("\"status\":\"running\"");
    }

    @Test
    void functionKilledAfterCommitLosesNoRequest() throws Exception {
        queues.purge(prefix + "ingest");
        SharedApi.Store store = SharedApi.newStore();
        String upload = uploaded(Client.of(host, store.key()));
        try (RuntimeInterface killed = runtime(HttpApiFunction.class, "requested")) {
            Client client = Client.of(killed, store.key());
            assertThatThrownBy(() -> client.post(
                            "/v1/parts", "{\"name\":\"a\",\"type\":\"gcode\",\"fileUris\":[\"" + upload + "\"]}"))
                    .hasStackTraceContaining("the runtime ended");
        }
        assertThat(queues.drained(prefix + "ingest")).isEmpty();
        List<String> parts = Client.of(host, store.key()).get("/v1/parts").each("id");
        new SweepFunction(install).handleRequest(Map.of(), new EventSource.Call());
        assertThat(queues.drained(prefix + "ingest")).singleElement().asString().contains(parts.getFirst());
    }
}
