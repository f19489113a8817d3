package farm.gantry.api.webhook;

import farm.gantry.Permission;
import farm.gantry.annotation.Example;
import farm.gantry.annotation.Format;
import farm.gantry.api.database.AdvisoryLock;
import farm.gantry.api.database.Change;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Faults;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.resource.JsonResponses;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.notification.EventName;
import farm.gantry.notification.NotificationSetting;
import farm.gantry.notification.WebhookDelivery;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Pattern;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The routes of a store's webhook: its receiver, subscriptions and state. */
@Controller("/v1/settings/notifications")
@Blocking
final class Notifications {
    private static final Map<String, EventName> EVENTS = Arrays.stream(EventName.values())
            .collect(Collectors.toMap(EventName::name, Function.identity(), (first, _) -> first, LinkedHashMap::new));
    /** Alternative event names that clients of similar services send. */
    private static final Map<String, EventName> ALIASES = Map.of("onJobCompleted", EventName.onJobSucceeded);

    private final Resources<NotificationSetting> settings;
    private final Database database;
    private final RecordReader reader;
    private final Webhooks webhooks;
    private final HeldDeliveries heldDeliveries;
    private final WebhookFailures failures;
    private final WebhookSender sender;
    private final Secrets secrets;

    Notifications(
            ResourceFactory factory,
            Database database,
            RecordReader reader,
            Webhooks webhooks,
            HeldDeliveries heldDeliveries,
            WebhookFailures failures,
            WebhookSender sender,
            Secrets secrets) {
        this.settings = factory.of(NotificationSetting.class, "notification setting");
        this.database = database;
        this.reader = reader;
        this.webhooks = webhooks;
        this.heldDeliveries = heldDeliveries;
        this.failures = failures;
        this.sender = sender;
        this.secrets = secrets;
    }

    /** A channel and its receiver. */
    @Serdeable
    @Example("""
            {
              "channel": "webhook",
              "data": {"webhookUrl": "https://shop.example.com/farm", "apiKey": "keep-this-secret-between-the-two-of-us"}
            }""")
    record Subscription(NotificationSetting.Channel channel, Destination data) {}

    /** {@code apiKey} is sent in a header with every delivery. */
    @Serdeable
    record Destination(
            @Format(Format.Kind.RECEIVER) String webhookUrl,

            @Pattern(regexp = "[\\x21-\\x7e]{32,512}", message = "must be 32 to 512 visible ASCII characters")
            String apiKey) {}

    /** Enables or disables the channel; {@code held} says what to do with held deliveries on enabling. */
    @Serdeable
    record StateChange(boolean enabled, @Nullable HeldAction held) {}

    /** Treatment of held deliveries; {@code keep} leaves them to be replayed or discarded later. */
    @Serdeable
    enum HeldAction {
        deliver,
        keep,
        discard
    }

    /** Returns the notification channels of the store with their subscriptions. */
    @Get
    @RequiresPermission(Permission.SETTINGS_VIEW)
    HttpResponse<List<NotificationSetting>> list(Caller caller) {
        return JsonResponses.ok(database.in(caller, tx -> {
            Optional<NotificationSetting> webhook = webhooks.lockWebhook(tx);
            webhook.ifPresent(found -> failures.recount(tx, found));
            return RawJson.array(
                    webhook.map(found -> readWebhook(tx, found.id())).stream().toList());
        }));
    }

