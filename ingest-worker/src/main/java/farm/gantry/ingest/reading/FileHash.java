package farm.gantry.ingest.reading;

import farm.gantry.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.util.HexFormat;

/** The SHA-256 of a file or a stream in hexadecimal. */
public final class FileHash {
    private FileHash() {}

    public static String of(Path file) throws IOException {
        try (InputStream bytes = Files.newInputStream(file)) {
            return of(bytes);
        }
    }

    /** Of all bytes of the stream, which stays open. */
    public static String of(InputStream bytes) throws IOException {
        DigestOutputStream digested = new DigestOutputStream(OutputStream.nullOutputStream(), Sha256.digest());
        bytes.transferTo(digested);
        return HexFormat.of().formatHex(digested.getMessageDigest().digest());
    }
}
