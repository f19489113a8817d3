package farm.gantry.ingest.bundle;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Numbers that only depend on words, so that they survive an upgrade of the slicer; JSON readers hold them exactly. */
final class StableNumber {
    private static final int BITS = 52;

    private StableNumber() {}

    static long of(String... words) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(String.join("\n", words).getBytes(StandardCharsets.UTF_8));
            return new BigInteger(1, hash).shiftRight(hash.length * 8 - BITS).longValueExact();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
