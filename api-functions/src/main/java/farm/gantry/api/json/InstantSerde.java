package farm.gantry.api.json;

import io.micronaut.context.annotation.Primary;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.Decoder;
import io.micronaut.serde.Encoder;
import io.micronaut.serde.Serde;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Instants in JSON: ISO 8601 in UTC, always with milliseconds. */
@Singleton
@Primary
final class InstantSerde implements Serde<Instant> {
    private static final DateTimeFormatter MILLIS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    @Override
    public Instant deserialize(Decoder decoder, DecoderContext context, Argument<? super Instant> type)
            throws IOException {
        return OffsetDateTime.parse(decoder.decodeString()).toInstant();
    }

    @Override
    public void serialize(Encoder encoder, EncoderContext context, Argument<? extends Instant> type, Instant value)
            throws IOException {
        encoder.encodeString(MILLIS.format(value));
    }
}
