package farm.gantry.api.webhook;

import farm.gantry.Id;
import farm.gantry.RecordBuilder;
import farm.gantry.StoreId;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.api.notification.ChannelRequest;
import farm.gantry.api.notification.ChannelService;
import farm.gantry.api.notification.EventMessages;
import farm.gantry.api.notification.Message;
import farm.gantry.api.notification.MessagePicture;
import farm.gantry.notification.NotificationChannel;
import farm.gantry.notification.NotificationChannel.Settings;
import farm.gantry.notification.WebhookDelivery.Attempt;
import io.micronaut.core.type.Argument;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends messages to the services of notification channels. */
@Singleton
final class ChannelSender {
    private static final Logger LOG = LoggerFactory.getLogger(ChannelSender.class);
    private static final int TOO_MANY_REQUESTS = 429;
    /** Length from which a piece of an address or a token is secret; shorter ones are words such as {@code webhooks}. */
    private static final int MIN_PIECE_LENGTH = 10;

    /** Maximum number of bytes of a response that are read, because some contain the whole message. */
    private static final int MAX_REPLY = 16_384;

    private static final String NO_MAIL = "this installation cannot send e-mail";

    /** Telegram and Discord state the delay in the body. */
    private static final Pattern RETRY_AFTER = Pattern.compile("\"retry_after\"\\s*:\\s*([0-9]{1,6})");

    private final Secrets secrets;
    private final DeliveryClient client;
    private final Optional<MailClient> mailClient;
    private final EventMessages messages;
    private final MessagePictures pictures;
    private final JsonCodec json;

    ChannelSender(
            Secrets secrets,
            DeliveryClient client,
            Optional<MailClient> mailClient,
            EventMessages messages,
            MessagePictures pictures,
            JsonCodec json) {
        this.secrets = secrets;
        this.client = client;
        this.mailClient = mailClient;
        this.messages = messages;
        this.pictures = pictures;
        this.json = json;
    }

    /** A finished attempt, and the reference to the message if it was sent and can be updated. */
    record Sent(DeliveryClient.SendResult result, @Nullable String reference) {}

    /** Sends the request of a service within an attempt that began at the time. */
    @FunctionalInterface
    private interface Transmission {
        DeliveryClient.Reply send(ChannelService service, Settings settings, Instant at) throws IOException;
    }

    /** Sends a test message. */
    Attempt sendTest(NotificationChannel channel) {
        String id = Id.next();
        return attempt(
                        channel,
                        id,
                        (service, settings, at) ->
                                transmit(service.request(settings, messages.test(channel.name()), id), id, at))
                .attempt();
    }

    /**
     * Sends stored messages as one; failures are part of the result. Its id is that of the last one, because a digest that is
     * repeated with further messages is another one. Only the first attempt contains the picture.
     */
    Sent send(StoreId store, NotificationChannel channel, List<ChannelRows.ClaimedMessage> claimed) {
        WebhookRows.ClaimedDelivery last = claimed.getLast().delivery();
        AtomicReference<@Nullable String> reference = new AtomicReference<>();
        DeliveryClient.SendResult result = attempt(channel, last.id(), (service, settings, at) -> {
            List<Message> stored = claimed.stream().map(this::compose).toList();
            boolean isDigest = stored.size() > 1;
            Message message = isDigest ? messages.digest(stored) : messages.counted(stored.getFirst());
            Optional<MessagePicture> picture = Optional.ofNullable(message.picture())
                    .filter(_ -> last.attempts() == 0)
                    .flatMap(source -> pictures.find(store, source));
            Optional<DeliveryClient.Reply> pictured = picture.isEmpty()
                    ? Optional.empty()
                    : transmitPicture(
                            service, service.request(settings, message, last.id(), picture.get()), last.id(), at);
            DeliveryClient.Reply reply = pictured.isPresent()
                    ? pictured.get()
                    : transmit(service.request(settings, message, last.id()), last.id(), at);
            if (!isDigest && reply.isAccepted()) {
                reference.set(findReference(service, last.id(), reply.text(), pictured.flatMap(_ -> picture)));
            }
            return reply;
        });
        return new Sent(result, reference.get());
    }

    /** Replaces a sent message by one that says that the fault ended. */
    Sent sendUpdate(NotificationChannel channel, ChannelRows.ClaimedMessage claimed) {
        String id = claimed.delivery().id();
        String reference = Objects.requireNonNull(claimed.reference());
        return new Sent(
                attempt(
                        channel,
                        id,
                        (service, settings, at) ->
                                transmit(service.update(settings, compose(claimed), reference), id, at)),
                null);
    }

    private Message compose(ChannelRows.ClaimedMessage claimed) {
        Message stored = json.read(claimed.delivery().body(), Argument.of(Message.class));
        return claimed.resolvedAfter() == null
                ? stored
                : messages.resolved(messages.counted(stored), claimed.resolvedAfter());
    }

