package farm.gantry.api.notification;

import farm.gantry.notification.NotificationChannel.Settings;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** An application of Pushover, as documented at <a href="https://pushover.net/api">pushover.net</a>. */
final class Pushover implements ChannelService {
    private static final String SERVER = "https://api.pushover.net";

    @Override
    public ChannelRequest request(Settings settings, Message message, String id) {
        return post(settings, body(settings, message));
    }

    @Override
    public ChannelRequest request(Settings settings, Message message, String id, MessagePicture picture) {
        Map<String, Object> body = body(settings, message);
        body.put("attachment_base64", Base64.getEncoder().encodeToString(picture.bytes()));
        body.put("attachment_type", picture.mediaType());
        return post(settings, body);
    }

    private static Map<String, Object> body(Settings settings, Message message) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("token", Objects.requireNonNull(settings.token()));
        body.put("user", Objects.requireNonNull(settings.userKey()));
        body.put("title", message.title());
        body.put("message", message.text());
        body.put("priority", priority(message.severity()));
        if (message.link() != null) {
            body.put("url", message.link());
            body.put("url_title", "Open in Gantry");
        }
        return body;
    }

    private static ChannelRequest post(Settings settings, Map<String, Object> body) {
        String server = ChannelRequest.base(Objects.requireNonNullElse(settings.url(), SERVER));
        return ChannelRequest.Http.post(server + "/1/messages.json", Map.of(), body);
    }

    /** Returns a priority of -2 to 2: -1 makes no sound, and 1 ignores the recipient's quiet hours. */
    private static int priority(Message.Severity severity) {
        return switch (severity) {
            case info -> -1;
            case warning -> 0;
            case error -> 1;
        };
    }

    @Override
    public String credentials() {
        return "settings.token and settings.userKey";
    }
}
