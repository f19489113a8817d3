package farm.gantry.api.notification;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.KeyAgreement;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts a message for one browser, as <a href="https://www.rfc-editor.org/rfc/rfc8291">RFC 8291</a> says. The push service that transports
 * it cannot read it.
 */
final class PushEncryption {
    /** The maximum size of a message in bytes: that of one record without its tag, padding and header. */
    static final int MAX_BYTES = 3_993;

    private static final int RECORD_BYTES = 4_096;
    private static final int SALT_BYTES = 16;
    private static final int KEY_BYTES = 16;
    private static final int NONCE_BYTES = 12;
    private static final int SECRET_BYTES = 32;
    private static final int TAG_BITS = 128;
    /** Ends the last record. */
    private static final byte DELIMITER = 2;

    private static final SecureRandom RANDOM = new SecureRandom();

    private PushEncryption() {}

    /**
     * Returns the encrypted body.
     *
     * @param receiver the browser's public key of the subscription
     * @param secret the subscription's 16 bytes that the push service does not know
     */
    static byte[] encrypt(byte[] message, ECPublicKey receiver, byte[] secret) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
        byte[] salt = new byte[SALT_BYTES];
        RANDOM.nextBytes(salt);
        return encrypt(message, receiver, secret, generator.generateKeyPair(), salt);
    }

    static byte[] encrypt(byte[] message, ECPublicKey receiver, byte[] secret, KeyPair sender, byte[] salt)
            throws GeneralSecurityException {
        if (message.length > MAX_BYTES) {
            throw new IllegalArgumentException("a push message must not exceed " + MAX_BYTES + " bytes");
        }
        byte[] senderPoint = P256.encode((ECPublicKey) sender.getPublic());
        KeyAgreement agreement = KeyAgreement.getInstance("ECDH");
        agreement.init(sender.getPrivate());
        agreement.doPhase(receiver, true);
        byte[] info = concat("WebPush: info\0".getBytes(US_ASCII), P256.encode(receiver), senderPoint);
        byte[] shared = derive(agreement.generateSecret(), secret, info, SECRET_BYTES);
        byte[] key = derive(shared, salt, "Content-Encoding: aes128gcm\0".getBytes(US_ASCII), KEY_BYTES);
        byte[] nonce = derive(shared, salt, "Content-Encoding: nonce\0".getBytes(US_ASCII), NONCE_BYTES);
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
        byte[] header = ByteBuffer.allocate(SALT_BYTES + Integer.BYTES + 1)
                .put(salt)
                .putInt(RECORD_BYTES)
                .put((byte) senderPoint.length)
                .array();
        return concat(header, senderPoint, cipher.doFinal(concat(message, new byte[] {DELIMITER})));
    }

    private static byte[] derive(byte[] material, byte[] salt, byte[] info, int length)
            throws GeneralSecurityException {
        return KDF.getInstance("HKDF-SHA256")
                .deriveData(HKDFParameterSpec.ofExtract()
                        .addIKM(material)
                        .addSalt(salt)
                        .thenExpand(info, length));
    }

    private static byte[] concat(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteBuffer all = ByteBuffer.allocate(length);
        for (byte[] part : parts) {
            all.put(part);
        }
        return all.array();
    }
}
