package farm.gantry.notification;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.Permission;
import farm.gantry.SelfValidating;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.Encrypted;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A service that sends messages about events to people's phones, chats and mailboxes. {@code printerTags} limits it to events of printers that have one
 * of the tags. During {@code quietHours}, messages are collected, except errors; when they end, one message lists them. {@code template} replaces the
 * texts of messages. With {@code picture}, messages contain the camera image of the printer or, without one, the thumbnail of the part. {@code failureCount}
 * counts the failed attempts since the last success, of at most 24 hours; the tenth disables the channel, as does a 410 response, and {@code lastError} says why. {@code pausedUntil} is the end of a pause that the service asked for, or that follows a missing response.
 */
@Serdeable
@Resource(
        table = "notificationChannel",
        view = Permission.SETTINGS_VIEW,
        change = Permission.SETTINGS_EDIT,
        secrets = Permission.SETTINGS_EDIT)
public record NotificationChannel(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        @NotBlank @Size(max = 200) String name,
        Kind kind,

        @Default("{}") @Valid @Encrypted({"url", "token", "password", "vapidKey"})
        Settings settings,

        @Default("[]") List<EventName> events,
        @Default("[]") List<@NotBlank @Size(max = 500) String> printerTags,
        @Valid @Nullable QuietHours quietHours,
        @Valid @Nullable MessageTemplate template,
        @Default("false") boolean picture,
        @Default("true") boolean enabled,
        @SystemSet @Nullable Instant lastSentAt,
        @SystemSet @Nullable String lastError,
        @SystemSet @Default("0") int failureCount,
        @SystemSet @Nullable Instant pausedUntil)
        implements SelfValidating {

    /** The service of a channel, with the settings that it requires and those that it also uses. */
    @Serdeable
    public enum Kind {
        ntfy(Set.of("topic"), Set.of("url", "token")),
        discord(Set.of("url"), Set.of()),
        slack(Set.of("url"), Set.of()),
        telegram(Set.of("token", "chatId"), Set.of("url")),
        gotify(Set.of("url", "token"), Set.of()),
        pushover(Set.of("token", "userKey"), Set.of("url")),
        email(Set.of("host", "sender", "recipients"), Set.of("port", "security", "user", "password")),
        webpush(Set.of("url", "token", "publicKey", "vapidPublicKey", "vapidKey"), Set.of()),
        webhook(Set.of("url"), Set.of("token"));

        @SuppressWarnings("ImmutableEnumChecker") // made by Set.of
        private final Set<String> required;

        @SuppressWarnings("ImmutableEnumChecker") // made by Set.of
        private final Set<String> optional;

        Kind(Set<String> required, Set<String> optional) {
            this.required = required;
            this.optional = optional;
        }

        /** Returns whether the service accepts a picture with a message. */
        private boolean acceptsPictures() {
            return switch (this) {
                case ntfy, discord, telegram, pushover, email -> true;
                case slack, gotify, webpush, webhook -> false;
            };
        }
    }

    /**
     * The encryption of the connection to a mail server: by STARTTLS, which is the default, by TLS from the beginning, or none, which is
     * allowed only for servers of {@code gantry.webhooks.local-receivers}.
     */
    @Serdeable
    public enum Security {
        starttls(587),
        tls(465),
        none(25);

        private final int port;

        Security(int port) {
            this.port = port;
        }

        /** Returns the usual port of mail servers. */
        public int port() {
            return port;
        }
    }

    /**
     * The address and the credentials of a channel. {@code url} is the webhook of Discord or Slack, the receiver of a {@code webhook}, or the server of the other services.
     * {@code host} to {@code recipients} are of e-mail. The last three, with {@code url} and {@code token}, are of a browser's push
     * subscription: its endpoint and {@code auth} secret, its key {@code p256dh}, and the key pair whose messages the browser
     * accepts. Keys are in base64url without padding: points of P-256 uncompressed, and the private key as its 32 bytes.
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Settings(
            @Nullable @Size(max = 4000) String url,

            @Nullable @Pattern(regexp = "[-_A-Za-z0-9]{1,64}", message = "must be 1 to 64 letters, digits, - or _")
            String topic,

            @Nullable @Size(max = 2000) String token,

            @Nullable
            @Pattern(
                    regexp = "-?[0-9]{1,32}|@[A-Za-z0-9_]{1,64}",
                    message = "must be a number, or @ and the name of a channel")
            String chatId,

            @Nullable @Pattern(regexp = "[A-Za-z0-9]{1,64}", message = "must be 1 to 64 letters or digits")
            String userKey,

            @Nullable @Pattern(regexp = "[-.:A-Za-z0-9]{1,253}", message = "must be a host name or an IP address")
            String host,

            @Nullable @Min(1) @Max(65535) Integer port,
            @Nullable Security security,

            @Nullable @Size(min = 1, max = 500) String user,

            @Nullable @Size(min = 1, max = 2000) String password,

            @Nullable @Pattern(regexp = ADDRESS, message = "must be an e-mail address such as farm@example.com")
            String sender,

            @Nullable @Size(min = 1, max = 20)
            List<@Pattern(regexp = ADDRESS, message = "must be an e-mail address such as ada@example.com") String>
                    recipients,

            @Nullable @Pattern(regexp = POINT, message = "must be a public key of P-256 in base64url")
            String publicKey,

            @Nullable @Pattern(regexp = POINT, message = "must be a public key of P-256 in base64url")
            String vapidPublicKey,

            @Nullable @Size(max = 200) String vapidKey) {
        private static final String POINT = "B[-_A-Za-z0-9]{86}";
        private static final String ADDRESS =
                "[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9]([-.A-Za-z0-9]{0,250}[A-Za-z0-9])?";

        private Map<String, @Nullable Object> byName() {
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            values.put("url", url);
            values.put("topic", topic);
            values.put("token", token);
            values.put("chatId", chatId);
            values.put("userKey", userKey);
            values.put("host", host);
            values.put("port", port);
            values.put("security", security);
            values.put("user", user);
            values.put("password", password);
            values.put("sender", sender);
            values.put("recipients", recipients);
            values.put("publicKey", publicKey);
            values.put("vapidPublicKey", vapidPublicKey);
            values.put("vapidKey", vapidKey);
            return values;
        }
    }

    @Override
    public List<Fault> faults() {
        List<Fault> faults = new ArrayList<>();
        settings.byName().forEach((name, value) -> {
            if (value == null && kind.required.contains(name)) {
                faults.add(new Fault("settings." + name, "required", "is required for " + kind));
            } else if (value != null && !kind.required.contains(name) && !kind.optional.contains(name)) {
                faults.add(new Fault("settings." + name, "invalid", "is not used by " + kind + "; leave it out"));
            }
        });
        if (settings.password == null && settings.user != null) {
            faults.add(new Fault("settings.password", "required", "is required with settings.user"));
        } else if (settings.user == null && settings.password != null) {
            faults.add(new Fault("settings.user", "required", "is required with settings.password"));
        }
        if (picture && !kind.acceptsPictures()) {
            faults.add(new Fault("picture", "invalid", "must be false, because " + kind + " accepts no pictures"));
        }
        if (quietHours != null && quietHours.from().equals(quietHours.to())) {
            faults.add(new Fault("quietHours.to", "invalid", "must differ from quietHours.from"));
        }
        return faults;
    }

    /** Returns whether the channel is interested in the event of a printer with these tags; null for an event without a printer. */
    public boolean isSubscribed(EventName event, @Nullable List<String> tags) {
        return enabled
                && events.contains(event)
                && (printerTags.isEmpty() || (tags != null && tags.stream().anyMatch(printerTags::contains)));
    }
}
