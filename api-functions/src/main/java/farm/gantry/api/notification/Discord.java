package farm.gantry.api.notification;

import farm.gantry.api.json.JsonText;
import farm.gantry.notification.NotificationChannel.Settings;
import io.micronaut.json.tree.JsonNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A webhook of Discord, as documented at <a href="https://discord.com/developers/docs/resources/webhook">discord.com</a>. Its address
 * contains its secret. Names in a message mention nobody.
 */
final class Discord implements ChannelService {
    @Override
    public ChannelRequest request(Settings settings, Message message, String id) {
        return ChannelRequest.Http.post(createUrl(settings), Map.of(), body(embed(message)));
    }

    @Override
    public ChannelRequest request(Settings settings, Message message, String id, MessagePicture picture) {
        return ChannelRequest.Http.form(
                createUrl(settings),
                Map.of(
                        "payload_json",
                        JsonText.write(JsonNode.from(body(withImage(embed(message), picture.fileName()))))),
                "files[0]",
                picture);
    }

    /** Returns the id of the message and the name of its picture. */
    @Override
    public Optional<String> reference(String id, String response, Optional<MessagePicture> picture) {
        String messageId = JsonText.parse(response).get("id").getStringValue();
        return Optional.of(
                messageId + picture.map(each -> " " + each.fileName()).orElse(""));
    }

    @Override
    public ChannelRequest update(Settings settings, Message message, String reference) {
        String[] parts = reference.split(" ", 2);
        Map<String, Object> embed = embed(message);
        return ChannelRequest.Http.patch(
                messageUrl(settings, parts[0]), body(parts.length == 1 ? embed : withImage(embed, parts[1])));
    }

    /** Asks for the created message in the response. */
    private static String createUrl(Settings settings) {
        String url = Objects.requireNonNull(settings.url());
        return url + (url.contains("?") ? "&" : "?") + "wait=true";
    }

    /** Returns the address of a message with the query of the webhook's, which may name a thread. */
    private static String messageUrl(Settings settings, String messageId) {
        String[] parts = Objects.requireNonNull(settings.url()).split("\\?", 2);
        return ChannelRequest.base(parts[0]) + "/messages/" + messageId + (parts.length == 1 ? "" : "?" + parts[1]);
    }

    private static Map<String, Object> withImage(Map<String, Object> embed, String fileName) {
        embed.put("image", Map.of("url", "attachment://" + fileName));
        return embed;
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
