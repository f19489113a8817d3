package farm.gantry.api.stream;

import com.hivemq.client.mqtt.MqttClientState;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5PubAckException;
import com.hivemq.client.mqtt.mqtt5.message.publish.puback.Mqtt5PubAckReasonCode;
import farm.gantry.Id;
import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import farm.gantry.api.mqtt.MqttBroker;
import farm.gantry.api.queue.Signal;
import farm.gantry.api.queue.WorkLoop;
import farm.gantry.wire.BrokerAddress;
import io.micronaut.context.annotation.Requires;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the events of {@code /v1/stream} to an MQTT 5 broker, at {@code stores/STORE/entities/TYPE/ID} and, for
 * printers, at {@code stores/STORE/printer-stats/ID}, and changed records at {@code stores/STORE/entities/TYPES}: each
 * in the order of transactions, at least once, by one process at a time. A message over 8 KiB is replaced with {@code {"truncated":true}}. A message that the broker rejects is logged
 * and skipped, unless its quota is exceeded; then it is sent again. After a gap longer than the retention of changes, a
 * message is sent to {@code stores/STORE/reset}.
 */
@Singleton
@Requires(beans = EventBrokerSettings.class)
public final class MqttEventPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(MqttEventPublisher.class);
    private static final Set<ChangeEventReader.Kind> ALL = EnumSet.allOf(ChangeEventReader.Kind.class);
    /** Name of the lease, which triggers of the database know. */
    private static final String LEASE_ID = "mqtt";

    /** Lease; longer than publishing one batch takes. */
    private static final Duration LEASE = Duration.ofSeconds(30);

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    /** Maximum size of a message in bytes, so that small devices can receive it. */
    static final int MAX_BYTES = 8 * 1024;

    /** Time after the last publication for which the database notes changes of records; see the migrations. */
    private static final Duration MAX_NOTED = Duration.ofDays(7);

    private static final byte[] TRUNCATED = "{\"truncated\":true}".getBytes(StandardCharsets.UTF_8);

    private final Database database;
    private final ChangeRows rows;
    private final ChangeEventReader changes;
    private final RecordMessages records;
    private final EventPublisherRows publisher;
    private final StreamSettings settings;
    private final MqttBroker broker;
    private final String holder = Id.random(16);

    MqttEventPublisher(
            EventBrokerSettings broker,
            Database database,
            ChangeRows rows,
            ChangeEventReader changes,
            RecordMessages records,
            EventPublisherRows publisher,
            StreamSettings settings) {
        this.database = database;
        this.rows = rows;
        this.changes = changes;
        this.records = records;
        this.publisher = publisher;
        this.settings = settings;
        BrokerAddress address = broker.address();
        this.broker = new MqttBroker(
                address,
                broker.user(),
                broker.password(),
                () -> LOG.info("publishing events to the MQTT broker {}", address));
    }

    /** Connects, and publishes new events until closed. */
    public WorkLoop start() {
        broker.start();
        return WorkLoop.start("mqtt-events", new Signal(), settings.pollInterval(), this::publishNew);
    }

    @PreDestroy
    void close() {
        publisher.release(LEASE_ID, holder);
        broker.close();
    }

    private void publishNew() {
        if (broker.client().getState() != MqttClientState.CONNECTED || publisher.isHeldElsewhere(LEASE_ID)) {
            return;
        }
        ChangeRows.Horizon horizon = rows.horizon();
        long end = horizon.transaction();
        Optional<Long> held = publisher.findPosition(LEASE_ID, holder, TIMEOUT);
        Optional<Long> published = held.or(() -> publisher.acquire(LEASE_ID, holder, LEASE, end - 1));
        if (published.isEmpty()) {
            return;
        }
        long from = published.get();
        List<StoreId> changed = List.of();
        if (from >= end || publisher.isOlderThan(LEASE_ID, maxGap())) {
            database.findStores("all_stores").forEach(store -> send(List.of(message(store, "reset", "{}"))));
        } else {
            changed = rows.storesWithChanges(from, end);
            changed.forEach(store -> publish(store, from, horizon));
        }
        // an empty read writes nothing
        if (held.isEmpty() || !changed.isEmpty()) {
            publisher.savePosition(LEASE_ID, holder, end - 1);
        }
    }

    private Duration maxGap() {
        return settings.retention().compareTo(MAX_NOTED) < 0 ? settings.retention() : MAX_NOTED;
    }

    private void publish(StoreId store, long from, ChangeRows.Horizon horizon) {
        publishEvents(store, from, horizon);
        publishRecords(store, from, horizon);
    }

    private void publishRecords(StoreId store, long from, ChangeRows.Horizon horizon) {
        StreamPosition position = StreamPosition.before(horizon.at(from + 1), Instant.now());
        while (position != null) {
            StreamPosition after = position;
            RecordMessages.Batch batch = database.in(store, tx -> records.readAfter(tx, after, horizon.transaction()));
            send(batch.messages().stream()
                    .map(each -> message(store, each.topic(), each.data()))
                    .toList());
            position = batch.next();
        }
    }

    private void publishEvents(StoreId store, long from, ChangeRows.Horizon horizon) {
        Instant now = Instant.now();
        StreamPosition position = StreamPosition.before(horizon.at(from + 1), now);
        List<ChangeEventReader.ChangeEvent> events = next(store, position, horizon.transaction(), now);
        while (!events.isEmpty()) {
            Map<String, RecordMessages.Message> stats = stats(store, events);
            send(events.stream()
                    .map(each -> message(
                            store,
                            each.topic(),
                            Optional.ofNullable(stats.get(each.topic()))
                                    .map(RecordMessages.Message::data)
                                    .orElse(each.data())))
                    .toList());
            position = events.stream()
                    .map(ChangeEventReader.ChangeEvent::position)
                    .filter(Objects::nonNull)
                    .reduce(position, (_, last) -> last);
            events = next(store, position, horizon.transaction(), now);
        }
    }

    private List<ChangeEventReader.ChangeEvent> next(
            StoreId store, StreamPosition position, long horizon, Instant now) {
        return database.in(store, tx -> changes.readAfter(tx, position, horizon, ALL, now));
    }

    /** Returns the statuses of the printers that the events are about, by their topics. */
    private Map<String, RecordMessages.Message> stats(StoreId store, List<ChangeEventReader.ChangeEvent> events) {
        List<String> printerIds = events.stream()
                .filter(event -> event.kind() == ChangeEventReader.Kind.printerState)
                .map(event ->
                        event.topic().substring(RecordMessages.statsTopic("").length()))
                .toList();
        return printerIds.isEmpty() ? Map.of() : database.in(store, tx -> records.stats(tx, printerIds));
    }

    /** Publishes an event; completes with the reason if the broker rejects it. */
    private CompletableFuture<Optional<String>> message(StoreId store, String topic, String data) {
        byte[] payload = data.getBytes(StandardCharsets.UTF_8);
        String place = "stores/" + store + "/" + topic;
        return broker.client()
                .publishWith()
                .topic(place)
                .qos(MqttQos.AT_LEAST_ONCE)
                .contentType("application/json")
                .payload(payload.length > MAX_BYTES ? TRUNCATED : payload)
                .send()
                .handle((_, fault) -> refusal(place, fault));
    }

    private static Optional<String> refusal(String place, @Nullable Throwable fault) {
        Throwable cause = fault instanceof CompletionException ? fault.getCause() : fault;
        if (cause instanceof Mqtt5PubAckException refused
                && refused.getMqttMessage().getReasonCode() != Mqtt5PubAckReasonCode.QUOTA_EXCEEDED) {
            return Optional.of(place + " " + refused.getMqttMessage().getReasonCode());
        }
        if (cause != null) {
            throw new CompletionException(cause);
        }
        return Optional.empty();
    }

    /**
     * Waits for the broker's acknowledgements, up to a timeout after which the connection's messages are not awaited
     * again.
     */
    private void send(List<CompletableFuture<Optional<String>>> messages) {
        try {
            CompletableFuture.allOf(messages.toArray(CompletableFuture[]::new))
                    .orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof TimeoutException) {
                broker.restart();
            }
            throw e;
        }
        List<String> refused =
                messages.stream().flatMap(message -> message.join().stream()).toList();
        if (!refused.isEmpty()) {
            LOG.warn(
                    "the MQTT broker rejected {} of {} events, which are skipped; the first: {}",
                    refused.size(),
                    messages.size(),
                    refused.getFirst());
        }
    }
}
