package farm.gantry.api.notification;

import farm.gantry.notification.NotificationChannel.Settings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** An application of a Gotify server, as documented at <a href="https://gotify.net/docs/pushmsg">gotify.net</a>. */
final class Gotify implements ChannelService {
    @Override
    public ChannelRequest request(Settings settings, Message message, String id) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("title", message.title());
        body.put("message", message.text());
        body.put("priority", priority(message.severity()));
        if (message.link() != null) {
            body.put("extras", Map.of("client::notification", Map.of("click", Map.of("url", message.link()))));
        }
        return ChannelRequest.Http.post(
                ChannelRequest.base(Objects.requireNonNull(settings.url())) + "/message",
                Map.of("X-Gotify-Key", Objects.requireNonNull(settings.token())),
                body);
    }

    /** Returns a priority of 0 to 10. The app is silent below 4, and loud from 8 on. */
    private static int priority(Message.Severity severity) {
        return switch (severity) {
            case info -> 4;
            case warning -> 6;
            case error -> 8;
        };
    }
}
