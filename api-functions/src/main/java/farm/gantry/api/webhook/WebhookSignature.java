package farm.gantry.api.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs and verifies deliveries as specified by Standard Webhooks. */
public final class WebhookSignature {
    private static final String PREFIX = "whsec_";
    private static final int SECRET_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private WebhookSignature() {}

    public static String newSecret() {
        byte[] secret = new byte[SECRET_BYTES];
        RANDOM.nextBytes(secret);
        return PREFIX + Base64.getEncoder().encodeToString(secret);
    }

    /** Returns {@code v1,} and the base 64 HMAC-SHA256 of id, time and body. */
    public static String of(String secret, String id, long timestamp, String body) {
        return of(secret, id, timestamp, body.getBytes(StandardCharsets.UTF_8));
    }

    private static String of(String secret, String id, long timestamp, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(
                    Base64.getDecoder().decode(secret.startsWith(PREFIX) ? secret.substring(PREFIX.length()) : secret),
                    "HmacSHA256"));
            mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns whether one of the space-separated signatures matches the delivery with one of the secrets. */
    public static boolean isOneOf(String signatures, List<String> secrets, String id, long timestamp, byte[] body) {
        return secrets.stream()
                .map(secret -> of(secret, id, timestamp, body).getBytes(StandardCharsets.UTF_8))
                .anyMatch(expected -> Arrays.stream(signatures.split(" "))
                        .anyMatch(each -> MessageDigest.isEqual(expected, each.getBytes(StandardCharsets.UTF_8))));
    }
}
