package farm.gantry.api.database;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Optional;

/** Master key from the setting {@code gantry.secret-key}. */
@Singleton
@Requires(missingProperty = "gantry.aws.kms-key")
final class ConfiguredMasterKey implements MasterKey {
    private final AesGcm cipher;

    /** @param key 32 bytes in base 64 */
    ConfiguredMasterKey(@Value("${gantry.secret-key}") String key) {
        this.cipher = new AesGcm(decoded(key.strip()));
    }

    private static byte[] decoded(String key) {
        try {
            byte[] bytes = Base64.getDecoder().decode(key);
            if (bytes.length == AesGcm.KEY_BYTES) {
                return bytes;
            }
        } catch (IllegalArgumentException e) {
            // rejected below; the exception's message would reveal a part of the key
        }
        throw new IllegalArgumentException(
                "gantry.secret-key (GANTRY_SECRET_KEY) must be 32 bytes in base 64: create one with"
                        + " 'openssl rand -base64 32'");
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
