package farm.gantry.ingest.function;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Reads environment variables and collects all errors, so that one message lists them. */
final class EnvironmentVariables {
    private static final String OURS = "GANTRY_";
    private static final Pattern CAPITAL = Pattern.compile("[A-Z]");

    private final Map<String, String> environment;
    private final Set<String> known = new HashSet<>();
    private final List<String> errors = new ArrayList<>();

    EnvironmentVariables(Map<String, String> environment) {
        this.environment = environment;
    }

    String required(String name) {
        String value = optional(name, "");
        if (value.isEmpty()) {
            errors.add(name + " is not set");
        }
        return value;
    }

    String optional(String name, String defaultValue) {
        known.add(name);
        String value = environment.getOrDefault(name, "").strip();
        return value.isEmpty() ? defaultValue : value;
    }

    /** The URL of a FIFO queue, which has this suffix. */
    String fifoQueue(String name) {
        String url = required(name);
        if (!url.isEmpty() && !url.endsWith(".fifo")) {
            errors.add(name + " is not the address of a FIFO queue: " + url);
        }
        return url;
    }

    long positive(String name, long defaultValue) {
        String value = optional(name, Long.toString(defaultValue));
        if (value.matches("[1-9][0-9]{0,17}")) {
            return Long.parseLong(value);
        }
        errors.add(name + " is not a whole number above 0: " + value);
        return defaultValue;
    }

    /**
     * Returns the values of the keys that are set. The variable of {@code prusaSlicer} is the prefix followed by {@code
     * PRUSA_SLICER}.
     */
    Map<String, String> readPrefixed(String prefix, Collection<String> keys) {
        Map<String, String> values = new TreeMap<>();
        for (String key : keys) {
            String name = CAPITAL.matcher(key).replaceAll("_$0").toUpperCase(Locale.ROOT);
            String value = optional(prefix + name, "");
            if (!value.isEmpty()) {
                values.put(key, value);
            }
        }
        return values;
    }

    /** Throws if a variable was missing or invalid, or one with our prefix is unknown. */
    void requireValid() {
        Set<String> unknown = new TreeSet<>(environment.keySet());
        unknown.removeIf(name -> !name.startsWith(OURS) || known.contains(name));
        unknown.forEach(name -> errors.add(name + " is not a setting of the worker"));
        if (!errors.isEmpty()) {
            throw new IllegalArgumentException("the worker cannot start: " + String.join("; ", errors));
        }
    }
}
