package farm.gantry.api.notification;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import farm.gantry.api.json.JsonText;
import farm.gantry.notification.NotificationChannel.Settings;
import io.micronaut.json.tree.JsonNode;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A browser that allowed messages of the console, reached through the push service of its vendor, as <a
 * href="https://www.rfc-editor.org/rfc/rfc8030">RFC 8030</a> and <a href="https://www.rfc-editor.org/rfc/rfc8292">RFC 8292</a> (VAPID) say.
 * The console's service worker {@code pushworker.js} shows the message.
 */
public final class WebPush implements ChannelService {
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();
    private static final int AUTH_BYTES = 16;
    private static final int MAX_TEXT = 700;
    /** For how long the push service keeps a message of a browser that is off. */
    private static final Duration KEPT = Duration.ofDays(1);

    private static final Duration LOGIN_LIFETIME = Duration.ofHours(12);

    @Override
    public ChannelRequest request(Settings settings, Message message, String id) {
        return post(settings, message, id, message.severity() == Message.Severity.info ? "normal" : "high");
    }

    /** A browser shows only the last message with a tag. */
    @Override
    public Optional<String> reference(String id, String response, Optional<MessagePicture> picture) {
        return Optional.of(id);
    }

    @Override
    public ChannelRequest update(Settings settings, Message message, String reference) {
        return post(settings, message, reference, "normal");
    }

    private static ChannelRequest post(Settings settings, Message message, String id, String urgency) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("tag", id);
        shown.put("title", message.title());
        shown.put("text", EventMessages.cut(message.text(), MAX_TEXT));
        if (message.link() != null) {
            shown.put("link", message.link());
        }
        String endpoint = Objects.requireNonNull(settings.url());
        try {
            byte[] body = PushEncryption.encrypt(
                    JsonText.write(JsonNode.from(shown)).getBytes(UTF_8),
                    P256.decodePublic(decode(settings.publicKey())),
                    decode(settings.token()));
            return ChannelRequest.Http.post(
                    endpoint,
                    Map.of(
                            "Authorization",
                            "vapid t=" + login(endpoint, settings, message.link()) + ", k=" + settings.vapidPublicKey(),
                            "Content-Type",
                            "application/octet-stream",
                            "Content-Encoding",
                            "aes128gcm",
                            "TTL",
                            String.valueOf(KEPT.toSeconds()),
                            "Urgency",
                            urgency,
                            "Topic",
                            id),
                    body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the keys of the channel are invalid", e);
        }
    }

    /** Returns a token that proves to the push service who sends. It names the console, if its address is known. */
    private static String login(String endpoint, Settings settings, @Nullable String link)
            throws GeneralSecurityException {
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("aud", origin(endpoint));
        claims.put("exp", Instant.now().plus(LOGIN_LIFETIME).getEpochSecond());
        if (link != null && link.startsWith("https://")) {
            claims.put("sub", origin(link));
        }
        String content = encode(Map.of("typ", "JWT", "alg", "ES256")) + "." + encode(claims);
        Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
        signature.initSign(P256.decodePrivate(decode(settings.vapidKey())));
        signature.update(content.getBytes(US_ASCII));
        return content + "." + ENCODER.encodeToString(signature.sign());
    }

    private static String origin(String url) {
        URI address = URI.create(url);
        return address.getScheme() + "://" + address.getRawAuthority();
    }

    private static String encode(Map<String, ?> json) {
        return ENCODER.encodeToString(JsonText.write(JsonNode.from(json)).getBytes(UTF_8));
    }

    private static byte[] decode(@Nullable String text) {
        return DECODER.decode(Objects.requireNonNull(text));
    }

    /** The token is the subscription's secret {@code auth}. */
    @Override
    public Optional<String> tokenFault(String token) {
        return fault(token, AUTH_BYTES, "must be the secret auth of the subscription: 16 bytes in base64url");
    }

    /** Returns the fault of a private key; empty if there is none. */
    public static Optional<String> privateKeyFault(String key) {
        return fault(key, P256.BYTES, "must be a private key of P-256: 32 bytes in base64url");
    }

    /** Returns the fault of a public key; empty if there is none. */
    public static Optional<String> publicKeyFault(String key) {
        try {
            P256.decodePublic(DECODER.decode(key));
            return Optional.empty();
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return Optional.of("must be a point of P-256, uncompressed and in base64url");
        }
    }

    private static Optional<String> fault(String text, int bytes, String fault) {
        try {
            return DECODER.decode(text).length == bytes ? Optional.empty() : Optional.of(fault);
        } catch (IllegalArgumentException e) {
            return Optional.of(fault);
        }
    }

    @Override
    public String credentials() {
        return "that this browser still allows messages, and create the channel again";
    }
}
