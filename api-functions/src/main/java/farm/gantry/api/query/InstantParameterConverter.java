package farm.gantry.api.query;

import farm.gantry.api.json.StorableInstant;
import io.micronaut.core.convert.ConversionContext;
import io.micronaut.core.convert.TypeConverter;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** Reads the times of a query as filters of lists do, dates too. */
@Singleton
final class InstantParameterConverter implements TypeConverter<CharSequence, Instant> {
    @Override
    public Optional<Instant> convert(CharSequence text, Class<Instant> type, ConversionContext context) {
        try {
            return Optional.of(StorableInstant.parse(text.toString()));
        } catch (DateTimeParseException e) {
            context.reject(text, e);
            return Optional.empty();
        }
    }
}
