package farm.gantry.api.main.support;

import farm.gantry.api.settings.Setting;
import farm.gantry.api.settings.Settings;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Redacts lines for strangers to read. It keeps only what is known to be harmless: words, short numbers, times,
 * versions, names of code and of settings, and routes without ids. Everything else becomes a number in angle brackets,
 * which is the same for the same text, such as {@code <3>}.
 */
final class LogRedaction {
    /** Shorter values would redact common words. */
    private static final int MIN_SECRET_LENGTH = 4;

    private static final Pattern STACK_FRAME =
            Pattern.compile("\\s*at [\\w.$/@<>-]+\\((?:\\w+\\.java(?::\\d+)?|Native Method|Unknown Source)\\)");
    private static final Pattern QUOTED = Pattern.compile("\"[^\"]*\"");
    private static final Pattern TOKEN = Pattern.compile("[^\\s\",;()\\[\\]{}|<>]+");
    private static final Pattern PUNCTUATED = Pattern.compile("(['`]*)(.*?)([.:!?'`…]*)");
    private static final Pattern ASSIGNMENT = Pattern.compile("([A-Za-z][A-Za-z._-]{0,40})=(.+)");
    private static final Pattern ROUTE = Pattern.compile("/(?:v1|console|docs|link|health|metrics)(?:/[^?#]*)?");
    private static final Pattern ROUTE_SEGMENT = Pattern.compile("(?<=/)(?!(?:v1|[a-z-]{1,30})(?:/|$))[^/]+");

    private static final Pattern NUMBER = Pattern.compile("[+-]?\\d{1,6}(?:\\.\\d{1,3})?(?:ms|s|m|h|d|kB|KB|MB|GB|%)?");
    private static final Pattern HARMLESS = Pattern.compile(String.join(
            "|",
            "[-–—=:.*+…!?/#&]+",
            "true|false|V\\d+",
            "\\d{4}-\\d\\d-\\d\\d(?:T\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d+)?Z?)?",
            "\\d\\d:\\d\\d(?::\\d\\d(?:[.,]\\d+)?)?",
            "\\d+\\.\\d+\\.\\d+(?:-[a-z]+\\.\\d+)?",
            "[A-Z]?[a-z]{0,20}(?:[-_'/’][A-Za-z]?[a-z]{0,20}){0,4}", // a word, or several joined
            "[A-Z_]{1,24}",
            "[a-z]{0,20}(?:[A-Z]{1,4}[a-z]{2,20}){1,5}", // a class or a method
            "(?:farm\\.gantry|java|javax|jdk|io\\.micronaut|io\\.netty|org\\.postgresql|org\\.flywaydb)(?:\\.[A-Za-z$_]+)+",
            "[a-z](?:\\.[a-z]{1,20}){1,8}\\.[A-Z][A-Za-z$]{1,40}")); // a logger's short name

    private static final Set<String> SETTINGS =
            Settings.ALL.stream().map(Setting::key).collect(Collectors.toSet());

    private final List<String> secrets;
    private final Map<String, String> numbers = new HashMap<>();

    /** Creates a redaction that also replaces these texts wherever they occur. */
    LogRedaction(Collection<String> secrets) {
        this.secrets = secrets.stream()
                .filter(secret -> secret.length() >= MIN_SECRET_LENGTH)
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }

    String redact(String text) {
        return text.lines().map(this::redactLine).collect(Collectors.joining("\n", "", "\n"));
    }

    private String redactLine(String line) {
        String rest = line;
        for (String secret : secrets) {
            if (rest.contains(secret)) {
                rest = rest.replace(secret, number(secret));
            }
        }
        if (STACK_FRAME.matcher(rest).matches()) {
            return rest;
        } else if (!rest.startsWith("{")) { // the strings of JSON are redacted word by word
            rest = QUOTED.matcher(rest).replaceAll(match -> '"' + number(match.group()) + '"');
        }
        return TOKEN.matcher(rest).replaceAll(this::redactToken);
    }

    private String redactToken(MatchResult token) {
        MatchResult parts = match(PUNCTUATED, token.group());
        return quote(parts.group(1) + redactBare(parts.group(2)) + parts.group(3));
    }

    private String redactBare(String token) {
        if (NUMBER.matcher(token).matches() || HARMLESS.matcher(token).matches() || SETTINGS.contains(token)) {
            return token;
        } else if (ROUTE.matcher(token).matches()) {
            return ROUTE_SEGMENT.matcher(token).replaceAll(quoted(MatchResult::group));
        }
        var assignment = ASSIGNMENT.matcher(token);
        if (assignment.matches()) {
            String value = assignment.group(2);
            boolean isHarmless = NUMBER.matcher(value).matches() || value.equals("true") || value.equals("false");
            return assignment.group(1) + "=" + (isHarmless ? value : number(value));
        }
        return number(token);
    }

    private Function<MatchResult, String> quoted(Function<MatchResult, String> text) {
        return match -> quote(number(text.apply(match)));
    }

    private static MatchResult match(Pattern pattern, String text) {
        var matcher = pattern.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalStateException(pattern + " matches every text");
        }
        return matcher.toMatchResult();
    }

    private static String quote(String replacement) {
        return replacement.replace("\\", "\\\\").replace("$", "\\$");
    }

    private String number(String text) {
        return numbers.computeIfAbsent(text, _ -> "<" + (numbers.size() + 1) + ">");
    }
}
