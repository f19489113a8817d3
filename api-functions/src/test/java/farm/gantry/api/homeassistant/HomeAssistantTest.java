package farm.gantry.api.homeassistant;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import farm.gantry.api.apikey.WorkCallers;
import farm.gantry.api.camera.CameraSnapshots;
import farm.gantry.api.contract.SnapshotContract;
import farm.gantry.api.database.Database;
import farm.gantry.api.fixture.Eventually;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.api.queue.WorkLoop;
import farm.gantry.api.stream.ChangeRows;
import farm.gantry.api.stream.EventBrokerSettings;
import farm.gantry.api.stream.EventPublisherRows;
import farm.gantry.json.Tree;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Tests the devices that Home Assistant discovers, with Mosquitto as the broker. */
@ResourceLock("eventPublisher")
final class HomeAssistantTest {
    /** Fields that Home Assistant's MQTT integration knows in every entity. */
    private static final Set<String> COMMON = Set.of(
            "platform",
            "unique_id",
            "name",
            "icon",
            "device_class",
            "qos",
            "availability",
            "json_attributes_topic",
            "json_attributes_template");

    /** Further fields by platform; those in {@link #REQUIRED} must be there. */
    private static final Map<String, Set<String>> KNOWN = Map.of(
            "sensor", Set.of("state_topic", "value_template", "unit_of_measurement", "state_class", "options"),
            "binary_sensor", Set.of("state_topic", "value_template"),
            "button", Set.of("command_topic", "command_template", "retain"),
            "camera", Set.of("topic"),
            "light",
                    Set.of(
                            "schema",
                            "command_topic",
                            "command_on_template",
                            "command_off_template",
                            "optimistic",
                            "retain"));

    private static final Map<String, Set<String>> REQUIRED = Map.of(
            "sensor", Set.of("state_topic"),
            "binary_sensor", Set.of("state_topic"),
            "button", Set.of("command_topic"),
            "camera", Set.of("topic"),
            "light", Set.of("schema", "command_topic", "command_on_template", "command_off_template"));

    private final SharedApi.Store store = SharedApi.newStore();
    private final FakeAgent agent = new FakeAgent(store, new Socket());
    private final HomeAssistantTopics topics = new HomeAssistantTopics(store.id(), "homeassistant");

    private static HomeAssistant homeAssistant(String key, URI broker) {
        return new HomeAssistant(
                new HomeAssistantSettings(key, "homeassistant", Duration.ofSeconds(10)),
                new EventBrokerSettings(broker, null, null),
                SharedApi.bean(WorkCallers.class),
                SharedApi.bean(EventPublisherRows.class),
                SharedApi.bean(ChangeRows.class),
                SharedApi.bean(FarmMessages.class),
                SharedApi.bean(CameraSnapshots.class),
                SharedApi.bean(HomeAssistantCommands.class));
    }

    private static Map<String, Object> tree(@Nullable String json) {
        return SharedApi.bean(JsonCodec.class)
                .read(Objects.requireNonNull(json, "no such message"), Argument.mapOf(String.class, Object.class));
    }

    @Test
    void descriptionsHaveTheFieldsThatHomeAssistantKnows() {
        String printer = agent.printer("Shelf", ", \"vendorName\": \"Voron\", \"modelName\": \"Trident\"");
        Map<String, String> messages = SharedApi.bean(FarmMessages.class)
                .build(SharedApi.bean(WorkCallers.class).authenticate(store.key(), "test"), topics, true)
                .messages();
        Map<String, Object> described = tree(messages.get(topics.discovery(topics.printerDevice(printer))));
        assertThat(Tree.object(described, "components").keySet())
                .containsExactlyInAnyOrder(
                        "status",
                        "progress",
                        "nozzle",
                        "bed",
                        "remaining",
                        "part",
                        "problem",
                        "bedClear",
                        "pause",
                        "resume",
                        "stop",
                        "bed_cleared",
                        "light",
                        "camera");
        assertThat(Tree.object(described, "device"))
                .containsEntry("name", "Shelf")
                .containsEntry("manufacturer", "Voron")
                .containsEntry("model", "Trident");
        Map<String, Object> farm = tree(messages.get(topics.discovery(topics.farmDevice())));
        assertThat(Tree.object(farm, "components").keySet()).containsExactlyInAnyOrder("queue", "nextFree");
        for (Map<String, Object> device : List.of(described, farm)) {
            checkDevice(device, messages);
        }
        assertThat(tree(messages.get(topics.queue()))).containsEntry("nextFree", "Shelf");
    }

