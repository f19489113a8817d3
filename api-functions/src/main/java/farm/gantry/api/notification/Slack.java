package farm.gantry.api.notification;

import farm.gantry.notification.NotificationChannel.Settings;
import java.util.Map;
import java.util.Objects;

/**
 * An incoming webhook of Slack, as documented at <a
 * href="https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks">docs.slack.dev</a>. Its address contains its secret. It
 * can neither update messages nor upload pictures.
 */
final class Slack implements ChannelService {
    @Override
    public ChannelRequest request(Settings settings, Message message, String id) {
        String text = symbol(message.severity()) + " *" + escape(message.title()) + "*\n" + escape(message.text());
        if (message.link() != null) {
            text += "\n<" + escape(message.link()) + "|Open in Gantry>";
        }
        return ChannelRequest.Http.post(Objects.requireNonNull(settings.url()), Map.of(), Map.of("text", text));
    }

    /** Escapes the characters that begin links and mentions. */
    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static String symbol(Message.Severity severity) {
        return switch (severity) {
            case info -> ":information_source:";
            case warning -> ":warning:";
            case error -> ":rotating_light:";
        };
    }

    @Override
    public String credentials() {
        return "settings.url";
    }
}
