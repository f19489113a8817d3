package farm.gantry.api.settings;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The settings of a server, as {@code --set} and the environment give them to a command. */
public record ServerSettings(Map<String, String> given, Map<String, String> environment) {
    private static final Pattern HARMLESS = Pattern.compile("true|false|[0-9]{1,12}[a-z]{0,2}|[0-9]{2}:[0-9]{2}");
    private static final Pattern SETTING_VARIABLE = Pattern.compile("GANTRY_|DATASOURCES_|MICRONAUT_|AWS_");

    /** Returns the value of a setting or its default; empty if it has neither. */
    public Optional<String> find(String key) {
        return findGiven(key)
                .or(() -> Settings.ALL.stream()
                        .filter(setting -> setting.key().equals(key))
                        .map(Setting::defaultValue)
                        .findFirst())
                .filter(value -> !value.isBlank());
    }

    private Optional<String> findGiven(String key) {
        return Optional.ofNullable(given.get(key))
                .or(() -> Optional.ofNullable(environment.get(SettingKeys.variable(key))));
    }

    /**
     * Returns a setting that has a default and is a number.
     *
     * @throws IllegalArgumentException names the setting if it is no number
     */
    public long number(String key) {
        String value = find(key).orElseThrow();
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(key + ": \"" + value + "\" is not a number", e);
        }
    }

    /** Returns the given values whose keys begin with the prefix, without it. */
    public Map<String, String> below(String prefix) {
        Map<String, String> values = new HashMap<>();
        given.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                values.put(key.substring(prefix.length()), value);
            }
        });
        return values;
    }

    /**
     * Returns a line for each setting that has no default value, for strangers to read. A value is shown only if it is
     * a number with a unit, a time of day, or true or false.
     */
    public List<String> describe() {
        List<String> lines = new ArrayList<>();
        for (Setting setting : Settings.ALL) {
            findGiven(setting.key())
                    .map(value ->
                            setting.isHarmless() && HARMLESS.matcher(value).matches() ? value : "(set, not shown)")
                    .ifPresent(shown -> lines.add(setting.key() + "=" + shown));
        }
        long others = given.keySet().stream()
                .filter(key ->
                        Settings.ALL.stream().noneMatch(setting -> setting.key().equals(key)))
                .count();
        lines.add("others: " + others);
        return lines;
    }

    /** Returns the given values that {@link #describe} does not show. */
    public Set<String> hidden() {
        Set<String> hidden = new HashSet<>(given.values());
        environment.forEach((name, value) -> {
            if (SETTING_VARIABLE.matcher(name).lookingAt()) {
                hidden.add(value);
            }
        });
        hidden.removeIf(value -> HARMLESS.matcher(value).matches());
        return hidden;
    }
}
