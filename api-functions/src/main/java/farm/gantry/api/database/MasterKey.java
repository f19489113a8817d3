package farm.gantry.api.database;

import java.security.GeneralSecurityException;
import java.util.Optional;

/** Wraps the keys that encrypt secrets. It is stored outside the database: in a file or in a key service. */
public interface MasterKey {
    String wrap(byte[] dataKey);

    byte[] unwrap(String wrapped) throws GeneralSecurityException;

    /** Returns the key of secrets encrypted before data keys existed; empty if there are none. */
    default Optional<AesGcm> firstVersion() {
        return Optional.empty();
    }
}
