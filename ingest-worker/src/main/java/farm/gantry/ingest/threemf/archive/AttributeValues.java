package farm.gantry.ingest.threemf.archive;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Parses attribute values; an invalid one is null. */
public final class AttributeValues {
    private static final double MAX_SIZE = 1e9;

    private AttributeValues() {}

    public static @Nullable Integer integer(@Nullable String text) {
        try {
            return text == null ? null : Integer.valueOf(text.strip());
        } catch (NumberFormatException garbage) {
            return null;
        }
    }

    /** Zero or more: there is no negative time, weight or length in a slice. */
    public static @Nullable Double decimal(@Nullable String text) {
        try {
            double number = text == null ? Double.NaN : Double.parseDouble(text);
            return number >= 0 && number < MAX_SIZE ? Double.valueOf(number) : null;
        } catch (NumberFormatException garbage) {
            return null;
        }
    }

    public static @Nullable Boolean flag(@Nullable String text) {
        return text == null
                ? null
                : Boolean.valueOf(text.strip().equals("true") || text.strip().equals("1"));
    }

    /** {@code "1 2 1"}. */
    public static @Nullable List<Integer> integers(@Nullable String text) {
        return text == null || text.isBlank()
                ? null
                : Stream.of(text.strip().split("\\s+", -1))
                        .map(AttributeValues::integer)
                        .filter(Objects::nonNull)
                        .toList();
    }
}
