package farm.gantry.ingest.bundle;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Ids hashed from names, so that they survive an upgrade of the slicer; within the exact integers of JSON. */
final class StableId {
    private static final int BITS = 52;

    private StableId() {}

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
