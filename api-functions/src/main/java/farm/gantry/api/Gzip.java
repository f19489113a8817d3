package farm.gantry.api;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** The one compression that is spoken. */
public final class Gzip {
    private static final int TRAILER = 8;

    private Gzip() {}

    /** Whether an {@code Accept-Encoding} header would have gzip rather than nothing. */
    public static boolean isPreferred(String acceptEncoding) {
        OptionalDouble gzip = weight(acceptEncoding, "gzip");
        double wanted = gzip.isPresent()
                ? gzip.getAsDouble()
                : weight(acceptEncoding, "*").orElse(0);
        return wanted > 0 && wanted >= weight(acceptEncoding, "identity").orElse(0);
    }

    /** The weight that is given to a coding; none where it is not named. */
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

    public static byte[] deflated(byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 4 + 64);
        try (GZIPOutputStream gzip = new Fast(out)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /**
     * What the bytes inflate to, of which at most so many bytes are made.
     *
     * @throws IOException if they are not whole, or something follows them
     */
    public static byte[] inflated(byte[] bytes, int most) throws IOException {
        try (Whole gzip = new Whole(bytes)) {
            byte[] plain = gzip.readNBytes(most);
            if (plain.length < most) {
                gzip.checkEnd();
            }
            return plain;
        }
    }

    /** Its buffer holds all the bytes, so that those which were not used can be counted. */
    private static final class Whole extends GZIPInputStream {
        Whole(byte[] bytes) throws IOException {
            super(new ByteArrayInputStream(bytes), Math.max(1, bytes.length));
        }

        void checkEnd() throws IOException {
            if (inf.getRemaining() > TRAILER) {
                throw new IOException("something follows what was compressed");
            }
        }
    }

    private static final class Fast extends GZIPOutputStream {
        Fast(ByteArrayOutputStream out) throws IOException {
            super(out);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
