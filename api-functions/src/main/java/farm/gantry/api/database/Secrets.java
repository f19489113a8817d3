package farm.gantry.api.database;

import farm.gantry.api.error.ProblemException;
import farm.gantry.api.query.Column;
import farm.gantry.api.query.Columns;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Secrets inside JSON columns: stored as {@code "sealed:v2:…"} texts with the version of their {@link DataKeys}, and
 * returned as {@code "********"} except to callers who may see them.
 */
@Singleton
public final class Secrets {
    /** Replaces a secret in responses; in a request it leaves the secret unchanged. */
    public static final String HIDDEN = "********";

    /** The beginning of every encrypted secret. */
    static final String BEGINNING = "sealed:v";

    /** The key version of secrets that are encrypted for a move to another installation. No data key has it. */
    private static final int TRANSFER = 0;

    private static final Pattern TEXT = Pattern.compile(BEGINNING + "([0-9]{1,9}):([A-Za-z0-9+/=]+)");
    private static final Pattern IN_JSON = Pattern.compile("\"(" + TEXT.pattern() + ")\"");

    private final DataKeys keys;

    Secrets(DataKeys keys) {
        this.keys = keys;
    }

    /** Whether secrets are returned. */
    public enum Visibility {
        HIDDEN,
        IN_CLEAR
    }

    SecretView view(Visibility shown) {
        return switch (shown) {
            case HIDDEN -> json -> replaced(json, _ -> "\"" + HIDDEN + "\"");
            case IN_CLEAR -> json -> replaced(json, this::decryptMatch);
        };
    }

    /** A view that returns stored JSON unchanged, for internal use. */
    static final SecretView UNCHANGED = json -> json;

    private static byte[] replaced(byte[] json, Function<MatchResult, String> by) {
        Matcher encrypted = IN_JSON.matcher(new String(json, StandardCharsets.UTF_8));
        return encrypted
                .replaceAll(match -> Matcher.quoteReplacement(by.apply(match)))
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Decrypts an encrypted secret; text that only looks like one is returned unchanged. */
    private String decryptMatch(MatchResult found) {
        Matcher encrypted = TEXT.matcher(found.group(1));
        return encrypted.matches() ? tryDecrypt(encrypted).map(Secrets::quoted).orElse(found.group()) : found.group();
    }

    private static String quoted(String text) {
        RowJsonWriter writer = new RowJsonWriter(text.length() + 16, UNCHANGED);
        writer.appendQuoted(text);
        return new String(writer.json().bytes(), 0, writer.json().length(), StandardCharsets.UTF_8);
    }

    public String encrypt(String secret) {
        DataKeys.DataKeyVersion newest = keys.newest();
        return encrypt(secret, newest.number(), newest.cipher());
    }

    private static String encrypt(String secret, int version, AesGcm cipher) {
        return BEGINNING + version + ":" + cipher.encrypt(secret.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns the text with its secrets encrypted with the transfer key, for another installation; secrets with an unknown key
     * stay unchanged.
     */
    public String encryptForTransfer(String text, AesGcm transfer) {
        return TEXT.matcher(text)
                .replaceAll(match -> tryDecrypt(match)
                        .map(secret -> encrypt(secret, TRANSFER, transfer))
                        .orElse(match.group()));
    }

    /** Returns the text of another installation with its secrets encrypted with the newest key of this one. */
    public String encryptTransferred(String text, AesGcm transfer) {
        return TEXT.matcher(text)
                .replaceAll(match -> Integer.parseInt(match.group(1)) == TRANSFER
                        ? tryDecrypt(transfer, match.group(2))
                                .map(this::encrypt)
                                .orElse(match.group())
                        : match.group());
    }

    /**
     * Returns the text, JSON or a single secret, encrypted with the newest key; secrets with an unknown key stay
     * unchanged.
     */
    String reencrypt(String text) {
        return TEXT.matcher(text)
                .replaceAll(match -> tryDecrypt(match).map(this::encrypt).orElse(match.group()));
    }

    /** Returns the body with its secrets encrypted; {@link #HIDDEN} is replaced with the stored secret. */
    public JsonNode encryptSecrets(Columns<?> columns, JsonNode body, @Nullable JsonNode stored) {
        if (!body.isObject()) {
            return body;
        }
        Map<String, JsonNode> fields = new LinkedHashMap<>();
        body.entries().forEach(entry -> fields.put(entry.getKey(), entry.getValue()));
        for (Column column : columns.all()) {
            JsonNode value = fields.get(column.name());
            if (!column.encryptedKeys().isEmpty() && value != null && value.isObject()) {
                JsonNode before = stored == null ? null : stored.get(column.name());
                fields.put(column.name(), encryptMembers(column, value, before));
            }
        }
        return JsonNode.createObjectNode(fields);
    }

    private JsonNode encryptMembers(Column column, JsonNode value, @Nullable JsonNode before) {
        Map<String, JsonNode> members = new LinkedHashMap<>();
        value.entries().forEach(member -> {
            JsonNode secret = member.getValue();
            if (column.encryptedKeys().contains(member.getKey()) && secret.isString()) {
                secret = secret.getStringValue().equals(HIDDEN)
                        ? findStored(column.name() + "." + member.getKey(), member.getKey(), before)
                        : JsonNode.createStringNode(encrypt(secret.getStringValue()));
            }
            members.put(member.getKey(), secret);
        });
        return JsonNode.createObjectNode(members);
    }

    private static JsonNode findStored(String path, String key, @Nullable JsonNode before) {
        JsonNode secret = before == null || !before.isObject() ? null : before.get(key);
        if (secret == null || secret.isNull()) {
            throw ProblemException.invalid(
                    path, "invalid", path + ": " + HIDDEN + " keeps the stored secret, but none is stored");
        }
        return secret;
    }

    /** Decrypts a stored secret; other texts are returned unchanged. */
    public String decrypt(String stored) {
        Matcher encrypted = TEXT.matcher(stored);
        return encrypted.matches()
                ? tryDecrypt(encrypted)
                        .orElseThrow(() -> new IllegalStateException(
                                "a stored secret cannot be decrypted with gantry.secret-key. Set gantry.secret-key to the"
                                        + " key that encrypted it, or enter the secret again"))
                : stored;
    }

    private Optional<String> tryDecrypt(MatchResult encrypted) {
        return keys.find(Integer.parseInt(encrypted.group(1)))
                .flatMap(cipher -> tryDecrypt(cipher, encrypted.group(2)));
    }

    private static Optional<String> tryDecrypt(AesGcm cipher, String encrypted) {
        try {
            return Optional.of(new String(cipher.decrypt(encrypted), StandardCharsets.UTF_8));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
