package farm.gantry.api.json;

import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;

/** Writes objects as JSON text, and reads JSON that this program has written. */
@Singleton
public final class JsonCodec {
    private final JsonMapper mapper;

    JsonCodec(JsonMapper mapper) {
        this.mapper = mapper;
    }

    /** Returns the JSON of an object as in responses. */
    public String write(Object value) {
        try {
            return mapper.writeValueAsString(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes an object by its declared type, which lists of polymorphic elements need. */
    public <T> String write(Argument<T> type, T value) {
        try {
            return mapper.writeValueAsString(type, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads JSON that {@link #write} has written. */
    public <T> T read(String json, Argument<T> type) {
        try {
            return Objects.requireNonNull(mapper.readValue(json, type));
        } catch (IOException e) {
            throw new UncheckedIOException("stored JSON cannot be read", e);
        }
    }
}
