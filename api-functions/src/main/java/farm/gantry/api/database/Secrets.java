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
 * Secrets inside JSON columns: kept as {@code "sealed:v2:…"} texts, which name their version of the {@link DataKeys}, and
 * shown as {@code "********"} except to those who may see them.
 */
@Singleton
public final class Secrets {
    /** Shown in place of a secret; sent back, it means unchanged. */
    public static final String HIDDEN = "********";

    private static final Pattern TEXT = Pattern.compile("sealed:v([0-9]{1,9}):([A-Za-z0-9+/=]+)");
    private static final Pattern IN_JSON = Pattern.compile("\"(" + TEXT.pattern() + ")\"");

    private final DataKeys keys;

    Secrets(DataKeys keys) {
        this.keys = keys;
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
            case IN_CLEAR -> json -> replaced(json, this::opened);
        };
    }

    /** Stored JSON unchanged, for internal use. */
    static final View KEPT = json -> json;

    private static byte[] replaced(byte[] json, Function<MatchResult, String> by) {
        Matcher sealed = IN_JSON.matcher(new String(json, StandardCharsets.UTF_8));
        return sealed.replaceAll(match -> Matcher.quoteReplacement(by.apply(match)))
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Opens a sealed secret; text that only looks like one is returned unchanged. */
    private String opened(MatchResult found) {
        Matcher sealed = TEXT.matcher(found.group(1));
        return sealed.matches() ? decrypted(sealed).map(Secrets::quoted).orElse(found.group()) : found.group();
    }

    private static String quoted(String text) {
        RowJsonWriter writer = new RowJsonWriter(text.length() + 16, KEPT);
        writer.quoted(text);
        return new String(writer.json().bytes(), 0, writer.json().length(), StandardCharsets.UTF_8);
    }

    public String seal(String secret) {
        DataKeys.Version newest = keys.newest();
        return "sealed:v" + newest.number() + ":" + newest.cipher().encrypt(secret.getBytes(StandardCharsets.UTF_8));
    }

    /** The text, JSON or a secret alone, sealed with the newest version; what is of no known key stays as it is. */
    String resealed(String text) {
        return TEXT.matcher(text)
                .replaceAll(match -> decrypted(match).map(this::seal).orElse(match.group()));
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
                fields.put(column.name(), sealed(column, value, before));
            }
        }
        return JsonNode.createObjectNode(fields);
    }

    private JsonNode sealed(Column column, JsonNode value, @Nullable JsonNode before) {
        Map<String, JsonNode> members = new LinkedHashMap<>();
        value.entries().forEach(member -> {
            JsonNode secret = member.getValue();
            if (column.sealedKeys().contains(member.getKey()) && secret.isString()) {
                secret = secret.getStringValue().equals(HIDDEN)
                        ? kept(column.name() + "." + member.getKey(), member.getKey(), before)
                        : JsonNode.createStringNode(seal(secret.getStringValue()));
            }
            members.put(member.getKey(), secret);
        });
        return JsonNode.createObjectNode(members);
    }

    private static JsonNode kept(String path, String key, @Nullable JsonNode before) {
        JsonNode secret = before == null || !before.isObject() ? null : before.get(key);
        if (secret == null || secret.isNull()) {
            throw ProblemException.invalid(
                    path, "invalid", path + ": " + HIDDEN + " stands for a secret that is kept, and none is");
        }
        return secret;
    }

    /** The secret of a sealed text; other texts are returned unchanged. */
    public String open(String kept) {
        Matcher sealed = TEXT.matcher(kept);
        return sealed.matches()
                ? decrypted(sealed)
                        .orElseThrow(() -> new IllegalStateException(
                                "a stored secret cannot be decrypted with gantry.secret-key. Set gantry.secret-key to the"
                                        + " key that encrypted it, or enter the secret again"))
                : kept;
    }

    private Optional<String> decrypted(MatchResult sealed) {
        Optional<AesGcm> cipher = keys.find(Integer.parseInt(sealed.group(1)));
        if (cipher.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new String(cipher.get().decrypt(sealed.group(2)), StandardCharsets.UTF_8));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
