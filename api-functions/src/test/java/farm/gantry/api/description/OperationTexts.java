package farm.gantry.api.description;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The summary and the description of an operation: from the Javadoc of its method or, where a resource's general route has none,
 * from the resource's noun.
 */
record OperationTexts(String summary, String description) {
    private static final Pattern VERBS = Pattern.compile("^(\\w+s)( or (\\w+s))?\\b");

    /** {@code guard} says what the caller needs; {@code isGeneral} is true for a route that works alike for every resource. */
    static OperationTexts of(Names names, Javadocs.@Nullable Comment comment, boolean isGeneral, String guard) {
        if (comment != null) {
            return new OperationTexts(summary(comment.first()), comment.whole() + "\n\n" + guard);
        }
        return new OperationTexts(names.summary(), (isGeneral ? general(names) + "\n\n" : "") + guard);
    }

    /** Returns the sentence with its first verbs in the base form and without its full stop. */
    private static String summary(String sentence) {
        String words = sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
        Matcher verbs = VERBS.matcher(words);
        if (!verbs.find()) {
            return words;
        }
        String second = verbs.group(3) == null ? "" : " or " + base(verbs.group(3));
        return base(verbs.group(1)) + second + words.substring(verbs.end());
    }

    private static String base(String verb) {
        if (verb.equals("Returns")) {
            return "Get";
        } else if (verb.endsWith("ies")) {
            return verb.substring(0, verb.length() - "ies".length()) + "y";
        }
        boolean isLong = verb.matches(".*(ss|sh|ch|x|o)es");
        return verb.substring(0, verb.length() - (isLong ? "es" : "s").length());
    }

    private static String general(Names names) {
        boolean isMany = names.isMany();
        String noun = names.noun();
        return switch (names.verb()) {
            case "list" ->
                "Returns the " + noun + " of the store. Filter, sort and page with the query parameters. "
                        + "The response is an array, or a page with `data` if `meta` or `hints` is true.";
            case "search" ->
                "Returns a page of the " + noun + " that match the filter in the body. "
                        + "A filter can join conditions by `and`, `or` and `not`.";
            case "get" -> "Returns the " + noun + " with this id, or 404 if the store has none.";
            case "create" ->
                "Creates the " + noun + " and returns it with its id. "
                        + "An invalid body returns 400, with every fault in `details`.";
            case "update" ->
                isMany
                        ? "Applies one change to up to 1,000 " + noun
                                + " in one transaction: all are changed, or none. "
                                + "If an id is unknown, returns 404 with the unknown ids in `missing`."
                        : "Changes the fields that the body contains and leaves the others unchanged. "
                                + "Returns 412 if the record no longer matches `If-Match`.";
            case "delete" ->
                isMany
                        ? "Deletes up to 1,000 " + noun + " in one transaction and returns the ids of those deleted; "
                                + "unknown ids are skipped. Returns 409 if another record needs one of them, and deletes none."
                        : "Deletes the " + noun + " and returns its id in an array. "
                                + "Returns 409 if another record needs it, and 412 if it no longer matches `If-Match`.";
            default -> throw new IllegalArgumentException("no general route: " + names);
        };
    }
}
