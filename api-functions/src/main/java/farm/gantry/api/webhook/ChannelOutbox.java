package farm.gantry.api.webhook;

import farm.gantry.StoreId;
import farm.gantry.api.camera.CameraSnapshots;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.api.json.JsonText;
import farm.gantry.api.notification.EventMessages;
import farm.gantry.api.notification.Message;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.queue.Signal;
import farm.gantry.api.queue.Wakeups;
import farm.gantry.notification.EventName;
import farm.gantry.notification.NotificationChannel;
import farm.gantry.store.StoreSettings;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Adds messages to notification channels in the transaction of the event that they are about. */
@Singleton
final class ChannelOutbox {
    private static final Logger LOG = LoggerFactory.getLogger(ChannelOutbox.class);
    /** Maximum number of messages per channel about one change; the last one then only says how many more events there are. */
    private static final int MAX_MESSAGES = 5;
    /** Time in which the agent can send a camera image for a message. */
    static final Duration CAMERA_WAIT = Duration.ofSeconds(4);

    private final Table<NotificationChannel> channels;
    private final Table<StoreSettings> stores;
    private final ChannelRows rows;
    private final EventMessages messages;
    private final CameraSnapshots cameras;
    private final JsonCodec json;
    private final InstantSource clock;
    private final Optional<Wakeups> functions;
    private final Signal signal = new Signal();

    ChannelOutbox(
            Tables tables,
            ChannelRows rows,
            EventMessages messages,
            CameraSnapshots cameras,
            JsonCodec json,
            InstantSource clock,
            Optional<Wakeups> functions) {
        this.channels = tables.of(NotificationChannel.class);
        this.stores = tables.of(StoreSettings.class);
        this.rows = rows;
        this.messages = messages;
        this.cameras = cameras;
        this.json = json;
        this.clock = clock;
        this.functions = functions;
    }

    /** Returns the signal that is given when a message becomes due. */
    Signal signal() {
        return signal;
    }

    /** Wakes a function for the store's messages at that time; a loop finds them by itself. */
    void wakeAt(StoreId store, Instant due) {
        functions.ifPresent(woken -> woken.wakeAt(Wakeups.Purpose.WEBHOOKS, store, due));
    }

    /** Returns the enabled channels that are subscribed to the event. */
    List<NotificationChannel> findSubscribed(Tx tx, EventName event) {
        return channels.find(tx, ListQuery.all(channels.columns(), NotificationChannel::enabled, "true")).stream()
                .filter(channel -> channel.events().contains(event))
                .toList();
    }

    /** Identifies the events of one name that are collected during a transaction. */
    private record Collected(EventName event) {}

    /**
     * Adds the messages about events, given as the bodies of their webhook deliveries, at the end of the transaction, so
     * that many events of the same change can be summarised.
     */
    void add(Tx tx, EventName event, List<NotificationChannel> subscribed, List<String> bodies) {
        tx.onAllBeforeCommit(new Collected(event), bodies, all -> addMessages(tx, event, subscribed, all));
    }

    private void addMessages(Tx tx, EventName event, List<NotificationChannel> subscribed, Collection<String> bodies) {
        List<JsonNode> data = bodies.stream().map(ChannelOutbox::parseData).toList();
        List<ChannelRows.NewMessage> added = new ArrayList<>();
        Instant now = clock.instant();
        for (NotificationChannel channel : subscribed) {
            Instant digestAt = messages.severity(event) == Message.Severity.error
                    ? null
                    : quietUntil(tx, channel, now).orElse(null);
            List<JsonNode> relevant = data.stream()
                    .filter(each -> channel.isSubscribed(event, printerTags(each)))
                    .toList();
            int single = relevant.size() > MAX_MESSAGES ? MAX_MESSAGES - 1 : relevant.size();
            boolean isPictured = channel.picture() && digestAt == null;
            Set<String> withCamera = isPictured ? requestImages(tx, relevant.subList(0, single)) : Set.of();
            for (JsonNode each : relevant.subList(0, single)) {
                String printerId = printerId(each);
                boolean hasCamera = printerId != null && withCamera.contains(printerId);
                Instant dueAt = hasCamera ? now.plus(CAMERA_WAIT) : now;
                Message.PictureSource picture = isPictured
                        ? new Message.PictureSource(now, hasCamera ? printerId : null, thumbnailUri(each))
                        : null;
                compose(event, each, channel, picture)
                        .map(message -> new ChannelRows.NewMessage(
                                channel.id(),
                                printerId,
                                messages.faultySubject(event, each).orElse(null),
                                json.write(message),
                                dueAt,
                                digestAt))
                        .ifPresent(added::add);
            }
            if (single < relevant.size()) {
                Message more = messages.ofMore(event, relevant.size() - single);
                added.add(new ChannelRows.NewMessage(channel.id(), null, null, json.write(more), now, digestAt));
            }
        }
        if (!added.isEmpty()) {
            rows.add(tx, event.name(), added, now);
            wakeAfterCommit(tx);
        }
    }

