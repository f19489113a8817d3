package farm.gantry.api.webhook;

import farm.gantry.Id;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.api.notification.ChannelRequest;
import farm.gantry.api.notification.ChannelService;
import farm.gantry.api.notification.EventMessages;
import farm.gantry.api.notification.Message;
import farm.gantry.notification.NotificationChannel;
import farm.gantry.notification.NotificationChannel.Settings;
import farm.gantry.notification.WebhookDelivery.Attempt;
import io.micronaut.core.type.Argument;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Sends messages to the services of notification channels. */
@Singleton
final class ChannelSender {
    private static final int TOO_MANY_REQUESTS = 429;
    /** Length from which a piece of an address or a token is secret; shorter ones are words such as {@code webhooks}. */
    private static final int MIN_PIECE_LENGTH = 10;

    /** Telegram and Discord state the delay in the body. */
    private static final Pattern RETRY_AFTER = Pattern.compile("\"retry_after\"\\s*:\\s*([0-9]{1,6})");

    private final Secrets secrets;
    private final DeliveryClient client;
    private final EventMessages messages;
    private final JsonCodec json;

    ChannelSender(Secrets secrets, DeliveryClient client, EventMessages messages, JsonCodec json) {
        this.secrets = secrets;
        this.client = client;
        this.messages = messages;
        this.json = json;
    }

    /** Sends a test message. */
    Attempt sendTest(NotificationChannel channel) {
        return send(channel, Id.next(), () -> messages.test(channel.name())).attempt();
    }

    /** Sends a stored message; failures are part of the result. */
    DeliveryClient.SendResult send(NotificationChannel channel, String id, String message) {
        return send(channel, id, () -> json.read(message, Argument.of(Message.class)));
    }

    private DeliveryClient.SendResult send(NotificationChannel channel, String id, Supplier<Message> message) {
        List<String> used = new ArrayList<>();
        DeliveryClient.SendResult sent = client.post(id, _ -> {
            Settings settings = decrypt(channel.settings());
            used.addAll(secretsOf(settings));
            ChannelRequest request = ChannelService.of(channel.kind()).request(settings, message.get());
            return new DeliveryClient.PostRequest(request.url(), request.headers(), request.body());
        });
        return new DeliveryClient.SendResult(withoutSecrets(sent.attempt(), used), retryAfter(sent));
    }

    /** Returns the settings in clear text. */
    Settings decrypt(Settings stored) {
        return new Settings(
                decrypt(stored.url()), stored.topic(), decrypt(stored.token()), stored.chatId(), stored.userKey());
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
