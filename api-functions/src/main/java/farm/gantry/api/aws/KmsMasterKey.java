package farm.gantry.api.aws;

import farm.gantry.api.database.MasterKey;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.kms.KmsClient;
import software.amazon.awssdk.services.kms.model.IncorrectKeyException;
import software.amazon.awssdk.services.kms.model.InvalidCiphertextException;

/** A master key in KMS. Unwrapped keys are cached, so that each process calls KMS once per data key. */
@Singleton
@Requires(property = "gantry.aws.kms-key")
final class KmsMasterKey implements MasterKey {
    /** Encryption context of each wrapped key, so that other ciphertexts of the same KMS key are not accepted. */
    private static final Map<String, String> CONTEXT = Map.of("gantry", "dataKey");

    private final KmsClient kms;
    private final @Nullable String keyId;
    private final ConcurrentMap<String, byte[]> unwrapped = new ConcurrentHashMap<>();

    KmsMasterKey(KmsClient kms, AwsSettings settings) {
        this.kms = kms;
        this.keyId = settings.kmsKey();
    }

    @Override
    public String wrap(byte[] dataKey) {
        SdkBytes sealed = kms.encrypt(request ->
                        request.keyId(keyId).encryptionContext(CONTEXT).plaintext(SdkBytes.fromByteArray(dataKey)))
                .ciphertextBlob();
        return Base64.getEncoder().encodeToString(sealed.asByteArray());
    }

    @Override
    public byte[] unwrap(String wrapped) throws GeneralSecurityException {
        byte[] known = unwrapped.get(wrapped);
        if (known == null) {
            known = decrypt(wrapped);
            unwrapped.put(wrapped, known);
        }
        return known.clone();
    }

    private byte[] decrypt(String wrapped) throws GeneralSecurityException {
        try {
            byte[] sealed = Base64.getDecoder().decode(wrapped);
            return kms.decrypt(request -> request.keyId(keyId)
                            .encryptionContext(CONTEXT)
                            .ciphertextBlob(SdkBytes.fromByteArray(sealed)))
                    .plaintext()
                    .asByteArray();
        } catch (InvalidCiphertextException | IncorrectKeyException e) {
            throw new GeneralSecurityException("KMS cannot unwrap the data key with " + keyId, e);
        }
    }
}
