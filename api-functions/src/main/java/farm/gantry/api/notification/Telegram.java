package farm.gantry.api.notification;

import farm.gantry.notification.NotificationChannel.Settings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A bot of Telegram, as documented at <a href="https://core.telegram.org/bots/api#sendmessage">core.telegram.org</a>. */
final class Telegram implements ChannelService {
    private static final String SERVER = "https://api.telegram.org";

    @Override
    public ChannelRequest request(Settings settings, Message message) {
        String text = message.title() + "\n" + message.text();
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("chat_id", Objects.requireNonNull(settings.chatId()));
        body.put("text", message.link() == null ? text : text + "\n" + message.link());
        body.put("disable_notification", message.severity() == Message.Severity.info);
        body.put("link_preview_options", Map.of("is_disabled", true));
        String server = ChannelRequest.base(Objects.requireNonNullElse(settings.url(), SERVER));
        return ChannelRequest.Post.of(server + "/bot" + settings.token() + "/sendMessage", Map.of(), body);
    }

    /** The token is part of the path. */
    @Override
    public Optional<String> tokenFault(String token) {
        return token.matches("[0-9]+:[-_A-Za-z0-9]+")
                ? Optional.empty()
                : Optional.of("must be the token of a bot, such as 123456:ABC-DEF; copy it from @BotFather");
    }
}
