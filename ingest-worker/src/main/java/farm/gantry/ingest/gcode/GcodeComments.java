package farm.gantry.ingest.gcode;

import farm.gantry.ingest.reading.GcodeMetadata.Slicer;
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
 * The comments of a G-code: its first lines, and every {@code key = value}, {@code key: value} or
 * {@code key,value} under its key in lower case. Heating commands are kept under their name ({@code m190}).
 */
final class GcodeComments {
    private static final int OPENING_LINES = 200;
    private static final int MAX_OPENING = 1000;
    private static final int MAX_COMMAND = 1000;
    private static final int MAX_TOOLS = 16;
    private static final int MAX_VALUE = 1 << 14;
    private static final String MARGIN = "; \t-";
    private static final String SEPARATORS = "=:,";
    private static final Pattern HEAT = Pattern.compile("(M1\\d\\d)\\b.*?\\bS([\\d.]+)");
    private static final Pattern ZERO = Pattern.compile("[0.]+");

    private final List<String> opening = new ArrayList<>();
    private final Map<String, String> first = new HashMap<>();
    private final Map<String, String> last = new HashMap<>();

    private final Set<String> warnings = new LinkedHashSet<>();

    private GcodeComments() {}

    static GcodeComments parse(HeadAndTail ends) {
        var comments = new GcodeComments();
        var pictures = new CommentThumbnails.ThumbnailLineFilter();
        ends.forEachLine(line -> {
            if (!pictures.isPicture(line)) {
                comments.add(line);
            }
        });
        return comments;
    }

    private void add(String line) {
        if (line.startsWith("M")) {
            var heat = HEAT.matcher(line).region(0, Math.min(line.length(), MAX_COMMAND));
            if (heat.lookingAt() && !ZERO.matcher(heat.group(2)).matches()) {
                store(heat.group(1), heat.group(2));
            }
            return;
        }
        String content = withoutMargin(line);
        if (opening.size() < OPENING_LINES && content.length() < MAX_OPENING) {
            opening.add(content);
        }
        int separator = 0;
        while (separator < content.length() && SEPARATORS.indexOf(content.charAt(separator)) < 0) {
            separator++;
        }
        if (separator < content.length() && content.length() - separator < MAX_VALUE) {
            store(
                    content.substring(0, separator).strip(),
                    content.substring(separator + 1).strip());
        }
    }

    private static String withoutMargin(String line) {
        int start = 0;
        while (start < line.length() && MARGIN.indexOf(line.charAt(start)) >= 0) {
            start++;
        }
        return line.substring(start).stripTrailing();
    }

    private void store(String key, String value) {
        String lower = key.toLowerCase(Locale.ROOT);
        first.putIfAbsent(lower, value);
        last.put(lower, value);
    }

    /** The first match among the opening lines. */
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
        return NumberParser.of(text(keys));
    }

    List<Double> numbers(String... keys) {
        return NumberParser.list(text(keys));
    }

    /** The values of the keys with the numbers of tools, from 1 up to the first without a value. */
    List<Double> numbersPerTool(String prefix, String suffix) {
        List<Double> numbers = new ArrayList<>();
        for (int tool = 1; tool <= MAX_TOOLS; tool++) {
            Double number = number(prefix + tool, prefix + tool + suffix);
            if (number == null) {
                break;
            }
            numbers.add(number);
        }
        return List.copyOf(numbers);
    }

    /** The slicer of this name, if its signature is found; the version is the signature's group. */
    @Nullable
    Slicer slicer(String name, Pattern signature) {
        Matcher found = find(signature);
        return found == null ? null : new Slicer(name, found.group(1), null);
    }

    @Nullable
    Long seconds(String... keys) {
        return parseDuration(text(keys));
    }

    /** The seconds of a time; an implausible one adds a warning. */
    @Nullable
    Long parseDuration(String content) {
        Long seconds = NumberParser.seconds(content);
        if (seconds == null && content.contains("-")) {
            warnings.add("The print time '" + content + "' cannot be, so it is left out");
        }
        return seconds;
    }

    /** Adds a warning. */
    void warn(String what) {
        warnings.add(what);
    }

    /** Implausible or unreliable values among those read so far. */
    List<String> warnings() {
        return List.copyOf(warnings);
    }

    /** The last value in the file. */
    @Nullable
    Double lastNumber(String key) {
        return NumberParser.of(last.getOrDefault(key, ""));
    }

    /** A comment block as settings; quoted texts may hold their own separators. */
    SlicerSettings settings() {
        return (key, separator) -> SlicerSettings.split(first.getOrDefault(key, ""), separator);
    }
}
