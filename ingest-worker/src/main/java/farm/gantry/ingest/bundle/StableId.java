package farm.gantry.ingest.bundle;

import farm.gantry.Sha256;
import java.math.BigInteger;

/**
 * Hashes names to ids, so that an id survives an upgrade of the slicer. Ids have 52 bits, which a JSON number
 * represents exactly.
 */
final class StableId {
    private static final int BITS = 52;

    private StableId() {}

    static long hash(String... words) {
        String hash = Sha256.of(String.join("\n", words));
        return new BigInteger(hash, 16).shiftRight(hash.length() * 4 - BITS).longValueExact();
    }
}
