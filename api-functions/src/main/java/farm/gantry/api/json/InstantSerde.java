package farm.gantry.api.json;

import io.micronaut.context.annotation.Primary;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.Decoder;
import io.micronaut.serde.Encoder;
import io.micronaut.serde.Serde;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** Instants in JSON: ISO 8601 in UTC, always with milliseconds. */
@Singleton
@Primary
final class InstantSerde implements Serde<Instant> {
    private static final DateTimeFormatter MILLIS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private static final String FORMAT_EXAMPLE = "0000-00-00T00:00:00.000Z";

    @Override
    public Instant deserialize(Decoder decoder, DecoderContext context, Argument<? super Instant> type)
            throws IOException {
        return read(decoder.decodeString());
    }

    /** Throws DateTimeException for what is no time with an offset. */
    static Instant read(String text) {
        Instant parsed = parseFast(text);
        return parsed == null ? OffsetDateTime.parse(text).toInstant() : parsed;
    }

    /** Parses the format written here without a formatter, which is many times slower; null for any other format. */
    private static @Nullable Instant parseFast(String text) {
        if (text.length() != FORMAT_EXAMPLE.length()) {
            return null;
        }
        for (int i = 0; i < FORMAT_EXAMPLE.length(); i++) {
            char expected = FORMAT_EXAMPLE.charAt(i);
            char c = text.charAt(i);
            if (expected == '0' ? c < '0' || c > '9' : c != expected) {
                return null;
            }
        }
        try {
            return LocalDateTime.of(
                            parseDigits(text, 0, 4),
                            parseDigits(text, 5, 7),
                            parseDigits(text, 8, 10),
                            parseDigits(text, 11, 13),
                            parseDigits(text, 14, 16),
                            parseDigits(text, 17, 19),
                            parseDigits(text, 20, 23) * 1_000_000)
                    .toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            return null; // the formatter says what is wrong
        }
    }

    private static int parseDigits(String text, int from, int to) {
        return Integer.parseInt(text, from, to, 10);
    }

    @Override
    public void serialize(Encoder encoder, EncoderContext context, Argument<? extends Instant> type, Instant value)
            throws IOException {
        encoder.encodeString(MILLIS.format(value));
    }
}
