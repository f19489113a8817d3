package farm.gantry.ingest.cad;

import farm.gantry.RecordBuilder;
import farm.gantry.part.PartParameter;
import farm.gantry.part.PartParameter.Option;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The customizable parameters of an OpenSCAD file: the assignments before its first module or block. The comment above one
 * describes it, the one behind it says what it may be, and {@code [Group]} comments gather them.
 */
final class OpenScadParameterParser {
    private static final int MAX_LENGTH = 1 << 20;
    private static final int MAX_COUNT = 200;
    private static final Pattern GROUP = Pattern.compile("/\\*\\s*\\[([^\\]]{1,100})\\]\\s*\\*/");
    private static final Pattern COMMENT = Pattern.compile("//\\s?(.*)");
    private static final Pattern ASSIGNMENT = Pattern.compile(
            "([A-Za-z_$]\\w{0,63})\\s*=\\s*(-?[\\d.]+(?:[eE][-+]?\\d+)?|true|false|\"(?:[^\"\\\\]|\\\\.)*+\")\\s*;\\s*(?://\\s*(.*))?");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_]\\w{0,63}");
    private static final Pattern CODE = Pattern.compile("(module|function)\\b.*|.*\\{.*");

    private OpenScadParameterParser() {}

    static List<PartParameter> parse(Path source) throws IOException {
        String text;
        try (InputStream in = Files.newInputStream(source)) {
            text = new String(in.readNBytes(MAX_LENGTH), StandardCharsets.UTF_8);
        }
        SequencedMap<String, PartParameter> parameters = new LinkedHashMap<>(); // The last value of a name counts.
        String group = null;
        String description = null;
        for (String line : text.lines().map(String::strip).toList()) {
            Matcher grouped = GROUP.matcher(line);
            Matcher comment = COMMENT.matcher(line);
            Matcher assignment = ASSIGNMENT.matcher(line);
            if (grouped.matches()) {
                group = grouped.group(1).strip();
                description = null;
            } else if (comment.matches()) {
                description = comment.group(1).strip();
            } else if (assignment.matches()) {
                String name = assignment.group(1);
                boolean isShown = !"Hidden".equals(group) && !name.startsWith("$");
                if (isShown && (parameters.size() < MAX_COUNT || parameters.containsKey(name))) {
                    parameters.put(name, parseParameter(assignment, group, description));
                }
                description = null;
            } else if (CODE.matcher(line).matches()) {
                break;
            } else if (line.isEmpty()) {
                description = null;
            }
        }
        return List.copyOf(parameters.values());
    }

    private static PartParameter parseParameter(
            Matcher assignment, @Nullable String group, @Nullable String description) {
        Object value = parseValue(assignment.group(2));
        AllowedValues range = AllowedValues.of(assignment.group(3), value instanceof Double);
        PartParameter.Type type = switch (value) {
            case Double _ -> PartParameter.Type.number;
            case Boolean _ -> PartParameter.Type.FLAG;
            default -> PartParameter.Type.string;
        };
        String name = assignment.group(1);
        return RecordBuilder.of(PartParameter.class)
                .with(PartParameter::name, name)
                .with(PartParameter::type, type)
                .with(PartParameter::defaultValue, value)
                .with(PartParameter::label, toLabel(name))
                .with(PartParameter::description, description == null || description.isEmpty() ? null : description)
                .with(PartParameter::min, range.min())
                .with(PartParameter::max, range.max())
                .with(PartParameter::step, range.step())
                .with(PartParameter::options, range.options().isEmpty() ? null : range.options())
                .with(PartParameter::group, group)
                .build();
    }

    /** {@code lid_height} is shown as {@code Lid height}. */
    private static String toLabel(String name) {
        String words = name.replace('_', ' ').strip();
        return words.isEmpty() ? name : Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    private static Object parseValue(String text) {
        if (text.startsWith("\"")) {
            return text.substring(1, text.length() - 1).replaceAll("\\\\(.)", "$1");
        }
        if (text.equals("true") || text.equals("false")) {
            return Boolean.valueOf(text);
        }
        Double number = AllowedValues.parseNumber(text);
        return number == null ? text : number;
    }

    /** The values that a comment after an assignment allows; empty if it is only text. */
    private record AllowedValues(
            @Nullable Double min,
            @Nullable Double max,
            @Nullable Double step,
            List<Option> options) {
        private static final AllowedValues ANY = new AllowedValues(null, null, null, List.of());
        private static final Pattern LIST = Pattern.compile("\\[(.{1,2000})\\].*");

        static AllowedValues of(@Nullable String comment, boolean number) {
            if (comment == null) {
                return ANY;
            }
            Matcher list = LIST.matcher(comment.strip());
            if (!list.matches()) {
                Double step = number ? parseNumber(comment) : null;
                return step == null ? ANY : new AllowedValues(null, null, step, List.of());
            }
            String inside = list.group(1);
            String[] parts = inside.split(":", -1);
            if (number && !inside.contains(",") && parts.length <= 3) {
                Double first = parseNumber(parts[0]);
                Double last = parseNumber(parts[parts.length - 1]);
                Double middle = parts.length == 3 ? parseNumber(parts[1]) : null;
                if (first != null && last != null) {
                    double from = parts.length == 1 ? 0 : first;
                    return new AllowedValues(Math.min(from, last), Math.max(from, last), middle, List.of());
                }
            }
            return new AllowedValues(null, null, null, options(inside, number));
        }

        private static List<Option> options(String inside, boolean number) {
            List<Option> options = new ArrayList<>();
            for (String entry : inside.split(",", -1)) {
                int colon = entry.indexOf(':');
                String label = (colon < 0 ? entry : entry.substring(0, colon)).strip();
                Double numeric = number ? parseNumber(label) : null;
                Object value = numeric == null ? label.replaceAll("^\"|\"$", "") : numeric;
                options.add(new Option(
                        value, colon < 0 ? null : entry.substring(colon + 1).strip()));
            }
            return options;
        }

        static @Nullable Double parseNumber(String text) {
            try {
                Double number = Double.valueOf(text.strip());
                return Double.isFinite(number) ? number : null;
            } catch (NumberFormatException words) {
                return null;
            }
        }
    }

    /**
     * Returns the option that sets the parameter on OpenSCAD's command line, null if it equals the file's value; a
     * value cannot inject other options.
     */
    static @Nullable String toCommandLineOption(PartParameter parameter) {
        Object value = parameter.value();
        if (value == null
                || value.equals(parameter.defaultValue())
                || !NAME.matcher(parameter.name()).matches()) {
            return null;
        }
        return parameter.name() + "="
                + switch (value) {
                    case Number number -> Double.toString(number.doubleValue());
                    case Boolean flag -> flag.toString();
                    default -> "\"" + value.toString().replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
                };
    }
}
