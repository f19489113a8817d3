package farm.gantry.api.webhook;

import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.notification.EventMessages;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.queue.Signal;
import farm.gantry.api.queue.Wakeups;
import farm.gantry.job.PrintJob;
import farm.gantry.notification.EventName;
import farm.gantry.notification.NotificationChannel;
import farm.gantry.notification.NotificationSetting;
import farm.gantry.notification.WebhookDelivery;
import farm.gantry.order.Order;
import farm.gantry.part.Part;
import farm.gantry.printer.Printer;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds events to the outbox of a store's webhook and of its notification channels in the transaction that causes them.
 */
@Singleton
public final class Webhooks {
    private static final Logger LOG = LoggerFactory.getLogger(Webhooks.class);
    /** Maximum number of orders, which may have thousands of items, per statement. */
    private static final int MAX_ORDERS = 20;

    static final Duration HELD = Duration.ofDays(3);

    private final Database database;
    private final Table<NotificationSetting> settings;
    private final Table<Printer> printers;
    private final Table<PrintJob> jobs;
    private final Table<Part> parts;
    private final Table<Order> orders;
    private final WebhookRows rows;
    private final ChannelOutbox channels;
    private final RecordReader reader;
    private final InstantSource clock;
    private final Optional<Wakeups> functions;
    private final Signal signal = new Signal();

    Webhooks(
            Database database,
            Tables tables,
            WebhookRows rows,
            ChannelOutbox channels,
            RecordReader reader,
            InstantSource clock,
            Optional<Wakeups> functions) {
        this.database = database;
        this.settings = tables.of(NotificationSetting.class);
        this.printers = tables.of(Printer.class);
        this.jobs = tables.of(PrintJob.class);
        this.parts = tables.of(Part.class);
        this.orders = tables.of(Order.class);
        this.rows = rows;
        this.channels = channels;
        this.reader = reader;
        this.clock = clock;
        this.functions = functions;
    }

    /** Returns the signal that is given when a delivery becomes due. */
    Signal signal() {
        return signal;
    }

    /** Processes the store's deliveries after the commit. */
    void wakeAfterCommit(Tx tx) {
        tx.onceAfterCommit(Webhooks.class, () -> {
            if (functions.isPresent()) {
                functions.get().wake(Wakeups.Purpose.WEBHOOKS, tx.store());
            } else {
                signal.signal();
            }
        });
    }

    /** Wakes a function for the store's deliveries at that time; a loop finds them by itself. */
    void wakeAt(StoreId store, Instant due) {
        functions.ifPresent(woken -> woken.wakeAt(Wakeups.Purpose.WEBHOOKS, store, due));
    }

    /** Emits an event about a printer, a job or both, with their current state. */
    public void emit(Tx tx, EventName event, @Nullable String printerId, @Nullable String jobId) {
        emit(tx, event, printerId, jobId, Map.of());
    }

    /** Emits an event with further members of {@code data} beside printer and job. */
    public void emit(Tx tx, EventName event, @Nullable String printerId, @Nullable String jobId, Map<String, ?> more) {
        emitAll(tx, event, List.of(new Subject(printerId, jobId)), more);
    }

    /** Subject of an event: a printer, a job or both. */
    public record Subject(
            @Nullable String printerId, @Nullable String jobId) {}

    /** Emits the same event for many subjects. */
    public void emitAll(Tx tx, EventName event, List<Subject> subjects) {
        emitAll(tx, event, subjects, Map.of());
    }

    /** Emits the same event, with further members of {@code data}, for many subjects. */
    public void emitAll(Tx tx, EventName event, List<Subject> subjects, Map<String, ?> more) {
        if (subjects.isEmpty()) {
            return;
        }
        findSubscribers(tx, event).ifPresent(subscribers -> {
            Map<String, String> printersById =
                    texts(tx, printers, subjects.stream().map(Subject::printerId));
            Map<String, String> jobsById = texts(tx, jobs, subjects.stream().map(Subject::jobId));
            List<WebhookRows.NewDelivery> added = new ArrayList<>();
            for (Subject each : subjects) {
                String printer = printersById.getOrDefault(each.printerId(), "null");
                String job = jobsById.getOrDefault(each.jobId(), "null");
                added.add(new WebhookRows.NewDelivery(
                        each.jobId() == null ? each.printerId() : each.jobId(),
                        body(event.name(), printer, job, members(more))));
            }
            add(tx, subscribers, event, added);
        });
    }

    private static Map<String, String> texts(Tx tx, Table<?> table, Stream<@Nullable String> ids) {
        Map<String, String> texts = new HashMap<>();
        table.getAll(tx, ids.filter(Objects::nonNull).distinct().toList(), Secrets.Visibility.HIDDEN)
                .forEach((id, json) -> texts.put(id, json.text()));
        return texts;
    }

    private String members(Map<String, ?> more) {
        if (more.isEmpty()) {
            return "";
        }
        String json = reader.toText(more);
        return "," + json.substring(1, json.length() - 1);
    }

    /** Emits an event about a part, with further members of {@code data} beside it. */
    public void emitPart(Tx tx, EventName event, String partId, Map<String, ?> more) {
        emitParts(tx, event, List.of(partId), more);
    }

    /** Emits the same event for many parts. */
    public void emitParts(Tx tx, EventName event, List<String> partIds) {
        emitParts(tx, event, partIds, Map.of());
    }

    private void emitParts(Tx tx, EventName event, List<String> partIds, Map<String, ?> more) {
        if (partIds.isEmpty()) {
            return;
        }
        findSubscribers(tx, event).ifPresent(subscribers -> {
            Map<String, String> partsById = texts(tx, parts, partIds.stream());
            add(
                    tx,
                    subscribers,
                    event,
                    partIds.stream()
                            .map(id -> new WebhookRows.NewDelivery(
                                    id,
                                    body(
                                            event.name(),
                                            "null",
                                            "null",
                                            ",\"part\":" + partsById.getOrDefault(id, "null") + members(more))))
                            .toList());
        });
    }

