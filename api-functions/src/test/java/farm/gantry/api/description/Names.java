package farm.gantry.api.description;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Derives an operation's id from its path alone, so that renaming a method breaks no client. */
record Names(String operationId, String tag, String verb, String noun) {

    /** {@code alone} means that the path has no GET; {@code many}, that the response is a list. */
    static Names of(String method, String path, boolean alone, boolean many) {
        List<String> segments = Arrays.asList(path.substring(1).split("/", -1));
        String version =
                segments.getFirst().equals("v1") ? "" : segments.getFirst().toUpperCase(Locale.ROOT);
        List<String> nouns = new ArrayList<>();
        for (int i = 1; i < segments.size(); i++) {
            if (!isParameter(segments.get(i))) {
                boolean isLast = i == segments.size() - 1;
                nouns.add(isLast ? segments.get(i) : singular(segments.get(i)));
            }
        }
        if (path.equals("/v1/orders/{id}/items")) { // of one order, where others are of all orders
            nouns = new ArrayList<>(List.of(method.equals("POST") ? "item-of-order" : "items-of-order"));
        }
        String last = segments.getLast();
        String verb;
        if (isParameter(last)) {
            verb = many ? "list" : one(method);
        } else if (last.equals("search")) {
            nouns = new ArrayList<>(nouns.subList(0, nouns.size() - 1));
            nouns.set(nouns.size() - 1, segments.get(segments.size() - 2));
            verb = "search";
        } else if (method.equals("GET")) {
            if (segments.size() == 3 && segments.get(1).equals("folders")) {
                nouns.set(0, segments.get(1)); // the folders of parts, where others list the parts of a folder
            }
            verb = many ? "list" : "get";
        } else if (method.equals("PUT") || !alone || (segments.size() == 2 && method.equals("POST"))) {
            verb = method.equals("PUT") ? "create" : one(method);
            if (method.equals("POST")) {
                nouns.set(nouns.size() - 1, singular(nouns.getLast()));
            }
        } else {
            verb = "";
        }
        String noun = camel(nouns);
        String id = verb.isEmpty() ? noun.substring(0, 1).toLowerCase(Locale.ROOT) + noun.substring(1) : verb + noun;
        return new Names(id + version, sentence(segments.get(1)), verb, words(String.join(" ", nouns)));
    }

    /** Returns the summary of a route that has no Javadoc, such as "List agents" or "Update a cost component". */
    String summary() {
        return sentence(verb.isEmpty() ? noun : verb + " " + (isMany() ? noun : withArticle(noun)));
    }

    boolean isMany() {
        return noun.endsWith("s");
    }

    private static String withArticle(String noun) {
        return (noun.matches("[aeioA].*") ? "an " : "a ") + noun;
    }

    static boolean isParameter(String segment) {
        return segment.startsWith("{");
    }

    private static String one(String method) {
        return switch (method) {
            case "GET" -> "get";
            case "POST" -> "create";
            case "PUT" -> "replace";
            case "PATCH" -> "update";
            case "DELETE" -> "delete";
            default -> throw new IllegalArgumentException(method);
        };
    }

    private static String singular(String word) {
        if (word.endsWith("ies")) {
            return word.substring(0, word.length() - 3) + "y";
        }
        return word.endsWith("s") && !word.endsWith("ss") ? word.substring(0, word.length() - 1) : word;
    }

    private static String camel(List<String> nouns) {
        StringBuilder camel = new StringBuilder();
        for (String word : String.join("-", nouns).split("-", -1)) {
            camel.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
        }
        return camel.toString();
    }

    private static String words(String path) {
        return path.replace('-', ' ').replaceAll("\\bapi\\b", "API").replaceAll("\\bsku(s?)\\b", "SKU$1");
    }

    private static String sentence(String path) {
        String words = words(path);
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }
}
