package farm.gantry.edge.http;

import farm.gantry.edge.file.Md5;
import java.net.http.HttpHeaders;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A challenge of HTTP digest authentication. Supports challenges without qop (RFC 2069), MD5 with qop (RFC 2617), and
 * MD5-sess.
 */
public final class DigestChallenge {
    private static final Pattern SCHEME = Pattern.compile("(?i)digest\\s+(.*)");
    private static final Pattern FIELD = Pattern.compile("(\\w+)\\s*=\\s*(?:\"([^\"]*)\"|([^\\s,\"]+))");

    private final Map<String, String> challenge;
    private final String clientNonce;
    private final AtomicInteger uses = new AtomicInteger();

    DigestChallenge(String challenge, String clientNonce) {
        this.challenge = fields(challenge);
        this.clientNonce = clientNonce;
    }

    /** Returns null without a challenge that this class supports. */
    public static @Nullable DigestChallenge parse(HttpHeaders headers) {
        return headers.allValues("WWW-Authenticate").stream()
                .map(SCHEME::matcher)
                .filter(Matcher::matches)
                .map(scheme -> new DigestChallenge(
                        scheme.group(1),
                        Long.toHexString(ThreadLocalRandom.current().nextLong())))
                .filter(DigestChallenge::isSupported)
                .findFirst()
                .orElse(null);
    }

    private static Map<String, String> fields(String challenge) {
        Map<String, String> fields = new HashMap<>();
        Matcher matcher = FIELD.matcher(challenge);
        while (matcher.find()) {
            String value = matcher.group(2) == null ? matcher.group(3) : matcher.group(2);
            fields.put(matcher.group(1).toLowerCase(Locale.ROOT), value);
        }
        return fields;
    }

    private boolean isSupported() {
        return challenge.containsKey("nonce")
                && List.of("md5", "md5-sess").contains(field("algorithm", "MD5").toLowerCase(Locale.ROOT))
                && (!challenge.containsKey("qop") || hasQop());
    }

    /**
     * Returns whether the server rejected the request only because its nonce is too old, so that the password may be
     * correct.
     */
    public boolean isStale() {
        return field("stale", "false").equalsIgnoreCase("true");
    }

    private boolean hasQop() {
        return List.of(field("qop", "").split("\\s*,\\s*")).contains("auth");
    }

    private String field(String name, String absent) {
        return challenge.getOrDefault(name, absent);
    }

    /**
     * Returns the Authorization header for a request. It contains only parameters that the challenge has, because the
     * firmware rejects an algorithm that it did not name.
     */
    public String authorizationHeader(String user, String password, String method, String path) {
        String nonce = field("nonce", "");
        String algorithm = field("algorithm", "");
        String secret = Md5.of(user + ":" + field("realm", "") + ":" + password);
        if (algorithm.equalsIgnoreCase("MD5-sess")) {
            secret = Md5.of(secret + ":" + nonce + ":" + clientNonce);
        }
        String count = "%08x".formatted(uses.incrementAndGet());
        String between = hasQop() ? nonce + ":" + count + ":" + clientNonce + ":auth" : nonce;
        String response = Md5.of(secret + ":" + between + ":" + Md5.of(method + ":" + path));
        StringBuilder answer = new StringBuilder("Digest username=\"%s\", realm=\"%s\", nonce=\"%s\", uri=\"%s\""
                .formatted(user, field("realm", ""), nonce, path));
        answer.append(", response=\"").append(response).append('"');
        if (!algorithm.isEmpty()) {
            answer.append(", algorithm=").append(algorithm);
        }
        if (challenge.containsKey("opaque")) {
            answer.append(", opaque=\"").append(field("opaque", "")).append('"');
        }
        if (hasQop()) {
            answer.append(", qop=auth, nc=").append(count);
        }
        if (hasQop() || algorithm.equalsIgnoreCase("MD5-sess")) {
            answer.append(", cnonce=\"").append(clientNonce).append('"');
        }
        return answer.toString();
    }
}
