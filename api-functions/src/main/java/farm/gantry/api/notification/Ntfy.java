package farm.gantry.api.notification;

import farm.gantry.notification.NotificationChannel.Settings;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
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
    /** Maximum length of a query, so that proxies before the server accept it. */
    private static final int MAX_QUERY = 4000;
    /** Priority of a message that makes no sound. */
    private static final int SILENT = 2;

    @Override
    public ChannelRequest request(Settings settings, Message message, String id) {
        return post(settings, message, id, priority(message.severity()), tag(message.severity()));
    }

    private static ChannelRequest post(Settings settings, Message message, String id, int priority, String tag) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("topic", Objects.requireNonNull(settings.topic()));
        body.put("sequence_id", id);
        body.put("title", message.title());
        body.put("message", message.text());
        body.put("priority", priority);
        body.put("tags", List.of(tag));
        if (message.link() != null) {
            body.put("click", message.link());
        }
        return ChannelRequest.Http.post(server(settings), headers(settings), body);
    }

    /** Puts the text into the query, because the body is the picture. */
    @Override
    public ChannelRequest request(Settings settings, Message message, String id, MessagePicture picture) {
        String query = parameter("title", message.title())
                + parameter("message", message.text())
                + parameter("priority", String.valueOf(priority(message.severity())))
                + parameter("tags", tag(message.severity()))
                + (message.link() == null ? "" : parameter("click", message.link()))
                + "filename=" + picture.fileName();
        if (query.length() > MAX_QUERY) {
            return request(settings, message, id);
        }
        Map<String, String> headers = new LinkedHashMap<>(headers(settings));
        headers.put("Content-Type", picture.mediaType());
        headers.put("X-Sequence-ID", id);
        return ChannelRequest.Http.post(
                server(settings) + "/" + settings.topic() + "?" + query, headers, picture.bytes());
    }

    /** A message replaces an earlier one of its topic that has the same sequence id. */
    @Override
    public Optional<String> reference(String id, String response, Optional<MessagePicture> picture) {
        return Optional.of(id);
    }

    @Override
    public ChannelRequest update(Settings settings, Message message, String reference) {
        return post(settings, message, reference, SILENT, "white_check_mark");
    }

    /** 429 is also the limit of attachments, which is lower than that of messages. */
    @Override
    public boolean refusesPicture(int status) {
        return ChannelService.super.refusesPicture(status) || status == 429;
    }

    private static String parameter(String name, String value) {
        return name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8) + "&";
    }

    private static String server(Settings settings) {
        return ChannelRequest.base(Objects.requireNonNullElse(settings.url(), SERVER));
    }

    private static Map<String, String> headers(Settings settings) {
        return settings.token() == null ? Map.of() : Map.of("Authorization", "Bearer " + settings.token());
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
