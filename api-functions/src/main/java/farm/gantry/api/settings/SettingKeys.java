package farm.gantry.api.settings;

import farm.gantry.api.error.SimilarName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Validates the setting keys that begin with {@code gantry.}: an unknown key stops the start with an error that names the right one. */
public final class SettingKeys {
    private static final String PREFIX = "gantry.";
    private static final String VARIABLE_PREFIX = "GANTRY_";

    private static final Set<String> KEYS =
            Settings.ALL.stream().map(Setting::key).collect(Collectors.toCollection(TreeSet::new));

    /** Keys that are followed by a name of the operator's choice, such as {@code gantry.worker.tools.cadquery}. */
    private static final Set<String> MAPS = Set.of("gantry.slicers.bundles", "gantry.worker.tools");

    private static final Map<String, String> NEW_NAMES = Map.ofEntries(
            Map.entry("gantry.answer-bytes", "gantry.max-response-bytes"),
            Map.entry("gantry.answer-quoted", "gantry.response-limit-counts-escapes"),
            Map.entry("gantry.audit.kept", "gantry.audit.retention"),
            Map.entry("gantry.aws.iot", "gantry.aws.iot-core-enabled"),
            Map.entry("gantry.aws.key", "gantry.aws.kms-key"),
            Map.entry("gantry.connections.body-interval", "gantry.connections.body-throughput-interval"),
            Map.entry("gantry.connections.body-time", "gantry.connections.body-throughput-interval"),
            Map.entry("gantry.connections.head-time", "gantry.connections.header-timeout"),
            Map.entry("gantry.connections.idle-time", "gantry.connections.idle-timeout"),
            Map.entry("gantry.connections.least-body-bytes", "gantry.connections.body-throughput-min-bytes"),
            Map.entry("gantry.connections.linger-idle-timeout", "gantry.connections.rejected-body-idle-timeout"),
            Map.entry("gantry.connections.linger-pause", "gantry.connections.rejected-body-idle-timeout"),
            Map.entry("gantry.connections.linger-time", "gantry.connections.rejected-body-timeout"),
            Map.entry("gantry.connections.linger-timeout", "gantry.connections.rejected-body-timeout"),
            Map.entry("gantry.connections.min-body-bytes", "gantry.connections.body-throughput-min-bytes"),
            Map.entry("gantry.connections.most", "gantry.connections.max"),
            Map.entry("gantry.connections.most-of-address", "gantry.connections.max-per-address"),
            Map.entry("gantry.connections.read-time", "gantry.connections.response-write-timeout"),
            Map.entry("gantry.connections.response-timeout", "gantry.connections.response-write-timeout"),
            Map.entry("gantry.database.idle-transaction-time", "gantry.database.idle-transaction-timeout"),
            Map.entry("gantry.database.lock-time", "gantry.database.lock-timeout"),
            Map.entry("gantry.database.statement-time", "gantry.database.statement-timeout"),
            Map.entry("gantry.files.largest-upload-bytes", "gantry.files.max-upload-bytes"),
            Map.entry("gantry.files.reserve-bytes", "gantry.files.min-free-bytes"),
            Map.entry("gantry.idempotency.kept", "gantry.idempotency.retention"),
            Map.entry("gantry.idempotency.lease", "gantry.idempotency.lease-duration"),
            Map.entry("gantry.link.address", "gantry.agents.public-url"),
            Map.entry("gantry.link.broker.password", "gantry.agents.broker.password"),
            Map.entry("gantry.link.broker.url", "gantry.agents.broker.url"),
            Map.entry("gantry.link.broker.user", "gantry.agents.broker.user"),
            Map.entry("gantry.link.check-interval", "gantry.agents.offline-check-interval"),
            Map.entry("gantry.link.idle-poll-interval", "gantry.agents.idle-poll-interval"),
            Map.entry("gantry.link.longest-wait", "gantry.agents.long-poll-timeout"),
            Map.entry("gantry.link.lost-after", "gantry.agents.offline-timeout"),
            Map.entry("gantry.link.max-exchanges-burst", "gantry.agents.rate-limit-burst"),
            Map.entry("gantry.link.max-exchanges-per-minute", "gantry.agents.rate-limit-per-minute"),
            Map.entry("gantry.link.max-wait", "gantry.agents.long-poll-timeout"),
            Map.entry("gantry.link.offline-timeout", "gantry.agents.offline-timeout"),
            Map.entry("gantry.link.poll-after", "gantry.agents.poll-interval"),
            Map.entry("gantry.link.poll-interval", "gantry.agents.poll-interval"),
            Map.entry("gantry.link.quiet-poll-after", "gantry.agents.idle-poll-interval"),
            Map.entry("gantry.link.watch-every", "gantry.agents.offline-check-interval"),
            Map.entry("gantry.proxies", "gantry.trusted-proxies"),
            Map.entry("gantry.response-is-escaped", "gantry.response-limit-counts-escapes"),
            Map.entry("gantry.shutdown-time", "gantry.shutdown-timeout"),
            Map.entry("gantry.stream.look-every", "gantry.stream.poll-interval"),
            Map.entry("gantry.stream.memory", "gantry.stream.retention"),
            Map.entry("gantry.stream.most-of-store", "gantry.stream.max-per-store"),
            Map.entry("gantry.stream.quiet", "gantry.stream.heartbeat-interval"),
            Map.entry("gantry.uploads.interval", "gantry.uploads.throughput-interval"),
            Map.entry("gantry.uploads.least-bytes", "gantry.uploads.throughput-min-bytes"),
            Map.entry("gantry.uploads.min-bytes", "gantry.uploads.throughput-min-bytes"),
            Map.entry("gantry.uploads.most-at-once", "gantry.uploads.max-concurrent"),
            Map.entry("gantry.uploads.within", "gantry.uploads.throughput-interval"),
            Map.entry("gantry.worker.cad-time", "gantry.worker.cad-timeout"),
            Map.entry("gantry.worker.heap", "gantry.worker.max-heap"),
            Map.entry("gantry.worker.lease", "gantry.worker.lease-duration"),
            Map.entry("gantry.worker.ready", "gantry.worker.prestart"),
            Map.entry("gantry.worker.slice-time", "gantry.worker.slice-timeout"),
            Map.entry("gantry.worker.trust-models", "gantry.worker.allow-unsandboxed-models"));

