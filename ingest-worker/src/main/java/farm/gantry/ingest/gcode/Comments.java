package farm.gantry.ingest.gcode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the comments of a G-code say: its first lines, and every {@code key = value}, {@code key: value} or
 * {@code key,value} under its key in lower case. Heating commands are kept under their name ({@code m190}).
 */
final class Comments {
    private static final int OPENING_LINES = 200;
    private static final int LONGEST_OPENING = 1000;
    private static final int LONGEST_VALUE = 1 << 14;
    private static final String MARGIN = "; \t-";
    private static final String SEPARATORS = "=:,";
    private static final Pattern HEAT = Pattern.compile("(M1\\d\\d)\\b.*?\\bS([\\d.]+).*");
    private static final Pattern ZERO = Pattern.compile("[0.]+");

    private final List<String> opening = new ArrayList<>();
    private final Map<String, String> first = new HashMap<>();
    private final Map<String, String> last = new HashMap<>();

    private final Set<String> warnings = new LinkedHashSet<>();

    private Comments() {}

    static Comments of(Ends ends) {
        var comments = new Comments();
        var pictures = new Thumbnails.Skipper();
        ends.each(line -> {
            if (!pictures.isPicture(line)) {
                comments.add(line);
            }
        });
        return comments;
    }

    private void add(String line) {
        if (line.startsWith("M")) {
            var heat = HEAT.matcher(line);
            if (heat.matches() && !ZERO.matcher(heat.group(2)).matches()) {
                keep(heat.group(1), heat.group(2));
            }
            return;
        }
        String said = withoutMargin(line);
        if (opening.size() < OPENING_LINES && said.length() < LONGEST_OPENING) {
            opening.add(said);
        }
        int separator = 0;
        while (separator < said.length() && SEPARATORS.indexOf(said.charAt(separator)) < 0) {
            separator++;
        }
        if (separator < said.length() && said.length() - separator < LONGEST_VALUE) {
            keep(
                    said.substring(0, separator).strip(),
                    said.substring(separator + 1).strip());
        }
    }

    private static String withoutMargin(String line) {
        int start = 0;
        while (start < line.length() && MARGIN.indexOf(line.charAt(start)) >= 0) {
            start++;
        }
        return line.substring(start).stripTrailing();
    }

    private void keep(String key, String value) {
        String lower = key.toLowerCase(Locale.ROOT);
        first.putIfAbsent(lower, value);
        last.put(lower, value);
    }

    /** The first opening line that has this form. */
    @Nullable
    Matcher find(Pattern form) {
        return opening.stream()
                .map(form::matcher)
                .filter(Matcher::find)
                .findFirst()
                .orElse(null);
    }

    /** The first value of the first of these keys that has one, else {@code ""}. */
    String text(String... keys) {
        return Stream.of(keys)
                .map(key -> first.getOrDefault(key, ""))
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElse("");
    }

    boolean has(String key) {
        return first.containsKey(key);
    }

    @Nullable
    Double number(String... keys) {
        return Numbers.of(text(keys));
    }

    List<Double> numbers(String... keys) {
        return Numbers.list(text(keys));
    }

    @Nullable
    Long seconds(String... keys) {
        return time(text(keys));
    }

    /** A time that is told and cannot be is remembered. */
    @Nullable
    Long time(String said) {
        Long seconds = Numbers.seconds(said);
        if (seconds == null && said.contains("-")) {
            warnings.add("The print time '" + said + "' cannot be, so it is left out");
        }
        return seconds;
    }

    /** Remembers what is not to be relied upon. */
    void doubt(String what) {
        warnings.add(what);
    }

    /** What was asked for so far and cannot be, or is not to be relied upon. */
    List<String> warnings() {
        return List.copyOf(warnings);
    }

    /** The value that stands nearest to the end of the file. */
    @Nullable
    Double lastNumber(String key) {
        return Numbers.of(last.getOrDefault(key, ""));
    }

    /** A comment block as settings; quoted texts may hold their own separators. */
    Settings settings() {
        return (key, separator) -> Settings.split(first.getOrDefault(key, ""), separator);
    }
}