    /** Emits an event about an order, with its items and its customer. */
    public void emitOrder(Tx tx, EventName event, String orderId) {
        emitOrders(tx, event, List.of(orderId));
    }

    /** Emits the same event for many orders. */
    public void emitOrders(Tx tx, EventName event, List<String> orderIds) {
        if (orderIds.isEmpty()) {
            return;
        }
        findSubscribers(tx, event).ifPresent(subscribers -> {
            ListQuery whole = ListQuery.ofOne(orders.columns(), Map.of("include", List.of("items,customer")));
            List<WebhookRows.NewDelivery> added = new ArrayList<>();
            orderIds.stream().gather(Gatherers.windowFixed(MAX_ORDERS)).forEach(some -> {
                Map<String, RawJson<Order>> found = orders.getAll(tx, some, whole, Secrets.Visibility.HIDDEN);
                for (String orderId : some) {
                    RawJson<Order> order = found.get(orderId);
                    String json = order == null ? "null" : order.text();
                    added.add(new WebhookRows.NewDelivery(
                            orderId, body(event.name(), "null", "null", ",\"order\":" + json)));
                }
            });
            add(tx, subscribers, event, added);
        });
    }

    /** Emits an event of the installation, with its reason, to each store; a failure for one store affects no other. */
    public void emitToAllStores(EventName event, String reason) {
        inAllStores(event, tx -> emit(tx, event, null, null, Map.of("reason", reason)));
    }

    /** Updates the messages of notification channels about faults of these printers, jobs, parts, orders, spools or agents, which ended. */
    public void resolve(Tx tx, EventName fault, Collection<String> subjects) {
        channels.resolve(tx, fault, subjects);
    }

    /** Updates the messages of notification channels about a fault of the store, which ended. */
    public void resolve(Tx tx, EventName fault) {
        resolve(tx, fault, List.of(EventMessages.STORE));
    }

    /** Updates the messages of notification channels about too little filament on these spools, which were refilled or replaced. */
    public void resolveLackOfFilament(Tx tx, Collection<String> spools) {
        resolve(tx, EventName.onFilamentLow, spools);
        resolve(tx, EventName.onFilamentRunOut, spools);
    }

    /** Updates the messages about a fault of the installation, which ended. */
    public void resolveInAllStores(EventName fault) {
        inAllStores(fault, tx -> resolve(tx, fault));
    }

    private void inAllStores(EventName event, Consumer<Tx> work) {
        for (StoreId store : database.findStores("all_stores")) {
            try {
                database.in(store, tx -> {
                    work.accept(tx);
                    return tx;
                });
            } catch (RuntimeException e) {
                LOG.error("the store {} does not get the event {} or its end", store, event, e);
            }
        }
    }

    /** Returns the body of a test event. */
    String testBody() {
        return body("test", "null", "null", "");
    }

    /** Returns the store's webhook, if it has one. */
    Optional<NotificationSetting> findWebhook(Tx tx) {
        return settings.find(tx, ListQuery.all(settings.columns())).stream().findFirst();
    }

    /** Locks and returns the store's webhook. To avoid deadlocks, call it before locking deliveries. */
    Optional<NotificationSetting> lockWebhook(Tx tx) {
        return findWebhook(tx).flatMap(found -> settings.lock(tx, found.id()));
    }

    /** The webhook, if it is subscribed to an event, and the subscribed notification channels. */
    private record Subscribers(Optional<NotificationSetting> webhook, List<NotificationChannel> channels) {}

    /** Returns the subscribers of an event; empty if there are none. */
    private Optional<Subscribers> findSubscribers(Tx tx, EventName event) {
        Subscribers found = new Subscribers(
                findWebhook(tx).filter(webhook -> webhook.events().contains(event)),
                channels.findSubscribed(tx, event));
        return found.webhook().isEmpty() && found.channels().isEmpty() ? Optional.empty() : Optional.of(found);
    }

    private void add(Tx tx, Subscribers subscribers, EventName event, List<WebhookRows.NewDelivery> added) {
        subscribers.webhook().ifPresent(webhook -> add(tx, webhook, event, added));
        if (!subscribers.channels().isEmpty()) {
            channels.add(
                    tx,
                    event,
                    subscribers.channels(),
                    added.stream().map(WebhookRows.NewDelivery::body).toList());
        }
    }

    private void add(Tx tx, NotificationSetting webhook, EventName event, List<WebhookRows.NewDelivery> added) {
        Instant now = clock.instant();
        if (webhook.enabled()) {
            rows.add(tx, event.name(), added, WebhookDelivery.Status.pending, now);
            wakeAfterCommit(tx);
        } else {
            List<String> held = rows.add(tx, event.name(), added, WebhookDelivery.Status.held, now.plus(HELD));
            tx.onceBeforeCommit(held, () -> releaseIfEnabled(tx, held));
        }
    }

    /**
     * Releases held deliveries if the webhook was enabled since: that transaction did not see those that this one
     * holds, but later ones will.
     */
    private void releaseIfEnabled(Tx tx, List<String> held) {
        if (lockWebhook(tx).filter(NotificationSetting::enabled).isPresent()) {
            rows.release(tx, held, clock.instant());
            wakeAfterCommit(tx);
        }
    }

    private String body(String event, String printer, String job, String more) {
        return "{\"event\":\"" + event + "\",\"timestamp\":\""
                + reader.toTree(clock.instant()).getStringValue() + "\",\"data\":{\"printer\":" + printer
                + ",\"printJob\":" + job + more + "}}";
    }
}
