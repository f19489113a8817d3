package farm.gantry.api.main.admin;

import farm.gantry.api.database.AesGcm;
import farm.gantry.api.main.process.SecretFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;

/** The key that encrypts the secrets of one archive. It is stored beside the archive, in a file that only its owner can read. */
record TransferKey(AesGcm cipher) {
    /** Returns the file of the key of an archive. */
    static Path fileOf(Path archive) {
        return archive.resolveSibling(archive.getFileName() + ".key");
    }

    /** Creates a key and stores it in the file. */
    static TransferKey create(Path file) throws IOException {
        byte[] key = AesGcm.randomKey();
        SecretFile.write(file, Base64.getEncoder().encodeToString(key));
        return new TransferKey(new AesGcm(key));
    }

    static TransferKey read(Path file) throws IOException {
        if (!Files.exists(file)) {
            throw new IOException(
                    "there is no " + file + ": copy the key of the archive beside it, or name it with --key");
        }
        try {
            return new TransferKey(
                    new AesGcm(Base64.getDecoder().decode(Files.readString(file).strip())));
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " is not the key of an archive", e);
        }
    }

    String encrypt(String text) {
        return cipher.encrypt(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Decrypts a text; throws if another key encrypted it. */
    String decrypt(String text) throws IOException {
        try {
            return new String(cipher.decrypt(text), StandardCharsets.UTF_8);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException("the key is not that of this archive", e);
        }
    }
}
