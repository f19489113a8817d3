package farm.gantry.api.notification;

import farm.gantry.api.json.JsonText;
import farm.gantry.notification.NotificationChannel.Settings;
import io.micronaut.json.tree.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A bot of Telegram, as documented at <a href="https://core.telegram.org/bots/api#sendmessage">core.telegram.org</a>. */
final class Telegram implements ChannelService {
    private static final String SERVER = "https://api.telegram.org";
    /** Maximum length of the text beside a photo. */
    private static final int MAX_CAPTION = 1024;

    private static final String CAPTION = "caption ";

    @Override
    public ChannelRequest request(Settings settings, Message message, String id) {
        Map<String, Object> body = textBody(settings, message);
        body.put("disable_notification", isSilent(message));
        return ChannelRequest.Http.post(method(settings, "sendMessage"), Map.of(), body);
    }

    private static Map<String, Object> textBody(Settings settings, Message message) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("chat_id", Objects.requireNonNull(settings.chatId()));
        body.put("text", text(message));
        body.put("link_preview_options", Map.of("is_disabled", true));
        return body;
    }

    @Override
    public ChannelRequest request(Settings settings, Message message, String id, MessagePicture picture) {
        String caption = text(message);
        return caption.length() > MAX_CAPTION
                ? request(settings, message, id)
                : ChannelRequest.Http.form(
                        method(settings, "sendPhoto"),
                        Map.of(
                                "chat_id",
                                Objects.requireNonNull(settings.chatId()),
                                "caption",
                                caption,
                                "disable_notification",
                                String.valueOf(isSilent(message))),
                        "photo",
                        picture);
    }

    /** Returns the number of the message, after {@link #CAPTION} if its text is that of a photo. */
    @Override
    public Optional<String> reference(String id, String response, Optional<MessagePicture> picture) {
        JsonNode sent = JsonText.parse(response).get("result");
        return Optional.of((sent.get("photo") == null ? "" : CAPTION)
                + sent.get("message_id").getLongValue());
    }

    @Override
    public ChannelRequest update(Settings settings, Message message, String reference) {
        boolean isCaption = reference.startsWith(CAPTION);
        Map<String, Object> body = textBody(settings, message);
        body.put("message_id", Long.parseLong(isCaption ? reference.substring(CAPTION.length()) : reference));
        if (isCaption) {
            body.remove("link_preview_options");
            body.put("caption", Objects.requireNonNull(body.remove("text")));
        }
        return ChannelRequest.Http.post(
                method(settings, isCaption ? "editMessageCaption" : "editMessageText"), Map.of(), body);
    }

    private static String text(Message message) {
        String text = message.title() + "\n" + message.text();
        return message.link() == null ? text : text + "\n" + message.link();
    }

    private static boolean isSilent(Message message) {
        return message.severity() == Message.Severity.info;
    }

    private static String method(Settings settings, String name) {
        return ChannelRequest.base(Objects.requireNonNullElse(settings.url(), SERVER)) + "/bot" + settings.token() + "/"
                + name;
    }

    /** The token is part of the path. */
    @Override
    public Optional<String> tokenFault(String token) {
        return token.matches("[0-9]+:[-_A-Za-z0-9]+")
                ? Optional.empty()
                : Optional.of("must be the token of a bot, such as 123456:ABC-DEF; copy it from @BotFather");
    }
}
