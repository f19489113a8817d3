package farm.gantry.ingest.bundle;

import farm.gantry.Sha256;
import java.math.BigInteger;

/** Ids hashed from names, so that they survive an upgrade of the slicer; within the exact integers of JSON. */
final class StableId {
    private static final int BITS = 52;

    private StableId() {}

    static long of(String... words) {
        String hash = Sha256.of(String.join("\n", words));
        return new BigInteger(hash, 16).shiftRight(hash.length() * 4 - BITS).longValueExact();
    }
}
