package farm.gantry.ingest.reading;

import farm.gantry.Sha256;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.util.HexFormat;

/** The SHA-256 of a file in hexadecimal. */
public final class FileHash {
    private FileHash() {}

    public static String of(Path file) throws IOException {
        DigestOutputStream digested = new DigestOutputStream(OutputStream.nullOutputStream(), Sha256.digest());
        Files.copy(file, digested);
        return HexFormat.of().formatHex(digested.getMessageDigest().digest());
    }
}
