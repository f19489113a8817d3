package farm.gantry.api.store;

import farm.gantry.api.query.Column;
import farm.gantry.api.query.Columns;
import io.micronaut.context.annotation.Value;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Secrets inside JSON columns: kept as {@code "sealed:…"} texts (AES-256-GCM), shown as {@code "********"} except to
 * those who may see them.
 */
@Singleton
public final class Secrets {
    /** Shown in place of a secret; sent back, it means unchanged. */
    public static final String HIDDEN = "********";

    private static final String MARK = "sealed:v1:";
    private static final Pattern SEALED = Pattern.compile("\"" + MARK + "([A-Za-z0-9+/=]+)\"");
    private static final int NONCE = 12;
    private static final int TAG_BITS = 128;

    private final SecretKeySpec key;
    private final SecureRandom random = new SecureRandom();

    /** @param key 32 bytes in base 64 */
    Secrets(@Value("${gantry.secret-key}") String key) {
        byte[] bytes = Base64.getDecoder().decode(key.strip());
        if (bytes.length != 32) {
            throw new IllegalArgumentException("gantry.secret-key must be 32 bytes in base 64");
        }
        this.key = new SecretKeySpec(bytes, "AES");
    }

    /** How secrets are shown. */
    public enum Shown {
        HIDDEN,
        IN_CLEAR
    }

    /** Converts stored JSON to what one reader may see. */
    interface View {
        byte[] show(byte[] json);
    }

    View view(Shown shown) {
        return switch (shown) {
            case HIDDEN -> json -> replaced(json, _ -> "\"" + HIDDEN + "\"");
            case IN_CLEAR -> json -> replaced(json, match -> quoted(open(MARK + match.group(1))));
        };
    }

    /** Stored JSON unchanged, for internal use. */
    static final View KEPT = json -> json;

    private static byte[] replaced(byte[] json, Function<MatchResult, String> by) {
        Matcher sealed = SEALED.matcher(new String(json, StandardCharsets.UTF_8));
        return sealed.replaceAll(match -> Matcher.quoteReplacement(by.apply(match)))
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String quoted(String text) {
        RowJsonWriter writer = new RowJsonWriter(text.length() + 16, KEPT);
        writer.quoted(text);
        return new String(writer.json().bytes(), 0, writer.json().length(), StandardCharsets.UTF_8);
    }

    public String seal(String secret) {
        try {
            byte[] nonce = new byte[NONCE];
            random.nextBytes(nonce);
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, nonce));
            byte[] sealed = cipher.doFinal(secret.getBytes(StandardCharsets.UTF_8));
            byte[] all = Arrays.copyOf(nonce, NONCE + sealed.length);
            System.arraycopy(sealed, 0, all, NONCE, sealed.length);
            return MARK + Base64.getEncoder().encodeToString(all);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The body with its secrets sealed; a hidden one is replaced by the stored one. */
    public JsonNode sealed(Columns<?> columns, JsonNode body, @Nullable JsonNode kept) {
        if (!body.isObject()) {
            return body;
        }
        Map<String, JsonNode> fields = new LinkedHashMap<>();
        body.entries().forEach(entry -> fields.put(entry.getKey(), entry.getValue()));
        for (Column column : columns.all()) {
            JsonNode value = fields.get(column.name());
            if (!column.sealedKeys().isEmpty() && value != null && value.isObject()) {
                JsonNode before = kept == null ? null : kept.get(column.name());
                fields.put(column.name(), sealed(value, column.sealedKeys(), before));
            }
        }
        return JsonNode.createObjectNode(fields);
    }

    private JsonNode sealed(JsonNode value, List<String> keys, @Nullable JsonNode before) {
        Map<String, JsonNode> members = new LinkedHashMap<>();
        value.entries().forEach(member -> {
            JsonNode secret = member.getValue();
            if (keys.contains(member.getKey()) && secret.isString()) {
                JsonNode old = before == null || !before.isObject() ? null : before.get(member.getKey());
                secret = secret.getStringValue().equals(HIDDEN) && old != null
                        ? old
                        : JsonNode.createStringNode(seal(secret.getStringValue()));
            }
            members.put(member.getKey(), secret);
        });
        return JsonNode.createObjectNode(members);
    }

    /** The secret of a sealed text; other texts are returned unchanged. */
    public String open(String kept) {
        if (!kept.startsWith(MARK)) {
            return kept;
        }
        try {
            byte[] all = Base64.getDecoder().decode(kept.substring(MARK.length()));
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, all, 0, NONCE));
            return new String(cipher.doFinal(all, NONCE, all.length - NONCE), StandardCharsets.UTF_8);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a kept secret cannot be opened: was gantry.secret-key changed?", e);
        }
    }
}
