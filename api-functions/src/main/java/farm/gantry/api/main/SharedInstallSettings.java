package farm.gantry.api.main;

import farm.gantry.api.database.Database;
import farm.gantry.api.main.backup.BackupSettings;
import farm.gantry.api.settings.SettingKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Settings of an installation of several processes that share one database, and one folder or bucket of files. */
final class SharedInstallSettings {
    static final String FILES = "gantry.files.folder";
    private static final String REGION = "gantry.aws.region";
    static final String BUCKET = "gantry.aws.bucket";
    private static final String PEPPER = "gantry.pepper";
    private static final String SECRET_KEY = "gantry.secret-key";

    private SharedInstallSettings() {}

    /** The time that the proxy before the processes needs to drop its connections to one that stops. */
    private static final String SHUTDOWN_DELAY = "1s";

    /** Returns the settings of an API process; workers are separate processes. */
    static Map<String, Object> forApi(String jdbcUrl, Map<String, ?> settings) {
        if (isSet(BackupSettings.FOLDER, settings)) {
            throw new IllegalArgumentException(BackupSettings.FOLDER
                    + " cannot be set with --jdbc-url, because such a server does not own the database; remove it, and"
                    + " back up the database with the tools of PostgreSQL");
        }
        Map<String, Object> properties = create(jdbcUrl, settings, List.of(PEPPER, SECRET_KEY));
        Object pepper = settings.get(PEPPER);
        InstallSecretsCheck.checkPepper(pepper == null ? System.getenv(InstallSecretsCheck.PEPPER) : pepper.toString());
        properties.put(Database.SHARED, true);
        properties.put("gantry.worker.in-process", false);
        if (!isSet(ApiServer.SHUTDOWN_DELAY, settings)) {
            properties.put(ApiServer.SHUTDOWN_DELAY, SHUTDOWN_DELAY);
        }
        return properties;
    }

    static Map<String, Object> forWorker(String jdbcUrl, Map<String, ?> settings) {
        return create(jdbcUrl, settings, List.of());
    }

    private static boolean isSet(String key, Map<String, ?> settings) {
        return settings.containsKey(key) || System.getenv(SettingKeys.variable(key)) != null;
    }

    /**
     * Requires the settings that all processes must share, because otherwise one process could not read the data of
     * another.
     */
    private static Map<String, Object> create(String jdbcUrl, Map<String, ?> settings, List<String> common) {
        SettingKeys.check(settings.keySet(), System.getenv());
        List<String> needed = new ArrayList<>(common);
        needed.addAll(isSet(BUCKET, settings) ? List.of(REGION) : List.of(FILES));
        for (String key : needed) {
            if (!isSet(key, settings)) {
                throw new IllegalArgumentException(SettingKeys.variable(key)
                        + " is not set in the environment; set the same value for all processes of this installation");
            }
        }
        Map<String, Object> properties = new HashMap<>(settings);
        properties.put("datasources.default.url", jdbcUrl);
        if (isSet(Database.DIRECT_URL, settings)) {
            properties.putAll(ConnectionPooler.settings());
        }
        return properties;
    }
}