    /** The meaning of each environment variable that begins with {@code GANTRY_} and is not a setting. */
    public static final Map<String, String> VARIABLES = new TreeMap<>(Map.ofEntries(
            Map.entry("GANTRY_AOT", "Java option of the agent's launcher in place of its cache of classes."),
            Map.entry("GANTRY_API_SECRET", "On AWS: ARN of the API's database password, for the migration."),
            Map.entry("GANTRY_CONFIG", "Properties file of `gantry` and `gantry-agent`, instead of the one in `/etc`."),
            Map.entry("GANTRY_DATA", "Data folder of the agent (`~/.gantry-agent`)."),
            Map.entry("GANTRY_HOST", "Address to listen on, for the unit `gantry-api.service`."),
            Map.entry("GANTRY_JAVA_HOME", "JDK 25 that the scripts in `infra` use."),
            Map.entry(
                    "GANTRY_JDBC_URL",
                    "Database of the units `gantry-api.service` and `gantry-worker@.service`; on AWS, of the"
                            + " migration."),
            Map.entry("GANTRY_LOCAL_DATA", "Data folder of the scripts in `infra/local` (`.gantry`)."),
            Map.entry(
                    "GANTRY_LOG",
                    "Server: `json` logs one object per line instead of text. Agent: log level, such as `DEBUG`."),
            Map.entry(
                    "GANTRY_OWNER_PASSWORD",
                    "Password of the role that owns the tables, for `admin database migrate --jdbc-url`."),
            Map.entry("GANTRY_OWNER_SECRET", "On AWS: ARN of the owner's database password, for the migration."),
            Map.entry("GANTRY_SECRETS", "On AWS: settings whose values are in Secrets Manager, as `setting=arn,…`.")));

    private SettingKeys() {}

    /**
     * Checks the keys that were given and the variables of the environment that begin with {@code GANTRY_}.
     *
     * @throws IllegalArgumentException names each unknown one with its new name, or the most similar one
     */
    public static void check(Collection<String> keys, Map<String, String> environment) {
        List<String> faults = new ArrayList<>();
        for (String key : new TreeSet<>(keys)) {
            if (key.startsWith(PREFIX) && !isKnown(key, KEYS, MAPS, '.')) {
                faults.add(fault(key, NEW_NAMES, KEYS));
            }
        }
        Set<String> variables = variables(KEYS);
        variables.addAll(VARIABLES.keySet());
        Map<String, String> newNames = NEW_NAMES.entrySet().stream()
                .collect(Collectors.toMap(entry -> variable(entry.getKey()), entry -> variable(entry.getValue())));
        for (String name : new TreeSet<>(environment.keySet())) {
            if (name.startsWith(VARIABLE_PREFIX) && !isKnown(name, variables, variables(MAPS), '_')) {
                faults.add(fault(name, newNames, variables));
            }
        }
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", faults));
        }
    }

    private static boolean isKnown(String key, Set<String> known, Set<String> maps, char separator) {
        return known.contains(key)
                || maps.stream().anyMatch(map -> key.startsWith(map + separator) && key.length() > map.length() + 1);
    }

    private static String fault(String key, Map<String, String> newNames, Set<String> known) {
        String newName = newNames.get(key);
        if (newName != null) {
            return "the setting " + key + " has a new name: " + newName;
        }
        return "there is no setting " + key + "; the most similar one is "
                + SimilarName.find(key, known).orElseThrow();
    }

    private static Set<String> variables(Set<String> keys) {
        return keys.stream().map(SettingKeys::variable).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the environment variable of a setting. */
    public static String variable(String key) {
        return key.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_");
    }
}
