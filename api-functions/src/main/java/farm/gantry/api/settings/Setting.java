package farm.gantry.api.settings;

/**
 * A setting of the server, for checks of a start and for the configuration page.
 *
 * @param defaultValue the value without the setting, as it is written; empty if there is none
 * @param source where a default comes from that depends on the machine; empty for a fixed default
 * @param unit unit or type of the value
 * @param meaning one sentence
 */
public record Setting(String key, String defaultValue, String source, String unit, String meaning) {

    static Setting of(String key, String defaultValue, String unit, String meaning) {
        return new Setting(key, defaultValue, "", unit, meaning);
    }

    /** Returns a setting whose default depends on the machine, or that has none. */
    static Setting computed(String key, String source, String unit, String meaning) {
        return new Setting(key, "", source, unit, meaning);
    }
}
