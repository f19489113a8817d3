package farm.gantry.simulator.prusalink;

import farm.gantry.simulator.network.UploadForm;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Authenticates requests to a simulated PrusaLink: by key, or by the digest scheme of its generation. */
record PrusaLinkAuthentication(
        PrusaLinkSimulator.Generation generation, String password, Set<String> nonces, AtomicInteger made) {
    private static final Pattern FIELD = Pattern.compile("(\\w+)=\"?([^\",]*)\"?");

    PrusaLinkAuthentication(PrusaLinkSimulator.Generation generation, String password) {
        this(generation, password, ConcurrentHashMap.newKeySet(), new AtomicInteger());
    }

    /** The firmware's key is its password. */
    boolean accepts(String method, HttpHeaders headers) {
        String key = headers.get("X-Api-Key");
        if (key != null) {
            return key.equals(generation == PrusaLinkSimulator.Generation.FIRMWARE ? password : "key-" + password);
        }
        Map<String, String> credentials = fields(headers.get("Authorization"));
        return nonces.contains(credentials.getOrDefault("nonce", "")) && isValidDigest(method, credentials);
    }

    private boolean isValidDigest(String method, Map<String, String> credentials) {
        Function<String, String> field = name -> credentials.getOrDefault(name, "");
        String secret = md5("maker:" + realm() + ":" + password);
        String request = md5(method + ":" + field.apply("uri"));
        String expected = switch (generation) {
            case FIRMWARE -> md5(secret + ":" + field.apply("nonce") + ":" + request);
            case RASPBERRY ->
                md5(String.join(
                        ":",
                        md5(secret + ":" + field.apply("nonce") + ":" + field.apply("cnonce")),
                        field.apply("nonce"),
                        field.apply("nc"),
                        field.apply("cnonce"),
                        field.apply("qop"),
                        request));
        };
        boolean named = generation == PrusaLinkSimulator.Generation.RASPBERRY;
        return expected.equals(credentials.get("response")) && named == credentials.containsKey("algorithm");
    }

    /** Returns a challenge; a response with an expired nonce gets {@code stale=true}. */
    String challenge(HttpHeaders headers) {
        String nonce = "%08x".formatted(made.incrementAndGet());
        boolean known = fields(headers.get("Authorization")).containsKey("nonce");
        boolean stale =
                known && !nonces.contains(fields(headers.get("Authorization")).get("nonce"));
        nonces.add(nonce);
        String challenge = "Digest realm=\"" + realm() + "\", nonce=\"" + nonce + "\", stale=" + stale;
        return generation == PrusaLinkSimulator.Generation.FIRMWARE
                ? challenge
                : challenge + ", qop=\"auth\", algorithm=\"MD5-sess\"";
    }

    void expireNonces() {
        nonces.clear();
    }

    private String realm() {
        return generation == PrusaLinkSimulator.Generation.FIRMWARE ? "Printer API" : "Administrator";
    }

    private static Map<String, String> fields(@Nullable String authorization) {
        return FIELD.matcher(Objects.requireNonNullElse(authorization, ""))
                .results()
                .collect(Collectors.toMap(field -> field.group(1), (MatchResult field) -> field.group(2)));
    }

    private static String md5(String text) {
        return UploadForm.hash("MD5", text.getBytes(StandardCharsets.UTF_8));
    }
}