    private static void checkDevice(Map<String, Object> message, Map<String, String> states) {
        assertThat(message.keySet())
                .isSubsetOf("device", "origin", "components", "availability", "availability_mode")
                .contains("device", "origin", "components");
        assertThat(Tree.list(message, "device", "identifiers")).isNotEmpty();
        assertThat(Tree.text(message, "origin", "name")).isEqualTo("Gantry");
        List<Object> uniqueIds = new ArrayList<>();
        Tree.object(message, "components").forEach((id, value) -> {
            Map<String, Object> entity = Tree.object(value);
            String platform = String.valueOf(entity.get("platform"));
            assertThat(KNOWN).as(id).containsKey(platform);
            assertThat(entity.keySet())
                    .as(id)
                    .allMatch(field -> COMMON.contains(field)
                            || KNOWN.getOrDefault(platform, Set.of()).contains(field));
            assertThat(entity.keySet()).as(id).containsAll(REQUIRED.getOrDefault(platform, Set.of()));
            uniqueIds.add(entity.get("unique_id"));
            boolean isEnum = "enum".equals(entity.get("device_class"));
            assertThat(entity.containsKey("options")).as(id).isEqualTo(isEnum);
            if (isEnum) {
                assertThat(entity).doesNotContainKeys("state_class", "unit_of_measurement");
            }
            if (entity.get("state_topic") instanceof String topic) {
                assertThat(tree(states.get(topic)).keySet())
                        .as("the state of " + id)
                        .contains(id);
            }
        });
        assertThat(uniqueIds).doesNotHaveDuplicates().doesNotContainNull();
        assertThat(Tree.list(message, "availability")).allMatch(each -> Tree.text(each, "topic") != null);
    }

    @Test
    void keyWithoutControlGetsNoButtons() {
        String printer = agent.printer("Shelf", "");
        String viewer = String.valueOf(agent.client()
                .post("/v1/api-keys", "{\"name\":\"viewer\",\"permissions\":[\"printer.view\",\"queue.view\"]}")
                .at("key"));
        Map<String, Object> described = tree(SharedApi.bean(FarmMessages.class)
                .build(SharedApi.bean(WorkCallers.class).authenticate(viewer, "test"), topics, false)
                .messages()
                .get(topics.discovery(topics.printerDevice(printer))));
        assertThat(Tree.object(described, "components").keySet())
                .contains("status")
                .doesNotContain("stop", "light", "bed_cleared", "camera");
    }

    @Test
    void settingWithoutABrokerFailsTheStart() {
        try (ApplicationContext another = SharedApi.another(Map.of("gantry.home-assistant.api-key", store.key()))) {
            assertThatThrownBy(() -> another.getBean(HomeAssistant.class))
                    .hasMessageContaining("set gantry.events.broker.url");
        }
    }

    /** A client that keeps all messages of the broker. */
    private static final class Listener implements AutoCloseable {
        private final Mqtt5BlockingClient client;
        private final List<Map.Entry<String, String>> messages = new CopyOnWriteArrayList<>();

        Listener(Mosquitto broker) {
            this.client = MqttClient.builder()
                    .useMqttVersion5()
                    .serverHost("127.0.0.1")
                    .serverPort(broker.port())
                    .buildBlocking();
            client.toAsync()
                    .publishes(
                            MqttGlobalPublishFilter.ALL,
                            message -> messages.add(Map.entry(
                                    message.getTopic().toString(), new String(message.getPayloadAsBytes(), UTF_8))));
            client.connect();
            client.subscribeWith().topicFilter("#").qos(MqttQos.AT_LEAST_ONCE).send();
        }

        void publish(String topic, String text, boolean retain) {
            client.publishWith()
                    .topic(topic)
                    .qos(MqttQos.AT_LEAST_ONCE)
                    .retain(retain)
                    .payload(text.getBytes(UTF_8))
                    .send();
        }

        List<String> of(String topic) {
            return messages.stream()
                    .filter(message -> message.getKey().equals(topic))
                    .map(Map.Entry::getValue)
                    .toList();
        }

        void await(String topic, String part) {
            Eventually.until(part + " at " + topic, () -> last(topic).contains(part));
        }

