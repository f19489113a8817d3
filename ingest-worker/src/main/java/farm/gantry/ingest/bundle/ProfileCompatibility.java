package farm.gantry.ingest.bundle;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a filament's or process's settings suit a machine: it is named in {@code compatible_printers}, or, if
 * none is named, meets {@code compatible_printers_condition}, a small language of comparisons over the machine's
 * settings such as {@code printer_model=~/MK3.*}{@code / and nozzle_diameter[0]>=0.4}. As in the slicers, an invalid
 * condition is true for every machine. Regular expressions are RE2's, whose run time is linear.
 */
public final class ProfileCompatibility {
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

    private static final String NOZZLE = "nozzle_diameter";

    private final Deque<Token> tokens = new ArrayDeque<>();
    private final Map<String, Object> machine;
    private final boolean isWholeMachine;

    /** If not all of the machine is known, a comparison with an unknown value is true. */
    private ProfileCompatibility(String condition, Map<String, Object> machine, boolean isWholeMachine) {
        this.machine = machine;
        this.isWholeMachine = isWholeMachine;
        Matcher matcher = TOKEN.matcher(condition);
        while (matcher.lookingAt() && matcher.group("end") == null) {
            tokens.add(token(matcher));
            matcher.region(matcher.end(), condition.length());
        }
        if (!matcher.lookingAt()) {
            throw new ConditionSyntaxException(condition);
        }
    }

    private static Token token(Matcher matcher) {
        for (Kind kind : Kind.values()) {
            String text = matcher.group(kind.name().toLowerCase(Locale.ROOT));
            if (text != null) {
                return new Token(kind, text);
            }
        }
        throw new ConditionSyntaxException(matcher.group());
    }

    /**
     * Returns whether the settings suit the machine. {@code names} are the names of the machine profile and of the
     * profiles that it inherits.
     */
    public static boolean isCompatible(
            Map<String, Object> settings, Collection<String> names, Map<String, Object> machine) {
        List<String> named = parseTexts(settings.get("compatible_printers"));
        if (!named.isEmpty()) {
            return named.stream().anyMatch(names::contains);
        }
        String condition = Objects.toString(settings.get("compatible_printers_condition"), "");
        return evaluate(condition, machine);
    }

    /**
     * Returns whether the settings are known to be for other nozzles than the machine's: by their own diameter, by the
     * machines that they name, or by a condition that no machine with such a nozzle meets. {@code nozzleOf} returns the
     * diameter of a machine profile, by its name.
     */
    public static boolean isForOtherNozzle(
            Map<String, Object> settings, Map<String, Object> machine, Function<String, Optional<String>> nozzleOf) {
        List<Double> nozzles = diameters(machine.get(NOZZLE));
        if (nozzles.isEmpty()) {
            return false;
        }
        List<Double> own = diameters(settings.get(NOZZLE));
        if (!own.isEmpty() && Collections.disjoint(own, nozzles)) {
            return true;
        }
        List<String> named = parseTexts(settings.get("compatible_printers"));
        if (!named.isEmpty()) {
            return named.stream()
                    .map(nozzleOf)
                    .noneMatch(nozzle -> nozzle.isEmpty() || !Collections.disjoint(diameters(nozzle.get()), nozzles));
        }
        String condition = Objects.toString(settings.get("compatible_printers_condition"), "");
        return !evaluate(condition, Map.of(NOZZLE, Objects.requireNonNull(machine.get(NOZZLE))), false);
    }

    /** Returns the error message if {@link #isForOtherNozzle} is true. */
    public static String otherNozzleMessage(String process, String machineName, Map<String, Object> machine) {
        return "The process profile '" + process + "' is made for another nozzle than the "
                + String.join(" and ", parseTexts(machine.get(NOZZLE))) + " mm of the machine profile '" + machineName
                + "'";
    }

    private static List<Double> diameters(@Nullable Object setting) {
        try {
            return parseTexts(setting).stream()
                    .flatMap(text -> Arrays.stream(text.split(",", -1)))
                    .map(Double::valueOf)
                    .toList();
        } catch (NumberFormatException unreadable) {
            return List.of();
        }
    }

    /** Parses a list of texts: a JSON list, or texts separated by semicolons and optionally quoted. */
    public static List<String> parseTexts(@Nullable Object setting) {
        if (setting instanceof List<?> list) {
            return list.stream().map(Objects::toString).toList();
        }
        return Arrays.stream(Objects.toString(setting, "").split(";"))
                .map(name -> name.strip().replaceAll("^\"|\"$", ""))
                .filter(name -> !name.isEmpty())
                .toList();
    }

