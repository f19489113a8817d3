package farm.gantry.api.webhook;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.Permission;
import farm.gantry.RecordBuilder;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.Example;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Faults;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.notification.ChannelService;
import farm.gantry.api.notification.Email;
import farm.gantry.api.notification.EventMessages;
import farm.gantry.api.notification.Message;
import farm.gantry.api.notification.WebPush;
import farm.gantry.api.query.Condition;
import farm.gantry.api.query.Operator;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.notification.EventName;
import farm.gantry.notification.MessageTemplate;
import farm.gantry.notification.NotificationChannel;
import farm.gantry.notification.NotificationChannel.Security;
import farm.gantry.notification.NotificationChannel.Settings;
import farm.gantry.notification.WebhookDelivery;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The routes of notification channels. */
@Controller("/v1/notification-channels")
final class NotificationChannels extends ResourceRoutes<NotificationChannel> {
    private final Resources<WebhookDelivery> deliveries;
    private final ChannelSender sender;
    private final EventMessages messages;
    private final RecordReader reader;

    NotificationChannels(
            ResourceFactory factory,
            ChannelRows rows,
            ChannelOutbox outbox,
            ChannelSender sender,
            ReceiverPolicy receivers,
            EventMessages messages,
            RecordReader reader) {
        super(factory.of(NotificationChannel.class, "notification channel")
                .checkedBy((_, channel) -> checkSettings(channel, sender, receivers))
                .followedBy((tx, before, after) -> {
                    removeMessages(tx, rows, before, after);
                    rescheduleMessages(tx, outbox, before, after);
                    forgetReferences(tx, rows, before, after);
                }));
        this.deliveries = factory.of(WebhookDelivery.class, "delivery");
        this.sender = sender;
        this.messages = messages;
        this.reader = reader;
    }

    /** The events and the template of a channel that need not exist yet. */
    @Serdeable
    @Example("""
            {"events": ["onJobFailed"], "template": {"title": "{printer}", "text": "Druck von {part} fehlgeschlagen: {reason}"}}""")
    record PreviewRequest(
            @Default("[]") List<EventName> events,
            @Valid @Nullable MessageTemplate template) {}

    /** The message about an event of made-up names. */
    @Serdeable
    record MessagePreview(EventName event, String title, String text) {}

    /**
     * The result of a test message. {@code message} says what failed and which setting to check; null if the service accepted
     * the test message.
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record TestResult(
            Instant at,
            @Nullable Integer statusCode,
            WebhookDelivery.@Nullable ErrorClass errorClass,
            @Nullable String error,
            @Nullable String responseBody,
            long durationMs,
            @Nullable String message) {
        static TestResult of(NotificationChannel.Kind kind, WebhookDelivery.Attempt attempt) {
            return new TestResult(
                    attempt.at(),
                    attempt.statusCode(),
                    attempt.errorClass(),
                    attempt.error(),
                    attempt.responseBody(),
                    attempt.durationMs(),
                    attempt.succeeded() ? null : ChannelStatus.describe(kind, attempt));
        }
    }

    /** Checks the address and the token, which are encrypted in the record. */
    private static NotificationChannel checkSettings(
            NotificationChannel channel, ChannelSender sender, ReceiverPolicy receivers) {
        Settings settings = sender.decrypt(channel.settings());
        ChannelService service = ChannelService.of(channel.kind());
        Faults faults = new Faults();
        if (settings.url() != null) {
            Optional<String> fault = receivers.fault(settings.url());
            (fault.isPresent() ? fault : service.addressFault(URI.create(settings.url())))
                    .ifPresent(each -> faults.add("settings.url", "invalid", "settings.url " + each));
        }
        addFault(faults, "settings.token", settings.token(), service::tokenFault);
        addFault(faults, "settings.publicKey", settings.publicKey(), WebPush::publicKeyFault);
        addFault(faults, "settings.vapidPublicKey", settings.vapidPublicKey(), WebPush::publicKeyFault);
        addFault(faults, "settings.vapidKey", settings.vapidKey(), WebPush::privateKeyFault);
        if (settings.host() != null) {
            mailFault(settings, sender, receivers)
                    .ifPresent(fault -> faults.add("settings.host", "invalid", "settings.host " + fault));
        }
        faults.check();
        return channel;
    }

    private static void addFault(
            Faults faults, String path, @Nullable String value, Function<String, Optional<String>> check) {
        Optional.ofNullable(value).flatMap(check).ifPresent(fault -> faults.add(path, "invalid", path + " " + fault));
    }

