package farm.gantry.local;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Compares printed output with that in the documentation, after what differs from run to run is replaced in both: ids,
 * keys, secrets, times, addresses, signatures, and counters of time and of the rate limit. A whole number may have zeros
 * after its point.
 */
final class PrintedOutput {
    private static final Map<Pattern, String> VARYING = varying();

    private PrintedOutput() {}

    private static Map<Pattern, String> varying() {
        Map<Pattern, String> varying = new LinkedHashMap<>();
        varying.put(Pattern.compile("(?<![0-9a-z])[0-9a-z]{81}(?![0-9a-z])"), "KEY");
        varying.put(Pattern.compile("(?<![0-9a-z])[0-9a-z]{24}(?![0-9a-z])"), "ID");
        varying.put(Pattern.compile("\\b[0-9a-f]{64}\\b"), "HASH");
        varying.put(Pattern.compile("whsec_[A-Za-z0-9+/=]+"), "SECRET");
        varying.put(Pattern.compile("\\bv1,[A-Za-z0-9+/=]+"), "SIGNATURE");
        varying.put(Pattern.compile("\\b[A-Z0-9]{4}-[A-Z0-9]{4}\\b"), "CODE");
        varying.put(Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z"), "TIME");
        varying.put(Pattern.compile("http://(127\\.0\\.0\\.1|localhost):\\d+"), "URL");
        varying.put(Pattern.compile("(expires|signature)=[^&\"\\s]+"), "$1=");
        varying.put(Pattern.compile("\"(executionTime|durationMs)\": ?\\d+"), "\"$1\":0");
        varying.put(Pattern.compile("\"(nextCursor|cursor)\": ?\"[^\"]+\""), "\"$1\":\"CURSOR\"");
        varying.put(Pattern.compile("(?<=[:\\[, ])(-?\\d+)\\.0+(?=[,}\\]\\s])"), "$1");
        varying.put(Pattern.compile("(?mi)^(RateLimit-(?:Remaining|Reset)|ETag|Retry-After|id): .*$"), "$1:");
        return varying;
    }

    /** Returns the output without what differs from run to run; JSON without its spaces. */
    static String normalize(String kind, String output) throws IOException {
        String normalized = output.replace("\r", "").strip();
        for (Map.Entry<Pattern, String> each : VARYING.entrySet()) {
            normalized = each.getKey().matcher(normalized).replaceAll(each.getValue());
        }
        return kind.equals("json")
                ? FarmApiClient.toJson(new FarmApiClient("http://localhost", "none").parse(normalized))
                : normalized;
    }
}
