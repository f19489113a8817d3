package farm.gantry.api.http;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Gzip compression and decompression of bodies, the only supported coding. */
public final class Gzip {
    private static final int TRAILER = 8;

    private Gzip() {}

    /** Whether an {@code Accept-Encoding} header prefers gzip over identity. */
    public static boolean isPreferred(String acceptEncoding) {
        OptionalDouble gzip = weight(acceptEncoding, "gzip");
        double wanted = gzip.isPresent()
                ? gzip.getAsDouble()
                : weight(acceptEncoding, "*").orElse(0);
        return wanted > 0 && wanted >= weight(acceptEncoding, "identity").orElse(0);
    }

    /** Returns the weight (q) of a coding; empty if the header does not name it. */
    private static OptionalDouble weight(String acceptEncoding, String coding) {
        for (String each : acceptEncoding.toLowerCase(Locale.ROOT).split(",", -1)) {
            String[] parts = each.split(";", -1);
            if (parts[0].strip().equals(coding)) {
                return OptionalDouble.of(parts.length == 1 ? 1 : weight(parts[1].strip()));
            }
        }
        return OptionalDouble.empty();
    }

    private static double weight(String parameter) {
        return parameter.matches("q\\s*=\\s*[01](\\.\\d{0,3})?")
                ? Double.parseDouble(parameter.replaceFirst("q\\s*=\\s*", ""))
                : 0;
    }

    public static byte[] compress(byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 4 + 64);
        try (GZIPOutputStream gzip = new FastGzipStream(out)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /**
     * Returns the decompressed bytes, cut off after {@code maxBytes}.
     *
     * @throws IOException if the data is truncated or followed by trailing bytes
     */
    public static byte[] decompress(byte[] bytes, int maxBytes) throws IOException {
        try (SingleMemberGzipStream gzip = new SingleMemberGzipStream(bytes)) {
            byte[] plain = gzip.readNBytes(maxBytes);
            if (plain.length < maxBytes) {
                gzip.checkEnd();
            }
            return plain;
        }
    }

    /** Reads a single gzip member; buffers all input, so that trailing bytes can be detected. */
    private static final class SingleMemberGzipStream extends GZIPInputStream {
        SingleMemberGzipStream(byte[] bytes) throws IOException {
            super(new ByteArrayInputStream(bytes), Math.max(1, bytes.length));
        }

        void checkEnd() throws IOException {
            if (inf.getRemaining() > TRAILER) {
                throw new IOException("trailing bytes after the gzip stream");
            }
        }
    }

    private static final class FastGzipStream extends GZIPOutputStream {
        FastGzipStream(ByteArrayOutputStream out) throws IOException {
            super(out);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