    private static Optional<String> mailFault(Settings settings, ChannelSender sender, ReceiverPolicy receivers) {
        if (!sender.sendsMail()) {
            return Optional.of("cannot be used: the functions on AWS send no e-mail; choose another kind of channel");
        }
        try {
            return receivers.mailServerFault(Email.server(settings), Email.security(settings) != Security.none);
        } catch (IllegalArgumentException e) {
            return Optional.of("must be a host name or an IP address");
        }
    }

    /** Deletes the messages of deleted channels, discards those of disabled ones and forgets failures of enabled ones. */
    private static void removeMessages(
            Tx tx, ChannelRows rows, List<NotificationChannel> before, List<NotificationChannel> after) {
        Set<String> present = ids(after);
        List<String> deleted =
                ids(before).stream().filter(id -> !present.contains(id)).toList();
        if (!deleted.isEmpty()) {
            rows.deleteOf(tx, deleted);
        }
        List<String> disabled = after.stream()
                .filter(channel -> !channel.enabled())
                .map(NotificationChannel::id)
                .toList();
        if (!disabled.isEmpty()) {
            rows.discard(tx, disabled);
        }
        List<String> restarted = after.stream()
                .filter(channel -> channel.failureCount() == 0)
                .map(NotificationChannel::id)
                .toList();
        if (!restarted.isEmpty()) {
            rows.deleteFailures(tx, restarted);
        }
    }

    /** Reschedules the collected messages of channels whose quiet hours changed. */
    private static void rescheduleMessages(
            Tx tx, ChannelOutbox outbox, List<NotificationChannel> before, List<NotificationChannel> after) {
        findChanged(before, after, NotificationChannel::quietHours).forEach(channel -> outbox.reschedule(tx, channel));
    }

    /** Forgets the references to sent messages of channels whose settings changed: there may be others of the same number elsewhere. */
    private static void forgetReferences(
            Tx tx, ChannelRows rows, List<NotificationChannel> before, List<NotificationChannel> after) {
        List<String> changed = findChanged(before, after, NotificationChannel::settings)
                .map(NotificationChannel::id)
                .toList();
        if (!changed.isEmpty()) {
            rows.forgetReferences(tx, changed);
        }
    }

    private static Stream<NotificationChannel> findChanged(
            List<NotificationChannel> before,
            List<NotificationChannel> after,
            Function<NotificationChannel, @Nullable Object> value) {
        Map<String, NotificationChannel> byId =
                before.stream().collect(Collectors.toMap(NotificationChannel::id, Function.identity()));
        return after.stream().filter(channel -> {
            NotificationChannel old = byId.get(channel.id());
            return old != null && !Objects.equals(value.apply(old), value.apply(channel));
        });
    }

    private static Set<String> ids(List<NotificationChannel> channels) {
        return channels.stream().map(NotificationChannel::id).collect(Collectors.toSet());
    }

    /** Resets failures when the channel is enabled or gets other settings. */
    @Override
    protected Resources.ChangeRule<NotificationChannel> rule(Caller caller, @Nullable JsonNode update) {
        return (_, stored, changed) ->
                (changed.enabled() && !stored.enabled()) || !changed.settings().equals(stored.settings())
                        ? RecordBuilder.copyOf(changed)
                                .with(NotificationChannel::lastError, null)
                                .with(NotificationChannel::failureCount, 0)
                                .with(NotificationChannel::pausedUntil, null)
                                .build()
                        : changed;
    }

    /**
     * Sends a test message to the channel. It is sent immediately, even if the channel is disabled. Returns the result, and what to check if it failed.
     */
    @Post("/{id}/test")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.SETTINGS_EDIT)
    TestResult test(Caller caller, String id) {
        NotificationChannel channel = resources.find(caller, id);
        return TestResult.of(channel.kind(), sender.sendTest(channel));
    }

    /** Previews the messages about these events by a template, with names made up as examples. Nothing is sent. */
    @Post("/preview")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.SETTINGS_VIEW)
    List<MessagePreview> preview(Caller caller, @Body @BodyType(PreviewRequest.class) JsonNode body) {
        PreviewRequest request = reader.read(PreviewRequest.class, body);
        return request.events().stream()
                .map(event -> {
                    Message message = messages.example(event, request.template());
                    return new MessagePreview(event, message.title(), message.text());
                })
                .toList();
    }

    /** Returns the messages to the channel with their attempts. Filter, sort and page with the query parameters. */
    @Get("/{id}/deliveries")
    @RequiresPermission(Permission.SETTINGS_VIEW)
    HttpResponse<List<WebhookDelivery>> listDeliveries(Caller caller, String id, HttpRequest<?> request) {
        resources.find(caller, id);
        return deliveries.list(
                caller,
                request,
                deliveries
                        .query(request)
                        .where(Condition.Filter.of(
                                deliveries.table().columns().get(WebhookDelivery::channelId), Operator.eq, id)));
    }
}
