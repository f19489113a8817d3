package farm.gantry.api.homeassistant;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.hivemq.client.mqtt.MqttClientState;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5RetainHandling;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscription;
import farm.gantry.api.camera.CameraSnapshots;
import farm.gantry.api.mqtt.MqttBroker;
import farm.gantry.api.security.Caller;
import farm.gantry.api.stream.ChangeRows;
import farm.gantry.api.stream.EventBrokerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to the broker for a store: publishes the messages of its devices when they change, and passes on commands
 * from Home Assistant.
 */
final class HomeAssistantSession {
    private static final Logger LOG = LoggerFactory.getLogger(HomeAssistantSession.class);
    private static final String ONLINE = "online";
    private static final String OFFLINE = "offline";
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    /** Time after which messages are built although no change is known. */
    private static final Duration MAX_INTERVAL = Duration.ofSeconds(30);

    /** Minimum time between two publications of everything on request. */
    private static final Duration MIN_REPUBLICATION = Duration.ofSeconds(10);

    private static final int MAX_REMEMBERED_PRINTERS = 10_000;
    private static final int MAX_PACKET_BYTES = 16 * 1024;

    private final EventBrokerSettings broker;
    private final ChangeRows changes;
    private final FarmMessages farm;
    private final CameraSnapshots snapshots;
    private final @Nullable Duration cameraInterval;
    private final Queue<HomeAssistantCommands.Message> commands;
    private final HomeAssistantTopics topics;
    private final MqttBroker connection;
    /** Whether everything must be published, because the connection is new or Home Assistant has started. */
    private final AtomicBoolean republish = new AtomicBoolean(true);

    private final AtomicLong republishedAtMillis = new AtomicLong();
    private final AtomicLong builtAtMillis = new AtomicLong();
    private final AtomicReference<ChangeRows.Horizon> position = new AtomicReference<>(new ChangeRows.Horizon(0, ""));
    private final AtomicLong imagesAtMillis = new AtomicLong();
    private final List<String> filmedIds = new ArrayList<>();
    private final Map<String, String> published = new HashMap<>();
    /** Printers that were described by this process or an earlier one. */
    private final Set<String> describedIds = ConcurrentHashMap.newKeySet();

    /**
     * Creates a session, which is not connected yet.
     *
     * @param cameraInterval time between two images of a printer that prints; null for none
     * @param commands gets the commands to execute; it may reject some
     */
    HomeAssistantSession(
            HomeAssistantTopics topics,
            EventBrokerSettings broker,
            ChangeRows changes,
            FarmMessages farm,
            CameraSnapshots snapshots,
            @Nullable Duration cameraInterval,
            Queue<HomeAssistantCommands.Message> commands) {
        this.topics = topics;
        this.broker = broker;
        this.changes = changes;
        this.farm = farm;
        this.snapshots = snapshots;
        this.cameraInterval = cameraInterval;
        this.commands = commands;
        Mqtt5Publish will = retained(topics.farmAvailability(), OFFLINE);
        this.connection = new MqttBroker(
                broker.address(),
                broker.user(),
                broker.password(),
                new MqttBroker.Client("gantry-home-assistant-" + topics.store(), will, MAX_PACKET_BYTES),
                this::onConnected);
    }

    HomeAssistantTopics topics() {
        return topics;
    }

    void connect() {
        connection.start();
    }

    /**
     * Subscribes without acknowledgements: Mosquitto 2.0.11 counts messages over the maximum size as unacknowledged
     * permanently, and after 20 of them sends no more.
     */
    private void onConnected() {
        LOG.info("publishing devices for Home Assistant to the MQTT broker {}", broker.address());
        subscribe(Mqtt5Subscription.builder()
                .topicFilter(topics.allCommands())
                .qos(MqttQos.AT_MOST_ONCE)
                .retainHandling(Mqtt5RetainHandling.DO_NOT_SEND)
                .retainAsPublished(true)
                .build());
        subscribe(Mqtt5Subscription.builder()
                .topicFilter(topics.homeAssistantStatus())
                .qos(MqttQos.AT_MOST_ONCE)
                .build());
        subscribe(Mqtt5Subscription.builder()
                .topicFilter(topics.allAvailabilities())
                .qos(MqttQos.AT_MOST_ONCE)
                .noLocal(true)
                .build());
        republishedAtMillis.set(0);
        republish.set(true);
    }

    private void subscribe(Mqtt5Subscription subscription) {
        var _ = connection
                .client()
                .subscribeWith()
                .addSubscription(subscription)
                .callback(this::onMessage)
                .send()
                .whenComplete((_, fault) -> {
                    if (fault != null) {
                        LOG.warn(
                                "cannot subscribe to {} at the MQTT broker: {}",
                                subscription.getTopicFilter(),
                                fault.getMessage());
                    }
                });
    }

