package farm.gantry.api.database;

import java.security.GeneralSecurityException;
import java.util.Optional;

/** Wraps the keys that seal secrets; it is kept outside of the database: in a file here, in a key service elsewhere. */
public interface MasterKey {
    String wrap(byte[] dataKey);

    byte[] unwrap(String wrapped) throws GeneralSecurityException;

    /** What opens the secrets sealed before there were data keys; empty where there are none. */
    default Optional<AesGcm> firstVersion() {
        return Optional.empty();
    }
}
