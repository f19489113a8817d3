package farm.gantry.api.queue;

import io.micronaut.core.type.Argument;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;

/** Reads the bodies of queued messages, which this program has written. */
record MessageReader(ObjectMapper mapper) {
    <T> T read(String body, Argument<T> type) {
        try {
            return Objects.requireNonNull(mapper.readValue(body, type));
        } catch (IOException e) {
            throw new UncheckedIOException("a queued message cannot be read", e);
        }
    }
}
