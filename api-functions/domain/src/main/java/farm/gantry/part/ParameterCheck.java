package farm.gantry.part;

import farm.gantry.file.FileUri;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Whether a value may be given to a part's parameter. */
public final class ParameterCheck {
    private static final double NEAR = 1e-6;

    private ParameterCheck() {}

    /** What is wrong with a value: a stable code, and the end of a sentence that begins with where it stands. */
    public record Wrong(String code, String message) {}

    public static Optional<Wrong> of(PartParameter parameter, @Nullable Object value) {
        return Optional.ofNullable(
                switch (parameter.type()) {
                    case number ->
                        value instanceof Number number
                                ? wrong(parameter, number.doubleValue())
                                : new Wrong("type", "must be a number");
                    case string ->
                        value instanceof String ? wrong(parameter, value) : new Wrong("type", "must be a string");
                    case FLAG -> value instanceof Boolean ? null : new Wrong("type", "must be true or false");
                    case file ->
                        value instanceof String uri && FileUri.parse(uri).isPresent()
                                ? null
                                : new Wrong("type", "must be the URI of a file");
                });
    }

    private static @Nullable Wrong wrong(PartParameter parameter, double number) {
        Double min = parameter.min();
        Double max = parameter.max();
        Double step = parameter.step();
        if (min != null && number < min) {
            return new Wrong("range", "must be at least " + plain(min));
        } else if (max != null && number > max) {
            return new Wrong("range", "must be at most " + plain(max));
        } else if (step != null && step > 0 && !isWhole((number - (min == null ? 0 : min)) / step)) {
            return new Wrong("step", "must go in steps of " + plain(step) + (min == null ? "" : " from " + plain(min)));
        }
        return wrong(parameter, (Object) number);
    }

    private static boolean isWhole(double steps) {
        return Math.abs(steps - Math.rint(steps)) < NEAR;
    }

    private static @Nullable Wrong wrong(PartParameter parameter, Object value) {
        var options = parameter.options();
        if (options == null || options.isEmpty()) {
            return null;
        }
        List<Object> values = options.stream().map(PartParameter.Option::value).toList();
        return values.stream().anyMatch(option -> isSame(option, value))
                ? null
                : new Wrong(
                        "enum",
                        "must be one of " + values.stream().map(String::valueOf).collect(Collectors.joining(", ")));
    }

    private static boolean isSame(Object option, Object value) {
        if (option instanceof Number one && value instanceof Number other) {
            return one.doubleValue() == other.doubleValue();
        }
        return Objects.equals(option, value);
    }

    private static String plain(double number) {
        boolean isShort = number == Math.rint(number) && Math.abs(number) < 1e15;
        return isShort ? String.valueOf((long) number) : String.valueOf(number);
    }
}
