package farm.gantry.api.main;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Compression where no server does it for us. */
final class Gzip {
    private Gzip() {}

    /** Whether an {@code Accept-Encoding} header wants gzip. */
    static boolean isAccepted(String acceptEncoding) {
        for (String coding : acceptEncoding.toLowerCase(Locale.ROOT).split(",", -1)) {
            String[] parts = coding.strip().split(";", -1);
            if (parts[0].strip().equals("gzip") || parts[0].strip().equals("*")) {
                return parts.length == 1 || !parts[1].strip().matches("q=0(\\.0*)?");
            }
        }
        return false;
    }

    static byte[] deflated(byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 4 + 64);
        try (GZIPOutputStream gzip = new Fast(out)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** What the bytes inflate to, of which at most so many bytes are made. */
    static byte[] inflated(byte[] bytes, int most) throws IOException {
        try (InputStream gzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return gzip.readNBytes(most);
        }
    }

    private static final class Fast extends GZIPOutputStream {
        Fast(ByteArrayOutputStream out) throws IOException {
            super(out);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
