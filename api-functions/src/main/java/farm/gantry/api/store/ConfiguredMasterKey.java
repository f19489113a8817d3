package farm.gantry.api.store;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Optional;

/** The master key of the setting {@code gantry.secret-key}. */
@Singleton
@Requires(missingProperty = "gantry.aws.key")
final class ConfiguredMasterKey implements MasterKey {
    private final AesGcm cipher;

    /** @param key 32 bytes in base 64 */
    ConfiguredMasterKey(@Value("${gantry.secret-key}") String key) {
        byte[] bytes = Base64.getDecoder().decode(key.strip());
        if (bytes.length != AesGcm.KEY_BYTES) {
            throw new IllegalArgumentException("gantry.secret-key must be 32 bytes in base 64");
        }
        this.cipher = new AesGcm(bytes);
    }

    @Override
    public String wrap(byte[] dataKey) {
        return cipher.encrypt(dataKey);
    }

    @Override
    public byte[] unwrap(String wrapped) throws GeneralSecurityException {
        return cipher.decrypt(wrapped);
    }

    @Override
    public Optional<AesGcm> firstVersion() {
        return Optional.of(cipher);
    }
}
