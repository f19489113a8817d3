package farm.gantry.api.notification;

import farm.gantry.notification.NotificationChannel.Security;
import farm.gantry.notification.NotificationChannel.Settings;
import java.net.URI;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** E-mail, submitted to a mail server by SMTP (RFC 5321). */
public final class Email implements ChannelService {
    /** Replies of RFC 4954 to missing, weak and wrong credentials. */
    private static final Set<Integer> REFUSED_CREDENTIALS = Set.of(530, 534, 535, 538);

    Email() {}

    @Override
    public ChannelRequest request(Settings settings, Message message, String id) {
        return mail(settings, message, null);
    }

    @Override
    public ChannelRequest request(Settings settings, Message message, String id, MessagePicture picture) {
        return mail(settings, message, picture);
    }

    private static ChannelRequest mail(Settings settings, Message message, @Nullable MessagePicture picture) {
        String text = message.text() + "\n";
        if (message.link() != null) {
            text += "\n" + message.link() + "\n";
        }
        return new ChannelRequest.Mail(
                server(settings),
                security(settings),
                settings.user(),
                settings.password(),
                Objects.requireNonNull(settings.sender()),
                Objects.requireNonNull(settings.recipients()),
                message.title(),
                text,
                message.severity() == Message.Severity.error,
                picture);
    }

    /**
     * Returns the mail server, such as {@code smtp://mail.example.com:587}.
     *
     * @throws IllegalArgumentException if the host is not one
     */
    public static URI server(Settings settings) {
        Security security = security(settings);
        String host = Objects.requireNonNull(settings.host());
        int port = settings.port() == null ? security.port() : settings.port();
        return URI.create((security == Security.tls ? "smtps" : "smtp") + "://"
                + (host.contains(":") ? "[" + host + "]" : host) + ":" + port);
    }

    /** Returns the encryption of the connection, by default that by STARTTLS. */
    public static Security security(Settings settings) {
        return Objects.requireNonNullElse(settings.security(), Security.starttls);
    }

    @Override
    public boolean refusesCredentials(int status) {
        return REFUSED_CREDENTIALS.contains(status);
    }

    /** A mail server gets no second connection at once: some are slow, and the retry has no picture. */
    @Override
    public boolean refusesPicture(int status) {
        return false;
    }

    @Override
    public String credentials() {
        return "settings.user and settings.password";
    }
}
