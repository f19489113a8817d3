package farm.gantry.api.notification;

import farm.gantry.notification.NotificationChannel;
import farm.gantry.notification.NotificationChannel.Settings;
import java.net.URI;
import java.util.Optional;

/** A service that sends messages. */
public interface ChannelService {
    /**
     * Returns the request that sends the message. The settings are in clear text and were checked. A message that is sent again has the
     * same {@code id}.
     */
    ChannelRequest request(Settings settings, Message message, String id);

    /** Returns the request that sends the message with a picture, or without one if the service accepts none or not with this message. */
    default ChannelRequest request(Settings settings, Message message, String id, MessagePicture picture) {
        return request(settings, message, id);
    }

    /**
     * Returns what {@link #update} needs to find a message that the service accepted with this response; empty if the service does not
     * update messages.
     *
     * @throws RuntimeException if the response is not as documented
     */
    default Optional<String> reference(String id, String response, Optional<MessagePicture> picture) {
        return Optional.empty();
    }

    /** Returns the request that replaces the text of a sent message. */
    default ChannelRequest update(Settings settings, Message message, String reference) {
        throw new IllegalStateException("the service does not update messages");
    }

    /** Returns the fault of a token; empty if the service can have issued it. */
    default Optional<String> tokenFault(String token) {
        return token.matches("[\\x21-\\x7e]+")
                ? Optional.empty()
                : Optional.of("must consist of visible ASCII characters; copy it again from the service");
    }

    /** Returns the fault of an address; empty if it can be one of the service. */
    default Optional<String> addressFault(URI address) {
        return Optional.empty();
    }

    /** Returns whether the service answers with this status to wrong credentials. */
    default boolean refusesCredentials(int status) {
        return status == 401 || status == 403 || status == 404;
    }

    /** Returns whether the service may accept the message without its picture after it answered with this status. */
    default boolean refusesPicture(int status) {
        return status == 400 || status == 413 || status == 415 || status == 422;
    }

    /** Returns the setting to check when the service does not accept the credentials. */
    default String credentials() {
        return "settings.token";
    }

    /** Returns the service of a kind of channel. */
    static ChannelService of(NotificationChannel.Kind kind) {
        return switch (kind) {
            case ntfy -> new Ntfy();
            case discord -> new Discord();
            case slack -> new Slack();
            case telegram -> new Telegram();
            case gotify -> new Gotify();
            case pushover -> new Pushover();
            case email -> new Email();
            case webpush -> new WebPush();
            case webhook -> new JsonWebhook();
        };
    }
}