    /**
     * Configures the webhook of the store. An existing one keeps its signing secret, and its held deliveries are
     * delivered.
     */
    @Post
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.SETTINGS_EDIT)
    HttpResponse<NotificationSetting> create(Caller caller, @Body @BodyType(Subscription.class) JsonNode body) {
        Destination to = reader.read(Subscription.class, body).data();
        return database.in(caller, tx -> {
            tx.lockExclusive(AdvisoryLock.WEBHOOK);
            return webhooks.lockWebhook(tx)
                    .map(stored -> changeWebhook(tx, stored, to))
                    .orElseGet(() -> insertWebhook(tx, caller, to));
        });
    }

    private HttpResponse<NotificationSetting> insertWebhook(Tx tx, Caller caller, Destination to) {
        String secret = WebhookSignature.newSecret();
        JsonNode body = reader.toTree(Map.of(
                "channel",
                NotificationSetting.Channel.webhook,
                "data",
                new NotificationSetting.Receiver(to.webhookUrl(), to.apiKey(), secret)));
        NotificationSetting setting = settings.parseNew(caller.store(), body, Map.of());
        RawJson<NotificationSetting> hidden = settings.table().insert(tx, setting, Secrets.Visibility.HIDDEN);
        return JsonResponses.created(withClearSecret(EventSubscriptionFlags.of(hidden), secret));
    }

    /** Returns the response with the signing secret in clear text, which cannot be read again. */
    private static RawJson<NotificationSetting> withClearSecret(RawJson<NotificationSetting> hidden, String secret) {
        String member = "\"signingSecret\":\"";
        return RawJson.of(hidden.text().replace(member + Secrets.HIDDEN, member + secret));
    }

    private HttpResponse<NotificationSetting> changeWebhook(Tx tx, NotificationSetting stored, Destination to) {
        NotificationSetting.Receiver data = new NotificationSetting.Receiver(
                to.webhookUrl(), secrets.encrypt(to.apiKey()), stored.data().signingSecret());
        resume(tx, HeldAction.deliver);
        return JsonResponses.created(changeWebhook(tx, stored, enableChange().set(NotificationSetting::data, data)));
    }

    private void resume(Tx tx, HeldAction held) {
        failures.reset(tx);
        switch (held) {
            case deliver -> heldDeliveries.replay(tx, true, Set.of(WebhookDelivery.Status.held), null, null);
            case keep -> {}
            case discard -> heldDeliveries.discard(tx, null, null);
        }
    }

    private static Change<NotificationSetting> enableChange() {
        return new Change<NotificationSetting>()
                .set(NotificationSetting::enabled, true)
                .set(NotificationSetting::pausedUntil, null)
                .set(NotificationSetting::warning, null)
                .set(NotificationSetting::disabledReason, null)
                .set(NotificationSetting::failureCount24h, 0);
    }

    private RawJson<NotificationSetting> changeWebhook(
            Tx tx, NotificationSetting setting, Change<NotificationSetting> change) {
        settings.table().change(tx, setting.id(), change);
        return readWebhook(tx, setting.id());
    }

    private RawJson<NotificationSetting> readWebhook(Tx tx, String id) {
        return EventSubscriptionFlags.of(
                settings.table().get(tx, id, Secrets.Visibility.HIDDEN).orElseThrow());
    }

    private NotificationSetting webhook(Tx tx) {
        return webhooks.lockWebhook(tx).orElseThrow(() -> ProblemException.notFound("notification setting"));
    }

    /**
     * Changes the subscriptions of the webhook. Events set to true are sent, events set to false are not. An unknown
     * event leaves all unchanged. {@code onJobCompleted} is an alias of {@code onJobSucceeded}.
     */
    @Patch("/webhook/events")
    @RequiresPermission(Permission.SETTINGS_EDIT)
    HttpResponse<NotificationSetting> patchEvents(Caller caller, @Body @BodyType(Object.class) JsonNode body) {
        Map<EventName, Boolean> requested = parseEvents(body);
        return JsonResponses.ok(database.in(caller, tx -> {
            NotificationSetting webhook = webhook(tx);
            List<EventName> events = EVENTS.values().stream()
                    .filter(event ->
                            requested.getOrDefault(event, webhook.events().contains(event)))
                    .toList();
            return changeWebhook(
                    tx, webhook, new Change<NotificationSetting>().set(NotificationSetting::events, events));
        }));
    }

    private static Map<EventName, Boolean> parseEvents(JsonNode body) {
        ProblemException.throwUnlessObject(body);
        Faults faults = new Faults();
        Map<EventName, Boolean> events = new EnumMap<>(EventName.class);
        body.entries().forEach(entry -> {
            String name = entry.getKey();
            EventName event = ALIASES.getOrDefault(name, EVENTS.get(name));
            if (event == null) {
                faults.add(
                        name,
                        "unknown",
                        name + " is not an event; the events are " + String.join(", ", EVENTS.keySet()));
            } else if (!entry.getValue().isBoolean()) {
                faults.add(name, "type", name + " must be true or false");
            } else if (!name.equals(event.name()) && body.get(event.name()) != null) {
                faults.add(name, "invalid", name + " is an alias of " + event + ": send only one of the two");
            } else {
                events.put(event, entry.getValue().getBooleanValue());
            }
        });
        if (body.size() == 0) {
            faults.add("", "required", "name at least one event");
        }
        faults.check();
        return events;
    }

    /**
     * Enables or disables the webhook. While disabled, it holds events for three days. Enabling it resets its failures
     * and delivers held events, unless {@code held} says otherwise.
     */
    @Patch("/webhook")
    @RequiresPermission(Permission.SETTINGS_EDIT)
    HttpResponse<NotificationSetting> patch(Caller caller, @Body @BodyType(StateChange.class) JsonNode body) {
        StateChange wanted = reader.read(StateChange.class, body);
        return JsonResponses.ok(database.in(caller, tx -> {
            NotificationSetting webhook = webhook(tx);
            if (wanted.enabled()) {
                resume(tx, wanted.held() == null ? HeldAction.deliver : wanted.held());
                return changeWebhook(tx, webhook, enableChange());
            }
            heldDeliveries.holdPending(tx);
            return changeWebhook(
                    tx, webhook, new Change<NotificationSetting>().set(NotificationSetting::enabled, false));
        }));
    }

    /**
     * Replaces the signing secret of the webhook. Returns the webhook with the new secret, which cannot be read again.
     * Every later attempt is signed with it; deliveries that the receiver rejects until it knows the secret are retried.
     */
    @Post("/webhook/signing-secret")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.SETTINGS_EDIT)
    HttpResponse<NotificationSetting> replaceSigningSecret(Caller caller) {
        String secret = WebhookSignature.newSecret();
        return database.in(caller, tx -> {
            NotificationSetting webhook = webhook(tx);
            NotificationSetting.Receiver data = new NotificationSetting.Receiver(
                    webhook.data().webhookUrl(), webhook.data().apiKey(), secrets.encrypt(secret));
            RawJson<NotificationSetting> hidden =
                    changeWebhook(tx, webhook, new Change<NotificationSetting>().set(NotificationSetting::data, data));
            return JsonResponses.created(withClearSecret(hidden, secret));
        });
    }

    /**
     * Sends a test event to the webhook. The event {@code test} is sent immediately, even if the channel is disabled.
     * Returns the result.
     */
    @Post("/webhook/test")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.SETTINGS_EDIT)
    WebhookDelivery.Attempt test(Caller caller) {
        return sender.sendTest(database.in(caller, this::webhook));
    }
}
