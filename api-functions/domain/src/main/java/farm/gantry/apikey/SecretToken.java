package farm.gantry.apikey;

import farm.gantry.Id;
import farm.gantry.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The text form of an API key, agent token or session: a record id of 24 characters, a secret of 50 characters (more than 256 bits), and a
 * CRC-32 of 7 characters in base 36, by which malformed texts are rejected without a database query. A random secret of that length needs
 * no slow hash.
 */
public record SecretToken(String id, String secret) {
    private static final int ID = 24;
    private static final int SECRET = 50;
    private static final int CHECK = 7;
    private static final Pattern FORM = Pattern.compile("[a-z0-9]{" + (ID + SECRET + CHECK) + "}");

    public static SecretToken generate(String id) {
        return new SecretToken(id, Id.random(SECRET));
    }

    public static Optional<SecretToken> parse(String text) {
        if (!FORM.matcher(text).matches()) {
            return Optional.empty();
        }
        SecretToken key = new SecretToken(text.substring(0, ID), text.substring(ID, ID + SECRET));
        return key.toString().equals(text) ? Optional.of(key) : Optional.empty();
    }

    /**
     * Returns the token in a header {@code authorization}; empty if it has another scheme or no valid token.
     *
     * @param scheme name of the scheme in lower case, which the header may write in any case
     */
    public static Optional<SecretToken> parseHeader(@Nullable String authorization, String scheme) {
        String beginning = scheme + " ";
        return Optional.ofNullable(authorization)
                .filter(header -> header.toLowerCase(Locale.ROOT).startsWith(beginning))
                .flatMap(header -> parse(header.substring(beginning.length()).strip()));
    }

    /** Returns the SHA-256 of pepper, salt and secret in hexadecimal. */
    public String hash(String pepper, String salt) {
        return Sha256.of(pepper + salt + secret);
    }

    /** Returns whether the stored hash is the hash of this secret. Compares in constant time. */
    public boolean matches(String pepper, String salt, String hash) {
        return MessageDigest.isEqual(
                hash(pepper, salt).getBytes(StandardCharsets.US_ASCII), hash.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public String toString() {
        CRC32 check = new CRC32();
        check.update((id + secret).getBytes(StandardCharsets.US_ASCII));
        return id + secret + Id.padded(check.getValue(), CHECK);
    }
}
