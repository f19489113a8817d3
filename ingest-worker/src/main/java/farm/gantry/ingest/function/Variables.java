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

/** An environment as it is read: what is wrong with it is said together, at the end. */
final class Variables {
    private static final String OURS = "GANTRY_";
    private static final Pattern CAPITAL = Pattern.compile("[A-Z]");

    private final Map<String, String> environment;
    private final Set<String> known = new HashSet<>();
    private final List<String> faults = new ArrayList<>();

    Variables(Map<String, String> environment) {
        this.environment = environment;
    }

    String required(String name) {
        String value = optional(name, "");
        if (value.isEmpty()) {
            faults.add(name + " is not set");
        }
        return value;
    }

    String optional(String name, String otherwise) {
        known.add(name);
        String value = environment.getOrDefault(name, "").strip();
        return value.isEmpty() ? otherwise : value;
    }

    /** The address of a queue that keeps messages in order has such an end, and no other has. */
    String ordered(String name) {
        String url = required(name);
        if (!url.isEmpty() && !url.endsWith(".fifo")) {
            faults.add(name + " is not the address of a FIFO queue: " + url);
        }
        return url;
    }

    long positive(String name, long otherwise) {
        String value = optional(name, Long.toString(otherwise));
        if (value.matches("[1-9][0-9]{0,17}")) {
            return Long.parseLong(value);
        }
        faults.add(name + " is not a whole number above 0: " + value);
        return otherwise;
    }

    /** Those of the keys that are set, each under its name behind the prefix: {@code prusaSlicer} is {@code PRUSA_SLICER}. */
    Map<String, String> ofKeys(String prefix, Collection<String> keys) {
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

    /** Nothing was missing or unreadable, and none of ours is misspelt. */
    void check() {
        Set<String> unknown = new TreeSet<>(environment.keySet());
        unknown.removeIf(name -> !name.startsWith(OURS) || known.contains(name));
        unknown.forEach(name -> faults.add(name + " is no setting of the worker"));
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException("the worker cannot start: " + String.join("; ", faults));
        }
    }
}
