package farm.gantry.api.main;

import farm.gantry.api.store.AgentNotices;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** An install of several processes over one database and one folder of files, all told of in the same way. */
final class SharedInstall {
    static final String FILES = "gantry.files.folder";
    private static final String PEPPER = "gantry.pepper";
    private static final String SECRET_KEY = "gantry.secret-key";

    private SharedInstall() {}

    /** How an API of it is configured; its workers are processes of their own. */
    static Map<String, Object> ofApi(String jdbcUrl, Map<String, ?> settings) {
        Map<String, Object> properties = of(jdbcUrl, settings, List.of(FILES, PEPPER, SECRET_KEY));
        properties.put(AgentNotices.SHARED, true);
        properties.put("gantry.worker.in-process", false);
        return properties;
    }

    static Map<String, Object> ofWorker(String jdbcUrl, Map<String, ?> settings) {
        return of(jdbcUrl, settings, List.of(FILES));
    }

    /** What the processes must have in common is told to each, or one would answer what another does not understand. */
    private static Map<String, Object> of(String jdbcUrl, Map<String, ?> settings, List<String> common) {
        for (String key : common) {
            String variable = key.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_");
            if (!settings.containsKey(key) && System.getenv(variable) == null) {
                throw new IllegalArgumentException(
                        variable + " is not set in the environment: the same for all processes of this install");
            }
        }
        Map<String, Object> properties = new HashMap<>(settings);
        properties.put("datasources.default.url", jdbcUrl);
        return properties;
    }
}
