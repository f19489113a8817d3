package farm.gantry.api.notification;

import farm.gantry.notification.NotificationChannel.Settings;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * ntfy, as documented at <a href="https://docs.ntfy.sh/publish/">docs.ntfy.sh</a>. Uses the JSON form, because headers cannot contain
 * titles with other than ASCII characters.
 */
final class Ntfy implements ChannelService {
    private static final String SERVER = "https://ntfy.sh";

    @Override
    public ChannelRequest request(Settings settings, Message message) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("topic", Objects.requireNonNull(settings.topic()));
        body.put("title", message.title());
        body.put("message", message.text());
        body.put("priority", priority(message.severity()));
        body.put("tags", List.of(tag(message.severity())));
        if (message.link() != null) {
            body.put("click", message.link());
        }
        String server = ChannelRequest.base(Objects.requireNonNullElse(settings.url(), SERVER));
        Map<String, String> headers =
                settings.token() == null ? Map.of() : Map.of("Authorization", "Bearer " + settings.token());
        return ChannelRequest.Post.of(server, headers, body);
    }

    @Override
    public Optional<String> addressFault(URI address) {
        return Objects.requireNonNullElse(address.getRawPath(), "").matches("/*")
                ? Optional.empty()
                : Optional.of("must be the address of the server; put the topic into settings.topic");
    }

    /** Returns a priority of 1 to 5; 3 is the default. */
    private static int priority(Message.Severity severity) {
        return switch (severity) {
            case info -> 3;
            case warning -> 4;
            case error -> 5;
        };
    }

    /** Returns a tag that ntfy shows as an emoji. */
    private static String tag(Message.Severity severity) {
        return switch (severity) {
            case info -> "information_source";
            case warning -> "warning";
            case error -> "rotating_light";
        };
    }
}