    static boolean evaluate(String condition, Map<String, Object> machine) {
        return evaluate(condition, machine, true);
    }

    private static boolean evaluate(String condition, Map<String, Object> machine, boolean isWholeMachine) {
        if (condition.isBlank()) {
            return true;
        }
        try {
            ProfileCompatibility reading = new ProfileCompatibility(condition, machine, isWholeMachine);
            boolean holds = reading.parseOr(false);
            return holds || !reading.tokens.isEmpty();
        } catch (ConditionSyntaxException | PatternSyntaxException unreadable) {
            return true;
        }
    }

    private static final class ConditionSyntaxException extends RuntimeException {
        ConditionSyntaxException(String text) {
            super(text);
        }
    }

    private boolean parseOr(boolean isNegated) {
        boolean holds = parseAnd(isNegated);
        while (accept(Kind.WORD, "or") || accept(Kind.SIGN, "||")) {
            holds |= parseAnd(isNegated);
        }
        return holds;
    }

    private boolean parseAnd(boolean isNegated) {
        boolean holds = parseNot(isNegated);
        while (accept(Kind.WORD, "and") || accept(Kind.SIGN, "&&")) {
            holds &= parseNot(isNegated);
        }
        return holds;
    }

    private boolean parseNot(boolean isNegated) {
        if (accept(Kind.WORD, "not") || accept(Kind.SIGN, "!")) {
            return !parseNot(!isNegated);
        }
        if (accept(Kind.SIGN, "(")) {
            boolean holds = parseOr(isNegated);
            expect(Kind.SIGN, ")");
            return holds;
        }
        return parseComparison(isNegated);
    }

    private boolean parseComparison(boolean isNegated) {
        boolean isKnown = isKnown(tokens.peek());
        String left = parseValue();
        Token next = tokens.peek();
        if (next == null || next.kind() != Kind.SIGN || next.text().equals(")")) {
            return isKnown ? left.equals("1") || left.equals("true") : !isNegated;
        }
        String sign = tokens.remove().text();
        isKnown &= isKnown(tokens.peek());
        boolean holds = switch (sign) {
            case "=~" -> matches(left);
            case "!~" -> !matches(left);
            case "==" -> compare(left, parseValue()) == 0;
            case "!=" -> compare(left, parseValue()) != 0;
            case "<" -> compare(left, parseValue()) < 0;
            case "<=" -> compare(left, parseValue()) <= 0;
            case ">" -> compare(left, parseValue()) > 0;
            case ">=" -> compare(left, parseValue()) >= 0;
            default -> throw new ConditionSyntaxException(sign);
        };
        return isKnown ? holds : !isNegated;
    }

    private boolean isKnown(@Nullable Token token) {
        return isWholeMachine
                || token == null
                || token.kind() != Kind.WORD
                || !Character.isLetter(token.text().charAt(0))
                || machine.containsKey(token.text());
    }

    private boolean matches(String left) {
        String expression = expect(Kind.EXPRESSION, null).replace("\\/", "/");
        return Pattern.compile(expression, Pattern.DOTALL).matches(left);
    }

    private static int compare(String left, String right) {
        try {
            return Double.compare(Double.parseDouble(left), Double.parseDouble(right));
        } catch (NumberFormatException e) {
            return left.compareTo(right);
        }
    }

    /** Parses a quoted text, a number, or the name of a machine setting; {@code [0]} selects the first value of a list. */
    private String parseValue() {
        Token token = tokens.poll();
        if (token == null || token.kind() == Kind.SIGN || token.kind() == Kind.EXPRESSION) {
            throw new ConditionSyntaxException("a value is missing");
        }
        if (token.kind() == Kind.TEXT || !Character.isLetter(token.text().charAt(0))) {
            return token.text();
        }
        Object setting = machine.get(token.text());
        if (accept(Kind.SIGN, "[")) {
            String index = expect(Kind.WORD, null);
            expect(Kind.SIGN, "]");
            if (!index.matches("\\d{1,3}")) {
                throw new ConditionSyntaxException(index);
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

    private boolean accept(Kind kind, String text) {
        boolean is = new Token(kind, text).equals(tokens.peek());
        if (is) {
            tokens.remove();
        }
        return is;
    }

    private String expect(Kind kind, @Nullable String text) {
        Token token = tokens.poll();
        if (token == null || token.kind() != kind || (text != null && !text.equals(token.text()))) {
            throw new ConditionSyntaxException("expected " + kind + " " + text);
        }
        return token.text();
    }
}
