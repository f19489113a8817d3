package farm.gantry.api.settings;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The settings of a server, as {@code --set} and the environment give them to a command. */
public record ServerSettings(Map<String, String> given, Map<String, String> environment) {
    /** Returns the value of a setting or its default; empty if it has neither. */
    public Optional<String> find(String key) {
        return Optional.ofNullable(given.get(key))
                .or(() -> Optional.ofNullable(environment.get(SettingKeys.variable(key))))
                .or(() -> Settings.ALL.stream()
                        .filter(setting -> setting.key().equals(key))
                        .map(Setting::defaultValue)
                        .findFirst())
                .filter(value -> !value.isBlank());
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
}
