package farm.gantry.api.notification;

import farm.gantry.notification.NotificationChannel.Settings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A bot of Telegram, as documented at <a href="https://core.telegram.org/bots/api#sendmessage">core.telegram.org</a>. */
final class Telegram implements ChannelService {
    private static final String SERVER = "https://api.telegram.org";
    /** Maximum length of the text beside a photo. */
    private static final int MAX_CAPTION = 1024;

    @Override
    public ChannelRequest request(Settings settings, Message message) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("chat_id", Objects.requireNonNull(settings.chatId()));
        body.put("text", text(message));
        body.put("disable_notification", isSilent(message));
        body.put("link_preview_options", Map.of("is_disabled", true));
        return ChannelRequest.Post.of(method(settings, "sendMessage"), Map.of(), body);
    }

    @Override
    public ChannelRequest request(Settings settings, Message message, Picture picture) {
        String caption = text(message);
        return caption.length() > MAX_CAPTION
                ? request(settings, message)
                : ChannelRequest.Post.form(
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
