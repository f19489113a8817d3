package farm.gantry.apikey;

import farm.gantry.Id;
import farm.gantry.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The text a caller shows: 24 characters of the record's id, 50 of secret (over 256 bits), and 7 of CRC-32 in base 36,
 * by which junk is refused unread. A secret of that length needs no slow hash.
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

    /** SHA-256 of pepper, salt and secret, in hex. */
    public String hash(String pepper, String salt) {
        return Sha256.of(pepper + salt + secret);
    }

    /** Whether the kept hash is this key's, in a time that tells nothing. */
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