    private void onMessage(Mqtt5Publish publish) {
        String topic = publish.getTopic().toString();
        byte[] payload = publish.getPayloadAsBytes();
        if (topic.equals(topics.homeAssistantStatus())) {
            if (new String(payload, UTF_8).equals(ONLINE)) {
                republish.set(true);
            }
        } else if (topics.findCommand(topic).isPresent()) {
            if (payload.length > HomeAssistantCommands.MAX_BYTES
                    || !commands.offer(new HomeAssistantCommands.Message(topic, payload, publish.isRetain()))) {
                LOG.debug("a message at {} is too large, or too many wait; it is dropped", topic);
            }
        } else if (payload.length > 0 && describedIds.size() < MAX_REMEMBERED_PRINTERS) {
            topics.findPrinter(topic).ifPresent(describedIds::add);
        }
    }

    void refresh(Caller caller) {
        if (connection.client().getState() != MqttClientState.CONNECTED) {
            return;
        }
        long now = System.currentTimeMillis();
        if (republish.get() && now - republishedAtMillis.get() > MIN_REPUBLICATION.toMillis()) {
            republish.set(false);
            republishedAtMillis.set(now);
            published.clear();
        }
        ChangeRows.Horizon last = Objects.requireNonNull(position.get());
        ChangeRows.Horizon horizon = changes.horizon();
        boolean isDue = published.isEmpty()
                || now - builtAtMillis.get() > MAX_INTERVAL.toMillis()
                || !last.epoch().equals(horizon.epoch())
                || changes.storesWithChanges(last.transaction() - 1, horizon.transaction())
                        .contains(caller.store());
        if (isDue) {
            publishChanges(caller);
            position.set(horizon);
            builtAtMillis.set(now);
        }
        if (cameraInterval != null && !filmedIds.isEmpty() && now - imagesAtMillis.get() > cameraInterval.toMillis()) {
            imagesAtMillis.set(now);
            publishImages(caller);
        }
    }

    /** Publishes the images that were requested the last time, and requests the next ones. */
    private void publishImages(Caller caller) {
        snapshots.findImages(caller, filmedIds).forEach((id, image) -> {
            var _ = connection
                    .client()
                    .publish(Mqtt5Publish.builder()
                            .topic(topics.camera(id))
                            .qos(MqttQos.AT_MOST_ONCE)
                            .payload(image)
                            .build());
        });
    }

    /** Publishes the messages that differ from the published ones; an empty one clears a topic. */
    private void publishChanges(Caller caller) {
        FarmMessages.Snapshot snapshot = farm.build(caller, topics, cameraInterval != null);
        filmedIds.clear();
        filmedIds.addAll(snapshot.filmedIds());
        Map<String, String> messages = new LinkedHashMap<>();
        messages.put(topics.farmAvailability(), ONLINE);
        messages.putAll(snapshot.messages());
        describedIds.addAll(snapshot.printerIds());
        Set<String> removedIds = new HashSet<>(describedIds);
        removedIds.removeAll(snapshot.printerIds());
        for (String id : removedIds) {
            messages.put(topics.discovery(topics.printerDevice(id)), "");
            messages.put(topics.state(id), "");
            messages.put(topics.availability(id), "");
        }
        messages.entrySet().removeIf(message -> message.getValue().equals(published.get(message.getKey())));
        publish(messages);
        published.putAll(messages);
        published.values().removeIf(String::isEmpty);
        describedIds.removeAll(removedIds);
    }

    private void publish(Map<String, String> messages) {
        List<CompletableFuture<?>> sent = new ArrayList<>();
        messages.forEach((topic, text) -> sent.add(connection.client().publish(retained(topic, text))));
        try {
            CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
                    .orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException e) {
            connection.restart();
            throw e;
        }
    }

    private Mqtt5Publish retained(String topic, String text) {
        return Mqtt5Publish.builder()
                .topic(topic)
                .qos(MqttQos.AT_LEAST_ONCE)
                .retain(true)
                .payload(text.getBytes(UTF_8))
                .build();
    }

    /** Says that the devices are unavailable, as the broker does if the connection is lost. */
    void close() {
        if (connection.client().getState() == MqttClientState.CONNECTED) {
            var _ = connection
                    .client()
                    .publish(retained(topics.farmAvailability(), OFFLINE))
                    .orTimeout(1, TimeUnit.SECONDS)
                    .handle((_, _) -> true)
                    .join();
        }
        connection.close();
    }
}
