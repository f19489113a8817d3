package farm.gantry.ingest.gcode;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Parses numbers as slicers write them. Infinite, negative and implausible ones are placeholders, for which the result
 * is null.
 */
final class NumberParser {
    private static final double MAX_SIZE = 1e9;
    private static final long MAX_PRINT = 366L * 24 * 3600;
    private static final Pattern LEADING = Pattern.compile("\\s*(-?\\d+(?:\\.\\d*)?|-?\\.\\d+)(?![\\w.%])(.*)");
    private static final Pattern SPAN = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([a-z]*)");

    private static final Pattern NEGATIVE = Pattern.compile("-\\s*\\d");

    private NumberParser() {}

    /** The number a text begins with; its unit, if any, stands apart or not at all. */
    static @Nullable Double of(String text) {
        var leading = LEADING.matcher(text);
        if (!leading.matches()) {
            return null;
        }
        double number = Double.parseDouble(leading.group(1));
        return number >= 0 && number < MAX_SIZE ? Double.valueOf(number) : null;
    }

    /**
     * Parses a comma-separated list. Returns an empty list if any value is invalid, because a gap would assign values
     * to wrong tools.
     */
    static List<Double> list(String text) {
        return text.isBlank() ? List.of() : list(Stream.of(text.split(",", -1)).toList());
    }

    static List<Double> one(@Nullable Double number) {
        return number == null ? List.of() : List.of(number);
    }

    static List<Double> list(List<String> texts) {
        List<Double> numbers = new ArrayList<>();
        for (String text : texts) {
            Double number = of(text);
            if (number == null) {
                return List.of();
            }
            numbers.add(number);
        }
        return List.copyOf(numbers);
    }

    /** {@code 1d 2h 3m 4s}, {@code 1 hour 2 minutes}, {@code 7.94 minutes} or bare seconds. */
    static @Nullable Long seconds(String text) {
        if (NEGATIVE.matcher(text).find()) {
            return null;
        }
        double seconds = 0;
        boolean any = false;
        var span = SPAN.matcher(text.toLowerCase(Locale.ROOT));
        while (span.find()) {
            double unit = unit(span.group(2));
            if (unit == 0) {
                return null;
            }
            seconds += Double.parseDouble(span.group(1)) * unit;
            any = true;
        }
        return any && seconds <= MAX_PRINT ? Long.valueOf(Math.round(seconds)) : null;
    }

    private static double unit(String name) {
        return switch (name) {
            case "", "s", "sec", "secs", "second", "seconds" -> 1;
            case "m", "min", "mins", "minute", "minutes" -> 60;
            case "h", "hr", "hrs", "hour", "hours" -> 3600;
            case "d", "day", "days" -> 86_400;
            default -> 0;
        };
    }
}
