package farm.gantry.api.main.function;

import farm.gantry.api.settings.Setting;
import farm.gantry.api.settings.SettingKeys;
import farm.gantry.api.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Validates the settings of a function: one that it would ignore, or that exceeds a limit of AWS, stops the start. */
final class FunctionSettingsCheck {
    /** Beginnings of the settings of work that needs a permanent connection to a broker. */
    private static final List<String> BROKER_SETTINGS = List.of("gantry.events.broker.", "gantry.home-assistant.");

    private static final String JOB_ARCHIVE = "gantry.jobs.archive-folder";
    private static final String MAX_UPLOAD_BYTES = "gantry.files.max-upload-bytes";
    /** S3's limit for a file that is uploaded or copied by one request. */
    private static final long S3_MAX_BYTES = 5L << 30;

    private FunctionSettingsCheck() {}

    /**
     * Checks the settings that come from Secrets Manager and from the environment.
     *
     * @throws IllegalArgumentException names each setting that is unknown or cannot be used, and the remedy
     */
    static void check(Map<String, Object> secrets, Map<String, String> environment) {
        SettingKeys.check(secrets.keySet(), environment);
        List<String> faults = new ArrayList<>();
        Settings.ALL.stream()
                .map(Setting::key)
                .filter(key -> BROKER_SETTINGS.stream().anyMatch(key::startsWith))
                .flatMap(key -> Stream.of(key, SettingKeys.variable(key)))
                .filter(name -> secrets.containsKey(name) || environment.containsKey(name))
                .forEach(name ->
                        faults.add(name + " cannot be set for a function, which keeps no connection to a broker;"
                                + " use webhooks, or set it for an API process beside the functions"));
        if (secrets.containsKey(JOB_ARCHIVE) || environment.containsKey(SettingKeys.variable(JOB_ARCHIVE))) {
            faults.add(SettingKeys.variable(JOB_ARCHIVE) + " cannot be set for a function, whose disk does not last;"
                    + " remove it, and export what must be kept");
        }
        String variable = SettingKeys.variable(MAX_UPLOAD_BYTES);
        boolean isSecret = secrets.containsKey(MAX_UPLOAD_BYTES);
        Object maxUploadBytes = isSecret ? secrets.get(MAX_UPLOAD_BYTES) : environment.get(variable);
        if (maxUploadBytes != null && exceedsS3Limit(maxUploadBytes.toString())) {
            faults.add((isSecret ? MAX_UPLOAD_BYTES : variable) + " must be at most " + S3_MAX_BYTES
                    + ", because S3 accepts no larger file in one request");
        }
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", faults));
        }
    }

    private static boolean exceedsS3Limit(String bytes) {
        try {
            return Long.parseLong(bytes.strip()) > S3_MAX_BYTES;
        } catch (NumberFormatException e) {
            return false; // rejected where the setting is read
        }
    }
}
