package farm.gantry.part;

import farm.gantry.SelfValidating;
import farm.gantry.file.FileUri;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Validates the values of a part's parameters. */
public final class ParameterCheck {
    private static final double NEAR = 1e-6;

    private ParameterCheck() {}

    /** A rule that a value violates: a stable error code, and a predicate that follows the path in the message. */
    public record Violation(String code, String message) {}

    public static Optional<Violation> check(PartParameter parameter, @Nullable Object value) {
        PartParameter.Type type = parameter.type();
        if (value == null || !type.admits(value)) {
            return Optional.of(new Violation("type", type.requirement()));
        }
        return Optional.ofNullable(
                switch (type) {
                    case number -> findViolation(parameter, ((Number) value).doubleValue());
                    case string -> findViolation(parameter, value);
                    case FLAG -> null;
                    case file ->
                        FileUri.parse((String) value).isPresent() ? null : new Violation("type", type.requirement());
                });
    }

    /** Returns the faults of parameters' values and defaults by their ranges, steps and options. */
    public static List<SelfValidating.Fault> checkOwnValues(List<PartParameter> parameters) {
        return IntStream.range(0, parameters.size())
                .boxed()
                .flatMap(i -> Stream.of(
                                checkOwnValue(
                                        parameters.get(i),
                                        "value",
                                        parameters.get(i).value()),
                                checkOwnValue(
                                        parameters.get(i),
                                        "default",
                                        parameters.get(i).defaultValue()))
                        .flatMap(Optional::stream)
                        .map(fault -> new SelfValidating.Fault(
                                "parameters[" + i + "]." + fault.component(), fault.code(), fault.message())))
                .toList();
    }

    private static Optional<SelfValidating.Fault> checkOwnValue(
            PartParameter parameter, String component, @Nullable Object value) {
        return checkOwnValue(parameter, value)
                .map(wrong -> new SelfValidating.Fault(component, wrong.code(), wrong.message()));
    }

    /** Returns the fault of a value that the part itself gives to the parameter; an empty text means no value. */
    public static Optional<Violation> checkOwnValue(PartParameter parameter, @Nullable Object value) {
        return value == null || value.equals("") || parameter.type() == PartParameter.Type.file
                ? Optional.empty()
                : check(parameter, value);
    }

    /** Returns faults of duplicate parameter names. */
    public static List<SelfValidating.Fault> checkNamesUnique(List<String> names) {
        Set<String> seen = new HashSet<>();
        return IntStream.range(0, names.size())
                .filter(i -> !seen.add(names.get(i)))
                .mapToObj(i -> new SelfValidating.Fault(
                        "parameters[" + i + "].name", "invalid", "is the name of another parameter"))
                .toList();
    }

    private static @Nullable Violation findViolation(PartParameter parameter, double number) {
        Double min = parameter.min();
        Double max = parameter.max();
        Double step = parameter.step();
        if (min != null && number < min) {
            return new Violation("range", "must be at least " + format(min));
        } else if (max != null && number > max) {
            return new Violation("range", "must be at most " + format(max));
        } else if (step != null && step > 0 && !isWhole((number - (min == null ? 0 : min)) / step)) {
            return new Violation(
                    "step", "must go in steps of " + format(step) + (min == null ? "" : " from " + format(min)));
        }
        return findViolation(parameter, (Object) number);
    }

    private static boolean isWhole(double steps) {
        return Math.abs(steps - Math.rint(steps)) < NEAR;
    }

    private static @Nullable Violation findViolation(PartParameter parameter, Object value) {
        var options = parameter.options();
        if (options == null || options.isEmpty()) {
            return null;
        }
        List<Object> values = options.stream().map(PartParameter.Option::value).toList();
        return values.stream().anyMatch(option -> isSame(option, value))
                ? null
                : new Violation(
                        "enum",
                        "must be one of " + values.stream().map(String::valueOf).collect(Collectors.joining(", ")));
    }

    private static boolean isSame(Object option, Object value) {
        if (option instanceof Number one && value instanceof Number other) {
            return one.doubleValue() == other.doubleValue();
        }
        return Objects.equals(option, value);
    }

    private static String format(double number) {
        boolean isShort = number == Math.rint(number) && Math.abs(number) < 1e15;
        return isShort ? String.valueOf((long) number) : String.valueOf(number);
    }
}
