package farm.gantry.json;

import io.micronaut.context.annotation.Primary;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.Encoder;
import io.micronaut.serde.Serializer;
import jakarta.inject.Singleton;
import java.io.IOException;

/** Writes a double that is a whole number without a fraction: {@code 1000}, not {@code 1000.0}. */
@Singleton
@Primary
final class DoubleSerializer implements Serializer<Double> {
    /** The largest double below which every whole number is exact. */
    private static final double MAX_EXACT = 0x1p53;

    @Override
    public void serialize(Encoder encoder, EncoderContext context, Argument<? extends Double> type, Double value)
            throws IOException {
        if (value == Math.rint(value) && Math.abs(value) <= MAX_EXACT) {
            encoder.encodeLong(value.longValue());
        } else {
            encoder.encodeDouble(value);
        }
    }
}