    private DeliveryClient.SendResult attempt(NotificationChannel channel, String id, Transmission transmission) {
        List<String> used = new ArrayList<>();
        DeliveryClient.SendResult sent = client.attempt(id, at -> {
            Settings settings = decrypt(channel.settings());
            used.addAll(secretsOf(settings));
            return transmission.send(ChannelService.of(channel.kind()), settings, at);
        });
        return new DeliveryClient.SendResult(withoutSecrets(sent.attempt(), used), retryAfter(sent));
    }

    /** Sends a message with its picture; empty if the service may accept the message without it. */
    private Optional<DeliveryClient.Reply> transmitPicture(
            ChannelService service, ChannelRequest request, String id, Instant at) throws IOException {
        try {
            DeliveryClient.Reply reply = transmit(request, id, at);
            return service.refusesPicture(reply.status()) ? Optional.empty() : Optional.of(reply);
        } catch (IOException e) {
            if (request instanceof ChannelRequest.Mail) {
                throw e;
            }
            LOG.debug("a message is sent again without its picture: {}", e.toString()); // some close while they refuse
            return Optional.empty();
        }
    }

    private DeliveryClient.Reply transmit(ChannelRequest request, String id, Instant at) throws IOException {
        return switch (request) {
            case ChannelRequest.Http http ->
                client.transmit(http.method(), http.url(), http.headers(), http.body(), MAX_REPLY, at);
            case ChannelRequest.Mail mail ->
                mailClient.orElseThrow(() -> new IOException(NO_MAIL)).send(mail, id, at);
        };
    }

    /** Returns the reference to a sent message; null if there is none in the response, because the message was sent nevertheless. */
    private static @Nullable String findReference(
            ChannelService service, String id, String response, Optional<MessagePicture> picture) {
        try {
            return service.reference(id, response, picture).orElse(null);
        } catch (RuntimeException e) {
            LOG.debug("a message cannot be updated later, because the response does not identify it", e);
            return null;
        }
    }

    /** Returns whether this installation can send e-mail; functions on AWS cannot. */
    boolean sendsMail() {
        return mailClient.isPresent();
    }

    /** Returns the settings in clear text. */
    Settings decrypt(Settings stored) {
        return RecordBuilder.copyOf(stored)
                .with(Settings::url, decrypt(stored.url()))
                .with(Settings::token, decrypt(stored.token()))
                .with(Settings::password, decrypt(stored.password()))
                .with(Settings::vapidKey, decrypt(stored.vapidKey()))
                .build();
    }

    private @Nullable String decrypt(@Nullable String stored) {
        return stored == null ? null : secrets.decrypt(stored);
    }

    /** Returns the secrets in the settings, and the pieces of an address or a token that are secret on their own. */
    private static List<String> secretsOf(Settings settings) {
        List<String> secrets = new ArrayList<>();
        String pieces = "";
        if (settings.url() != null) {
            secrets.add(settings.url());
            pieces += URI.create(settings.url()).getRawPath();
        }
        if (settings.token() != null) {
            secrets.add(settings.token());
            pieces += "/" + settings.token();
        }
        if (settings.userKey() != null) {
            secrets.add(settings.userKey());
        }
        if (settings.password() != null) {
            secrets.add(settings.password());
        }
        if (settings.vapidKey() != null) {
            secrets.add(settings.vapidKey());
        }
        Stream.of(pieces.split("[/:]"))
                .filter(piece -> piece.length() >= MIN_PIECE_LENGTH)
                .forEach(secrets::add);
        return secrets;
    }

    /** Returns the attempt without the secrets that a service or an exception repeats. */
    private static Attempt withoutSecrets(Attempt attempt, List<String> secrets) {
        return new Attempt(
                attempt.at(),
                attempt.statusCode(),
                attempt.errorClass(),
                mask(attempt.error(), secrets),
                mask(attempt.responseBody(), secrets),
                attempt.durationMs());
    }

    private static @Nullable String mask(@Nullable String text, List<String> secrets) {
        String masked = text;
        for (String secret : secrets) {
            masked = masked == null ? null : masked.replace(secret, Secrets.HIDDEN);
        }
        return masked;
    }

    private static Duration retryAfter(DeliveryClient.SendResult sent) {
        String body = sent.attempt().responseBody();
        if (!sent.retryAfter().isZero()
                || body == null
                || !Objects.equals(sent.attempt().statusCode(), TOO_MANY_REQUESTS)) {
            return sent.retryAfter();
        }
        Matcher stated = RETRY_AFTER.matcher(body);
        return stated.find() ? Duration.ofSeconds(Long.parseLong(stated.group(1)) + 1) : Duration.ZERO;
    }
}