    /** Updates the messages about faults that ended: those that were sent, if their service can, and those that wait. */
    void resolve(Tx tx, EventName fault, Collection<String> subjects) {
        if (!subjects.isEmpty() && rows.resolve(tx, fault.name(), subjects, clock.instant())) {
            wakeAfterCommit(tx);
        }
    }

    /** Requests camera images of the printers that the events are about; returns the ids of those that can have one. */
    private Set<String> requestImages(Tx tx, List<JsonNode> events) {
        return cameras.requestForMessages(
                tx,
                events.stream()
                        .map(ChannelOutbox::printerId)
                        .filter(Objects::nonNull)
                        .distinct()
                        .toList());
    }

    private Optional<Instant> quietUntil(Tx tx, NotificationChannel channel, Instant now) {
        return Optional.ofNullable(channel.quietHours())
                .flatMap(quiet -> quiet.endAfter(
                        now,
                        ZoneId.of(stores.find(tx, tx.store().value())
                                .orElseThrow()
                                .timezone())));
    }

    /** Collects the messages of changed quiet hours until their new end, or sends them now. */
    void reschedule(Tx tx, NotificationChannel channel) {
        Instant now = clock.instant();
        rows.reschedule(tx, channel.id(), quietUntil(tx, channel, now).orElse(now));
        wakeAfterCommit(tx);
    }

    /** Returns the message about an event; empty if it cannot be composed, which must not undo the event. */
    private Optional<Message> compose(
            EventName event, JsonNode data, NotificationChannel channel, Message.@Nullable PictureSource picture) {
        try {
            return Optional.of(messages.of(event, data, channel.template()).withPicture(picture));
        } catch (RuntimeException e) {
            LOG.error("no message about {} is sent to the notification channels", event, e);
            return Optional.empty();
        }
    }

    /** Returns the data of an event; empty for an order too large to parse, because a message must not prevent an event. */
    private static JsonNode parseData(String body) {
        try {
            return JsonText.parse(body).get("data");
        } catch (ProblemException e) {
            return JsonNode.createObjectNode(Map.of());
        }
    }

    private void wakeAfterCommit(Tx tx) {
        tx.onceAfterCommit(ChannelOutbox.class, () -> {
            if (functions.isPresent()) {
                functions.get().wake(Wakeups.Purpose.WEBHOOKS, tx.store());
            } else {
                signal.signal();
            }
        });
    }

    private static @Nullable List<String> printerTags(JsonNode data) {
        JsonNode printer = data.get("printer");
        return printer == null || !printer.isObject() || !printer.get("tags").isArray()
                ? null
                : StreamSupport.stream(printer.get("tags").values().spliterator(), false)
                        .map(JsonNode::getStringValue)
                        .toList();
    }

    /** Returns the thumbnail of the part that the event is about; null if there is none. */
    private static @Nullable String thumbnailUri(JsonNode data) {
        return Stream.of("printJob", "part")
                .map(data::get)
                .filter(found -> found != null && found.isObject())
                .map(found -> found.get("thumbnailUri"))
                .filter(uri -> uri != null && uri.isString())
                .map(JsonNode::getStringValue)
                .findFirst()
                .orElse(null);
    }

    private static @Nullable String printerId(JsonNode data) {
        JsonNode printer = data.get("printer");
        return printer == null || !printer.isObject() ? null : printer.get("id").getStringValue();
    }
}
