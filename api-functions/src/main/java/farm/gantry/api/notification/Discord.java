package farm.gantry.api.notification;

import farm.gantry.api.json.JsonText;
import farm.gantry.notification.NotificationChannel.Settings;
import io.micronaut.json.tree.JsonNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A webhook of Discord, as documented at <a href="https://discord.com/developers/docs/resources/webhook">discord.com</a>. Its address
 * contains its secret. Names in a message mention nobody.
 */
final class Discord implements ChannelService {
    @Override
    public ChannelRequest request(Settings settings, Message message) {
        return ChannelRequest.Post.of(Objects.requireNonNull(settings.url()), Map.of(), body(embed(message)));
    }

    @Override
    public ChannelRequest request(Settings settings, Message message, Picture picture) {
        Map<String, Object> embed = embed(message);
        embed.put("image", Map.of("url", "attachment://" + picture.fileName()));
        return ChannelRequest.Post.form(
                Objects.requireNonNull(settings.url()),
                Map.of("payload_json", JsonText.write(JsonNode.from(body(embed)))),
                "files[0]",
                picture);
    }

    private static Map<String, Object> embed(Message message) {
        Map<String, Object> embed = new LinkedHashMap<>();
        embed.put("title", message.title());
        embed.put("description", message.text());
        embed.put("color", color(message.severity()));
        if (message.link() != null) {
            embed.put("url", message.link());
        }
        return embed;
    }

    private static Map<String, Object> body(Map<String, Object> embed) {
        return Map.of("embeds", List.of(embed), "allowed_mentions", Map.of("parse", List.of()));
    }

    private static int color(Message.Severity severity) {
        return switch (severity) {
            case info -> 0x3498DB;
            case warning -> 0xF1C40F;
            case error -> 0xE74C3C;
        };
    }

    @Override
    public String credentials() {
        return "settings.url";
    }
}
