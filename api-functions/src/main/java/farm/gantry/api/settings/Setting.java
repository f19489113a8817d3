package farm.gantry.api.settings;

import java.util.Set;

/**
 * A setting of the server, for checks of a start and for the configuration page.
 *
 * @param defaultValue the value without the setting, as it is written; empty if there is none
 * @param source where a default comes from that depends on the machine; empty for a fixed default
 * @param unit unit or type of the value
 * @param meaning one sentence
 */
public record Setting(String key, String defaultValue, String source, String unit, String meaning) {
    private static final Set<String> HARMLESS_UNITS =
            Set.of("duration", "bytes", "count", "per minute", "time of day", "true or false");

    /** Returns whether the value is a number with a unit, a time of day, or true or false: never a secret or a name. */
    public boolean isHarmless() {
        return HARMLESS_UNITS.contains(unit);
    }

    static Setting of(String key, String defaultValue, String unit, String meaning) {
        return new Setting(key, defaultValue, "", unit, meaning);
    }

    /** Returns a setting whose default depends on the machine, or that has none. */
    static Setting computed(String key, String source, String unit, String meaning) {
        return new Setting(key, "", source, unit, meaning);
    }
}
