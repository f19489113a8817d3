package farm.gantry.api.http;

import io.micronaut.core.type.Headers;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The header that names ignored parameters and fields, and the preference of RFC 7240 that makes them errors. */
public final class IgnoredNames {
    /** Response header with the names that were ignored. */
    public static final String HEADER = "Gantry-Ignored";

    /** Response header that confirms the preference. */
    public static final String APPLIED = "Preference-Applied";

    /** The preference. */
    public static final String STRICT = "handling=strict";

    private static final String PREFER = "Prefer";
    private static final int MAX_NAMES = 20;
    private static final int MAX_LENGTH = 100;
    private static final Pattern UNSAFE = Pattern.compile("[^\\x21-\\x7e]|[,%]");

    private IgnoredNames() {}

    /** Whether the client prefers an error to a name that is ignored. */
    public static boolean isStrict(Headers headers) {
        for (String header : headers.getAll(PREFER)) {
            for (String preference : header.split(",", -1)) {
                String token = preference.split(";", 2)[0].replace("\"", "").replace(" ", "");
                if (token.equalsIgnoreCase(STRICT)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns the value of the header: at most 20 names, with all characters that a header cannot hold encoded. */
    public static String value(List<String> names) {
        StringBuilder value = new StringBuilder();
        for (String name : names.subList(0, Math.min(names.size(), MAX_NAMES))) {
            value.append(value.isEmpty() ? "" : ", ")
                    .append(UNSAFE.matcher(name.substring(0, Math.min(name.length(), MAX_LENGTH)))
                            .replaceAll(unsafe -> Matcher.quoteReplacement(encoded(unsafe.group()))));
        }
        return names.size() > MAX_NAMES ? value.append(", ...").toString() : value.toString();
    }

    private static String encoded(String character) {
        return URLEncoder.encode(character, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
