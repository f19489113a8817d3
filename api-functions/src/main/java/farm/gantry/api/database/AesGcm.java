package farm.gantry.api.database;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** AES-256-GCM with one key. Encrypted texts are nonce and ciphertext in base 64. */
public final class AesGcm {
    static final int KEY_BYTES = 32;

    private static final String ALGORITHM = "AES/GCM/NoPadding";
    private static final int NONCE = 12;
    private static final int TAG_BITS = 128;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final SecretKeySpec key;

    public AesGcm(byte[] key) {
        this.key = new SecretKeySpec(key, "AES");
    }

    public static byte[] randomKey() {
        return random(KEY_BYTES);
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    public String encrypt(byte[] plain) {
        try {
            byte[] nonce = random(NONCE);
            Cipher cipher = Cipher.getInstance(ALGORITHM);
            cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, nonce));
            byte[] encrypted = cipher.doFinal(plain);
            byte[] all = Arrays.copyOf(nonce, NONCE + encrypted.length);
            System.arraycopy(encrypted, 0, all, NONCE, encrypted.length);
            return Base64.getEncoder().encodeToString(all);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Throws if the text was encrypted with another key or was changed. */
    public byte[] decrypt(String encrypted) throws GeneralSecurityException {
        byte[] all = Base64.getDecoder().decode(encrypted);
        if (all.length < NONCE) {
            throw new GeneralSecurityException("too short");
        }
        Cipher cipher = Cipher.getInstance(ALGORITHM);
        cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, all, 0, NONCE));
        return cipher.doFinal(all, NONCE, all.length - NONCE);
    }
}
