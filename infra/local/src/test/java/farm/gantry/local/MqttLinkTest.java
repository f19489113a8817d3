package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Tests a farm whose agent connects to the API by MQTT, and uses HTTP only for files. */
@Tag("full")
@Tag("long")
@ResourceLock(OwnFarm.SECOND)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MqttLinkTest {
    private final AtomicInteger questions = new AtomicInteger();
    private final Broker broker = new Broker();
    private final CuttableNetwork line = new CuttableNetwork(broker.port());
    private final Farm farm = Farm.start(
            wire -> Map.of(
                    "gantry.public-url",
                    wire.url(),
                    "gantry.agents.broker.url",
                    "mqtt://127.0.0.1:" + broker.port(),
                    "gantry.events.broker.url",
                    "mqtt://127.0.0.1:" + broker.port(),
                    "gantry.agents.offline-timeout",
                    "10m"),
            List.of("--broker", line.url().replace("http", "mqtt")));

    MqttLinkTest() throws IOException {}

    @AfterAll
    void close() throws Exception {
        farm.close();
        line.close();
        broker.close();
    }

    @Test
    void printOverMqttSurvivesABrokenConnection() throws Exception {
        try (FarmPrinter machine = farm.addPrinter("remote")) {
            String part = farm.readyGcode("remote", PrintFiles.ENDLESS_SECONDS);
            machine.confirmBed();
            String job = farm.buildFor(machine, part);
            farm.awaitJob(job, "Printing");
            line.cut();
            machine.finishAndAwaitJournal();
            assertThat(FarmRequests.text(farm.job(job), "status")).isEqualTo("Printing");
            Instant mended = Instant.now();
            line.restore();
            JsonNode done = farm.awaitJob(job, "Completed");
            assertThat(Instant.parse(FarmRequests.text(done, "completedAt"))).isBefore(mended);
            assertThat(machine.startedFiles()).hasSize(1);
        }
    }

    @Test
    void snapshotsAreUploadedByHttp() throws Exception {
        try (FarmPrinter machine = farm.addPrinter("seen")) {
            machine.awaitSnapshot();
        }
    }

    @Test
    void mqttSubscriberReceivesEvents() throws Exception {
        try (Subscriber subscriber = new Subscriber(broker.port(), "stores/#");
                FarmPrinter machine = farm.addPrinter("told")) {
            String part = farm.readyGcode("told", PrintFiles.ENDLESS_SECONDS);
            subscriber.await("/entities/part/" + part, "created");
            machine.confirmBed();
            String job = farm.buildFor(machine, part);
            farm.awaitJob(job, "Printing");
            String store = FarmRequests.text(farm.job(job), "storeId");
            subscriber.await("stores/" + store + "/printer-stats/" + machine.id(), "\"status\":\"printing\"");
            machine.finish();
            farm.awaitJob(job, "Completed");
            subscriber.await("stores/" + store + "/entities/printJob/" + job, "\"status\":\"Completed\"");
            subscriber.await("stores/" + store + "/entities/jobs", "\"status\":\"Completed\"");
            subscriber.await("stores/" + store + "/entities/printers", "\"" + machine.id() + "\":{");
            assertThat(subscriber.of("stores/" + store + "/entities/printJob/" + job))
                    .as("in their order")
                    .extracting(message -> message.replaceAll(".*\"status\":\"([^\"]*)\".*", "$1"))
                    .startsWith("Pending")
                    .containsSubsequence("Sending-to-printer", "Printing", "Completed");
            assertThat(subscriber.all()).allMatch(message -> message.length() < 8 * 1024);
        }
    }

    @Test
    void killedAgentGoesOfflineByItsMqttWill() throws Exception {
        try (FarmPrinter machine = farm.addPrinter("orphaned")) {
            farm.killAgent();
            machine.awaitPrinter("its agent is missed", "isOnline", false);
            farm.restartAgent("");
            machine.awaitPrinter("its agent is back", "isOnline", true);
        }
    }

    @Test
    void mqttRequestNeedsTheTokenOfItsAgent() throws Exception {
        Eventually.see(
                "the agent is there",
                () -> farm.api().get("/v1/agents"),
                agents -> FarmRequests.is(agents.get(0), "isOnline", true));
        String code = FarmRequests.text(farm.api().post("/v1/agents/pairing-codes", Map.of()), "code");
        JsonNode other = farm.api()
                .post("/v1/agents/pair", Map.of("code", code, "name", "other", "version", "1", "platform", "test"));
        String stranger = FarmRequests.text(other, "agentId");
        String known = FarmRequests.text(farm.api().get("/v1/agents").get(0), "id");
        Mqtt5BlockingClient client = MqttClient.builder()
                .useMqttVersion5()
                .serverHost("127.0.0.1")
                .serverPort(broker.port())
                .buildBlocking();
        client.connect();
        try {
            String victim = known.equals(stranger)
                    ? FarmRequests.text(farm.api().get("/v1/agents").get(1), "id")
                    : known;
            assertThat(answered(client, stranger, "", "{}")).isEqualTo("401");
            assertThat(answered(client, victim, FarmRequests.text(other, "token"), "{}"))
                    .isEqualTo("401");
            assertThat(answered(client, stranger, FarmRequests.text(other, "token"), "not JSON"))
                    .isEqualTo("400");
            assertThat(answered(client, stranger, FarmRequests.text(other, "token"), "{}"))
                    .isEqualTo("400");
            assertThat(answered(
                            client,
                            stranger,
                            FarmRequests.text(other, "token"),
                            "{\"session\":\"s\",\"sequence\":0,\"reports\":[],\"events\":[],\"acks\":[]}"))
                    .isEqualTo("201");
        } finally {
            client.disconnect();
        }
    }

    private String answered(Mqtt5BlockingClient client, String agentId, String token, String body)
            throws InterruptedException {
        byte[] question = "question %d".formatted(questions.incrementAndGet()).getBytes(StandardCharsets.UTF_8);
        try (Mqtt5BlockingClient.Mqtt5Publishes answers = client.publishes(MqttGlobalPublishFilter.ALL)) {
            client.subscribeWith()
                    .topicFilter("gantry/link/" + agentId + "/down")
                    .qos(MqttQos.AT_LEAST_ONCE)
                    .send();
            client.publishWith()
                    .topic("gantry/link/" + agentId + "/up")
                    .qos(MqttQos.AT_LEAST_ONCE)
                    .userProperties(Mqtt5UserProperties.builder()
                            .add("authorization", "AgentToken " + token)
                            .build())
                    .correlationData(question)
                    .payload(body.getBytes(StandardCharsets.UTF_8))
                    .send();
            Mqtt5Publish answer = answers.receive(90, TimeUnit.SECONDS).orElseThrow();
            // The agent itself may receive a response meanwhile.
            while (!answer.getCorrelationData().equals(Optional.of(ByteBuffer.wrap(question)))) {
                answer = answers.receive(90, TimeUnit.SECONDS).orElseThrow();
            }
            return answer.getUserProperties().asList().stream()
                    .filter(property -> property.getName().toString().equals("status"))
                    .map(property -> property.getValue().toString())
                    .findFirst()
                    .orElseThrow();
        }
    }
}