        String last(String topic) {
            List<String> texts = of(topic);
            return texts.isEmpty() ? "" : texts.getLast();
        }

        @Override
        public void close() {
            client.disconnect();
        }
    }

    @Test
    void devicesFollowTheFarmAndItsCommandsActOnce() throws Exception {
        String printer = agent.printer("Shelf", "");
        String gone = agent.printer("Gone", "");
        try (Mosquitto broker = Mosquitto.start();
                Listener listener = new Listener(broker)) {
            HomeAssistant devices = homeAssistant(store.key(), broker.url());
            List<WorkLoop> loops = devices.start();
            try {
                String config = topics.discovery(topics.printerDevice(printer));
                listener.await(topics.farmAvailability(), "online");
                listener.await(config, "\"Shelf\"");
                listener.await(topics.availability(printer), "online");

                String job = agent.job("");
                agent.round();
                agent.happened(printer, "jobStarted", job);
                agent.exchange(List.of(), List.of(), List.of(agent.report(printer, "printing", "f", job, 1)));
                listener.await(topics.state(printer), "\"status\":\"printing\"");
                Eventually.until(
                        "an image is requested", () -> agent.exchange().text().contains("\"stills\""));
                agent.still(printer, 320, SnapshotContract.PICTURE);
                Eventually.until(
                        "an image is published",
                        () -> !listener.of(topics.camera(printer)).isEmpty());
                Map<String, Object> shown = tree(listener.last(topics.state(printer)));
                assertThat(shown)
                        .containsEntry("print", job + "/" + agent.stored(job).at("attempt"));
                String stop = topics.command(printer, HomeAssistantTopics.Command.STOP);
                String press = "{\"print\":\"" + shown.get("print") + "\",\"at\":"
                        + Instant.now().toEpochMilli() / 1000.0 + "}";
                listener.publish(stop, press, true);
                for (int i = 0; i < 300; i++) {
                    listener.publish(stop, i % 2 == 0 ? "PRESS" : "x".repeat(20_000), false);
                }
                listener.publish(
                        topics.command(printer, HomeAssistantTopics.Command.LIGHT),
                        "{\"light\":\"on\",\"at\":" + Instant.now().toEpochMilli() / 1000.0 + "}",
                        false);
                Eventually.until(
                        "the light is switched, after the flood",
                        () -> SharedApi.bean(Database.class)
                                .in(
                                        store.id(),
                                        tx -> tx.query(
                                                "select 1 from farm.\"agentCommand\" where \"storeId\" = ? and action::text like ?",
                                                rows -> rows.next(),
                                                store.id().value(),
                                                "%led-control%")));
                assertThat(agent.status(job))
                        .as("the retained command is ignored")
                        .isEqualTo("Printing");
                listener.publish(stop, press, false);
                Eventually.until("the job is cancelled", () -> agent.status(job).equals("Cancelled"));

                int before = listener.of(config).size();
                listener.publish("homeassistant/status", "online", false);
                Eventually.until(
                        "devices are described again", () -> listener.of(config).size() > before);

                Mqtt5BlockingClient rival = MqttClient.builder()
                        .useMqttVersion5()
                        .identifier("gantry-home-assistant-" + store.id())
                        .serverHost("127.0.0.1")
                        .serverPort(broker.port())
                        .buildBlocking();
                rival.connect();
                Eventually.until(
                        "the broker publishes the will, and the farm returns",
                        () -> listener.of(topics.farmAvailability()).contains("offline")
                                && listener.last(topics.farmAvailability()).equals("online"));
            } finally {
                WorkLoop.closeAll(loops);
                devices.close();
            }
            listener.await(topics.farmAvailability(), "offline");

            agent.client().delete("/v1/printers/" + gone);
            try (ApplicationContext later = SharedApi.another(Map.of(
                    "gantry.home-assistant.api-key",
                    store.key(),
                    "gantry.home-assistant.camera-interval",
                    "1m",
                    "gantry.events.broker.url",
                    broker.url().toString()))) {
                List<WorkLoop> laterLoops = later.getBean(HomeAssistant.class).start();
                try {
                    Eventually.until(
                            "the printer that was deleted meanwhile is cleared",
                            () -> listener.of(topics.discovery(topics.printerDevice(gone)))
                                    .contains(""));
                } finally {
                    WorkLoop.closeAll(laterLoops);
                }
            }
        }
    }
}
