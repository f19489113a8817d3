package farm.gantry.api.notification;

import farm.gantry.notification.NotificationChannel.Settings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A receiver of the user, such as an automation service: gets each message as a JSON object. When a fault ends, it gets
 * the message again, with the same id and {@code resolved}.
 */
final class JsonWebhook implements ChannelService {
    @Override
    public ChannelRequest request(Settings settings, Message message, String id) {
        return post(settings, message, id, false);
    }

    @Override
    public Optional<String> reference(String id, String response, Optional<MessagePicture> picture) {
        return Optional.of(id);
    }

    @Override
    public ChannelRequest update(Settings settings, Message message, String reference) {
        return post(settings, message, reference, true);
    }

    private static ChannelRequest post(Settings settings, Message message, String id, boolean isResolved) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("id", id);
        body.put("title", message.title());
        body.put("text", message.text());
        body.put("severity", message.severity().name());
        body.put("count", message.occurrences());
        body.put("resolved", isResolved);
        if (message.link() != null) {
            body.put("link", message.link());
        }
        return ChannelRequest.Http.post(
                Objects.requireNonNull(settings.url()),
                settings.token() == null ? Map.of() : Map.of("Authorization", "Bearer " + settings.token()),
                body);
    }

    @Override
    public String credentials() {
        return "settings.url and settings.token";
    }
}
