package farm.gantry.ingest.cad;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parses one instance of a STEP file from the place where its types begin. */
final class StepValueParser {
    private static final int MAX_DEPTH = 10;

    private final String text;
    private int at;

    StepValueParser(String text, int at) {
        this.text = text;
        this.at = at;
    }

    /** The index of the semicolon that ends the statement, or the end of the text. */
    static int statementEnd(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) != ';') {
            at = text.charAt(at) == '\''
                    ? indexAfter(text, "'", at + 1)
                    : text.startsWith("/*", at) ? indexAfter(text, "*/", at + 2) : at + 1;
        }
        return at;
    }

    /** The index of the next character that is neither space nor of a comment, or the end of the text. */
    static int skipSpace(String text, int from) {
        int at = from;
        while (at < text.length()) {
            if (text.startsWith("/*", at)) {
                at = indexAfter(text, "*/", at + 2);
            } else if (Character.isWhitespace(text.charAt(at))) {
                at++;
            } else {
                break;
            }
        }
        return at;
    }

    private static int indexAfter(String text, String end, int from) {
        int found = text.indexOf(end, from);
        return found < 0 ? text.length() : found + end.length();
    }

    StepInstance instance() throws UnsupportedStepException {
        Map<String, List<Object>> arguments = new LinkedHashMap<>();
        if (peek() == '(') {
            at++;
            while (peek() != ')') {
                arguments.put(parseKeyword(), list(0));
            }
        } else {
            arguments.put(parseKeyword(), list(0));
        }
        if (arguments.isEmpty()) {
            throw new UnsupportedStepException("an instance has no type");
        }
        return new StepInstance(arguments);
    }

    private List<Object> list(int depth) throws UnsupportedStepException {
        if (depth > MAX_DEPTH) {
            throw new UnsupportedStepException("lists are too deep");
        }
        expect('(');
        List<Object> values = new ArrayList<>();
        while (peek() != ')') {
            values.add(value(depth));
            if (peek() == ',') {
                at++;
            }
        }
        at++;
        return values;
    }

    private Object value(int depth) throws UnsupportedStepException {
        char first = peek();
        return switch (first) {
            case '$', '*' -> {
                at++;
                yield StepInstance.OMITTED;
            }
            case '(' -> list(depth + 1);
            case '\'', '"' -> parseString(first);
            case '.' -> parseEnumeration();
            case '#' -> {
                at++;
                yield new StepInstance.Reference((int) number());
            }
            default -> Character.isLetter(first) ? parseTypedValue(depth) : (Object) number();
        };
    }

    /** {@code LENGTH_MEASURE(25.4)} is 25.4. */
    private Object parseTypedValue(int depth) throws UnsupportedStepException {
        parseKeyword();
        List<Object> values = list(depth + 1);
        return values.size() == 1 ? values.getFirst() : values;
    }

    /** A quote inside the text is written twice. */
    private String parseString(char quote) throws UnsupportedStepException {
        int start = at + 1;
        do {
            int end = text.indexOf(quote, at + 1);
            if (end < 0) {
                throw new UnsupportedStepException("a string does not end");
            }
            at = end + 1;
        } while (at < text.length() && text.charAt(at) == quote);
        return text.substring(start, at - 1);
    }

    private String parseEnumeration() throws UnsupportedStepException {
        int end = text.indexOf('.', at + 1);
        if (end < 0) {
            throw new UnsupportedStepException("an enumeration does not end");
        }
        String token = text.substring(at + 1, end);
        at = end + 1;
        return token;
    }

    private double number() throws UnsupportedStepException {
        int start = at;
        while (at < text.length() && "+-.0123456789Ee".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        try {
            return Double.parseDouble(text.substring(start, at));
        } catch (NumberFormatException e) {
            throw new UnsupportedStepException("a number is expected at byte " + start);
        }
    }

    private String parseKeyword() throws UnsupportedStepException {
        peek();
        int start = at;
        while (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_')) {
            at++;
        }
        if (start == at) {
            throw new UnsupportedStepException("a type is expected at byte " + start);
        }
        return text.substring(start, at);
    }

    private void expect(char expected) throws UnsupportedStepException {
        if (peek() != expected) {
            throw new UnsupportedStepException("'" + expected + "' is expected at byte " + at);
        }
        at++;
    }

    /** The next character that is neither space nor of a comment. */
    private char peek() throws UnsupportedStepException {
        at = skipSpace(text, at);
        if (at == text.length()) {
            throw new UnsupportedStepException("the file ends inside an instance");
        }
        return text.charAt(at);
    }
}
