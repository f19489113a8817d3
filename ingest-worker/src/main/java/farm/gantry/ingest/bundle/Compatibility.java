package farm.gantry.ingest.bundle;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * Whether a filament's or process's settings suit a machine: it is named in {@code compatible_printers}, or, where none
 * is, meets {@code compatible_printers_condition}, a small language of comparisons over the machine's settings such as
 * {@code printer_model=~/MK3.*}{@code / and nozzle_diameter[0]>=0.4}. As in the slicers, a condition that cannot be read
 * holds for every machine. Expressions are RE2's, which no text can keep busy.
 */
public final class Compatibility {
    private static final java.util.regex.Pattern TOKEN = java.util.regex.Pattern.compile(
            "\\s*(?:(?<sign>==|!=|=~|!~|<=|>=|\\|\\||&&|[<>!()\\[\\]])|\"(?<text>[^\"]*)\""
                    + "|/(?<expression>(?:\\\\/|[^/])*)/|(?<word>[\\w.-]+)|(?<end>$))");

    private enum Kind {
        SIGN,
        TEXT,
        EXPRESSION,
        WORD
    }

    private record Token(Kind kind, String text) {}

    private final Deque<Token> tokens = new ArrayDeque<>();
    private final Map<String, Object> machine;

    private Compatibility(String condition, Map<String, Object> machine) {
        this.machine = machine;
        Matcher matcher = TOKEN.matcher(condition);
        while (matcher.lookingAt() && matcher.group("end") == null) {
            tokens.add(token(matcher));
            matcher.region(matcher.end(), condition.length());
        }
        if (!matcher.lookingAt()) {
            throw new UnreadableException(condition);
        }
    }

    private static Token token(Matcher matcher) {
        for (Kind kind : Kind.values()) {
            String text = matcher.group(kind.name().toLowerCase(Locale.ROOT));
            if (text != null) {
                return new Token(kind, text);
            }
        }
        throw new UnreadableException(matcher.group());
    }

    /** {@code names} are the machine profile's and those of the profiles it rests on. */
    public static boolean suits(Map<String, Object> settings, Collection<String> names, Map<String, Object> machine) {
        List<String> named = texts(settings.get("compatible_printers"));
        if (!named.isEmpty()) {
            return named.stream().anyMatch(names::contains);
        }
        String condition = Objects.toString(settings.get("compatible_printers_condition"), "");
        return condition.isBlank() || holds(condition, machine);
    }

    /** A setting's texts: a list's, or those between semicolons, maybe quoted. */
    private static List<String> texts(@Nullable Object setting) {
        if (setting instanceof List<?> list) {
            return list.stream().map(Objects::toString).toList();
        }
        return Arrays.stream(Objects.toString(setting, "").split(";"))
                .map(name -> name.strip().replaceAll("^\"|\"$", ""))
                .filter(name -> !name.isEmpty())
                .toList();
    }

    static boolean holds(String condition, Map<String, Object> machine) {
        try {
            Compatibility reading = new Compatibility(condition, machine);
            boolean holds = reading.either();
            return holds || !reading.tokens.isEmpty();
        } catch (UnreadableException | PatternSyntaxException unreadable) {
            return true;
        }
    }

    private static final class UnreadableException extends RuntimeException {
        UnreadableException(String text) {
            super(text);
        }
    }

    private boolean either() {
        boolean holds = both();
        while (next(Kind.WORD, "or") || next(Kind.SIGN, "||")) {
            holds |= both();
        }
        return holds;
    }

    private boolean both() {
        boolean holds = not();
        while (next(Kind.WORD, "and") || next(Kind.SIGN, "&&")) {
            holds &= not();
        }
        return holds;
    }

    private boolean not() {
        if (next(Kind.WORD, "not") || next(Kind.SIGN, "!")) {
            return !not();
        }
        if (next(Kind.SIGN, "(")) {
            boolean holds = either();
            take(Kind.SIGN, ")");
            return holds;
        }
        return comparison();
    }

    private boolean comparison() {
        String left = value();
        Token next = tokens.peek();
        if (next == null || next.kind() != Kind.SIGN || next.text().equals(")")) {
            return left.equals("1") || left.equals("true");
        }
        return switch (tokens.remove().text()) {
            case "=~" -> matches(left);
            case "!~" -> !matches(left);
            case "==" -> order(left, value()) == 0;
            case "!=" -> order(left, value()) != 0;
            case "<" -> order(left, value()) < 0;
            case "<=" -> order(left, value()) <= 0;
            case ">" -> order(left, value()) > 0;
            case ">=" -> order(left, value()) >= 0;
            default -> throw new UnreadableException(next.text());
        };
    }

    private boolean matches(String left) {
        String expression = take(Kind.EXPRESSION, null).replace("\\/", "/");
        return Pattern.compile(expression, Pattern.DOTALL).matches(left);
    }

    private static int order(String left, String right) {
        try {
            return Double.compare(Double.parseDouble(left), Double.parseDouble(right));
        } catch (NumberFormatException e) {
            return left.compareTo(right);
        }
    }

    /** A text in quotes, a number, or a setting of the machine, of whose list {@code [0]} is the first value. */
    private String value() {
        Token token = tokens.poll();
        if (token == null || token.kind() == Kind.SIGN || token.kind() == Kind.EXPRESSION) {
            throw new UnreadableException("a value is missing");
        }
        if (token.kind() == Kind.TEXT || !Character.isLetter(token.text().charAt(0))) {
            return token.text();
        }
        Object setting = machine.get(token.text());
        if (next(Kind.SIGN, "[")) {
            String index = take(Kind.WORD, null);
            take(Kind.SIGN, "]");
            if (!index.matches("\\d{1,3}")) {
                throw new UnreadableException(index);
            }
            return element(setting, Integer.parseInt(index));
        }
        return setting instanceof List<?> list ? element(list, 0) : Objects.toString(setting, "");
    }

    private static String element(@Nullable Object setting, int index) {
        List<?> values = setting instanceof List<?> list
                ? list
                : Arrays.asList(Objects.toString(setting, "").split(","));
        return index < values.size() ? Objects.toString(values.get(index)).strip() : "";
    }

    private boolean next(Kind kind, String text) {
        boolean is = new Token(kind, text).equals(tokens.peek());
        if (is) {
            tokens.remove();
        }
        return is;
    }

    private String take(Kind kind, @Nullable String text) {
        Token token = tokens.poll();
        if (token == null || token.kind() != kind || (text != null && !text.equals(token.text()))) {
            throw new UnreadableException("expected " + kind + " " + text);
        }
        return token.text();
    }
}
