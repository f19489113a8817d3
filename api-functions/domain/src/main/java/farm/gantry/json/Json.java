package farm.gantry.json;

import io.micronaut.core.type.Argument;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts records and trees to JSON and back. Nulls and empty lists are written, because merge patches need them. */
public final class Json {
    private static final ObjectMapper MAPPER =
            ObjectMapper.create(Map.of("micronaut.serde.serialization.inclusion", "ALWAYS"));
    private static final Argument<Map<String, Object>> TREE = Argument.mapOf(String.class, Object.class);

    private Json() {}

    public static String write(Object value) {
        try {
            return new String(MAPPER.writeValueAsBytes(value), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a list with the declared type of its elements; a sealed type needs it for its type property. */
    public static <T> String write(Class<T> type, List<T> values) {
        try {
            return new String(MAPPER.writeValueAsBytes(Argument.listOf(type), values), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static <T> T read(String text, Class<T> type) throws IOException {
        return present(MAPPER.readValue(text, Argument.of(type)));
    }

    public static <T> List<T> list(String text, Class<T> type) throws IOException {
        return present(MAPPER.readValue(text, Argument.listOf(type)));
    }

    /** Parses JSON into maps, lists, strings, numbers, booleans and nulls. */
    public static Map<String, Object> tree(String text) throws IOException {
        return present(MAPPER.readValue(text, TREE));
    }

    private static <T> T present(@Nullable T value) throws IOException {
        if (value == null) {
            throw new IOException("JSON is empty");
        }
        return value;
    }
}
