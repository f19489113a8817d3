package farm.gantry.api.settings;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Every key that begins with {@code gantry.}; a start that is given another one fails and names the right one. */
public final class SettingKeys {
    private static final String PREFIX = "gantry.";
    private static final String VARIABLE_PREFIX = "GANTRY_";

    /** One sentence for each setting; its default is in {@code application.yml} or beside its record component. */
    static final Map<String, String> DESCRIPTIONS = new TreeMap<>(Map.ofEntries(
            Map.entry("gantry.audit.retention", "How long the audit log keeps an entry."),
            Map.entry("gantry.aws.bucket", "S3 bucket of the files, instead of `gantry.files.folder`."),
            Map.entry("gantry.aws.iot", "Whether agents connect through AWS IoT Core."),
            Map.entry("gantry.aws.key", "ARN of the KMS key that seals stored secrets."),
            Map.entry(
                    "gantry.aws.queue-prefix",
                    "First part of the names of the SQS queues; PostgreSQL has the queues without."),
            Map.entry("gantry.aws.region", "AWS region of the bucket and the queues."),
            Map.entry("gantry.aws.table-prefix", "First part of the names of the DynamoDB tables."),
            Map.entry(
                    "gantry.connections.body-interval",
                    "Interval in which a request body must bring `min-body-bytes`."),
            Map.entry("gantry.connections.header-timeout", "Time in which the header of a request must arrive."),
            Map.entry("gantry.connections.idle-timeout", "How long a connection may stay open between requests."),
            Map.entry(
                    "gantry.connections.linger-idle-timeout",
                    "Longest pause in the rest of a rejected request body before the connection is closed."),
            Map.entry(
                    "gantry.connections.linger-timeout",
                    "How long the rest of a rejected request body is read, so that the client sees the response."),
            Map.entry("gantry.connections.max", "Open connections in all."),
            Map.entry(
                    "gantry.connections.max-per-address",
                    "Open connections of one address; proxies have no such limit."),
            Map.entry(
                    "gantry.connections.min-body-bytes",
                    "Bytes that a request body must bring in each `body-interval`."),
            Map.entry(
                    "gantry.connections.response-timeout", "Time in which the client must read some of the response."),
            Map.entry(
                    "gantry.cors-origins",
                    "Origins, separated by commas, whose pages may call the API from a browser."),
            Map.entry(
                    "gantry.database.idle-transaction-timeout", "An idle transaction is ended after it; 0 ends none."),
            Map.entry(
                    "gantry.database.lock-timeout",
                    "A statement that waits longer for a lock fails; the response is 503."),
            Map.entry("gantry.database.shared", "Whether several processes use the database."),
            Map.entry("gantry.database.statement-timeout", "A statement that takes longer fails; the response is 503."),
            Map.entry("gantry.events.broker.password", "Password at the MQTT broker that receives events."),
            Map.entry("gantry.events.broker.url", "MQTT broker to which events are published."),
            Map.entry("gantry.events.broker.user", "User at the MQTT broker that receives events."),
            Map.entry("gantry.files.folder", "Folder of the stores' files."),
            Map.entry("gantry.files.max-upload-bytes", "Size of the largest file that is accepted."),
            Map.entry("gantry.files.min-free-bytes", "Uploads are answered 503 when the disk has less free space."),
            Map.entry(
                    "gantry.idempotency.lease",
                    "After it, a request with the same key may take over one that did not end."),
            Map.entry("gantry.idempotency.retention", "How long the response to an `Idempotency-Key` is kept."),
            Map.entry(
                    "gantry.link.address", "Address at which agents reach the link, if it is not the one of pairing."),
            Map.entry("gantry.link.broker.password", "Password at the MQTT broker between agents and server."),
            Map.entry("gantry.link.broker.url", "MQTT broker between agents and server."),
            Map.entry("gantry.link.broker.user", "User at the MQTT broker between agents and server."),
            Map.entry("gantry.link.check-interval", "How often the server looks for agents that are silent."),
            Map.entry(
                    "gantry.link.idle-poll-interval",
                    "Poll interval while printers are idle and nobody uses the store."),
            Map.entry("gantry.link.max-exchanges-burst", "Exchanges of an agent that may come at once."),
            Map.entry("gantry.link.max-exchanges-per-minute", "Exchanges of an agent per minute."),
            Map.entry("gantry.link.max-wait", "How long an exchange waits at most for a command."),
            Map.entry("gantry.link.offline-timeout", "Printers of an agent that is silent for longer are unreachable."),
            Map.entry("gantry.link.poll-interval", "How long an agent waits before its next exchange."),
            Map.entry("gantry.max-response-bytes", "Larger responses are answered 413."),
            Map.entry("gantry.monitoring.host", "Address of the health checks and metrics."),
            Map.entry("gantry.monitoring.port", "Port of the health checks and metrics."),
            Map.entry("gantry.pepper", "Secret that is hashed with API keys; required with a shared database."),
            Map.entry(
                    "gantry.proxies",
                    "Addresses or CIDR blocks, separated by commas, whose X-Forwarded headers are trusted."),
            Map.entry("gantry.public-url", "Address at which clients reach the server; empty: that of each request."),
            Map.entry("gantry.rate-limit.burst", "Requests of one API key that may come at once."),
            Map.entry("gantry.rate-limit.per-minute", "Requests of one API key per minute; 0 is unlimited."),
            Map.entry(
                    "gantry.response-is-escaped", "Whether the host counts a response's quotes twice, as Lambda does."),
            Map.entry("gantry.secret-key", "Key that seals stored secrets: 32 bytes in base 64."),
            Map.entry("gantry.shutdown-timeout", "How long a stop waits for running requests."),
            Map.entry("gantry.slicers.bundles", "Folders of the slicers' vendor profiles, by slicer."),
            Map.entry("gantry.stream.heartbeat-interval", "How often a stream without events sends a heartbeat."),
            Map.entry("gantry.stream.max-per-store", "Open event streams of one store on one host."),
            Map.entry("gantry.stream.poll-interval", "How often a stream looks for new events."),
            Map.entry("gantry.stream.retention", "How long events are kept for streams that reconnect."),
            Map.entry("gantry.tls.certificate", "PEM file of the TLS certificate and its chain."),
            Map.entry("gantry.tls.key", "PEM file of the TLS key."),
            Map.entry("gantry.uploads.interval", "Interval in which an upload must bring `min-bytes`."),
            Map.entry("gantry.uploads.max-concurrent", "Uploads at a time; others are answered 503."),
            Map.entry("gantry.uploads.min-bytes", "Bytes that an upload must bring in each `interval`."),
            Map.entry(
                    "gantry.webhooks.allow-insecure-local-receivers-for-development",
                    "Whether webhooks may go to HTTP and local addresses; for development."),
            Map.entry("gantry.worker.cad-timeout", "Time limit for rendering a CAD model."),
            Map.entry("gantry.worker.heap", "Maximum heap of the process that reads models, such as `2g`."),
            Map.entry("gantry.worker.in-process", "Whether the server runs the worker; false where `Work` runs."),
            Map.entry(
                    "gantry.worker.lease", "Another worker takes over the messages of one that is silent for longer."),
            Map.entry("gantry.worker.ready", "Whether the process that reads models is started before it is needed."),
            Map.entry("gantry.worker.slice-timeout", "Time limit for slicing a plate."),
            Map.entry("gantry.worker.tools", "Commands of slicers and CAD programs, by the name of the tool."),
            Map.entry("gantry.worker.trust-models", "Whether models that are programs run without a sandbox.")));

    /** Keys whose next part is a name of the operator's choice, such as {@code gantry.worker.tools.cadquery}. */
    private static final Set<String> MAPS = Set.of("gantry.slicers.bundles", "gantry.worker.tools");

    private static final Map<String, String> NEW_NAMES = Map.ofEntries(
            Map.entry("gantry.answer-bytes", "gantry.max-response-bytes"),
            Map.entry("gantry.answer-quoted", "gantry.response-is-escaped"),
            Map.entry("gantry.audit.kept", "gantry.audit.retention"),
            Map.entry("gantry.connections.body-time", "gantry.connections.body-interval"),
            Map.entry("gantry.connections.head-time", "gantry.connections.header-timeout"),
            Map.entry("gantry.connections.idle-time", "gantry.connections.idle-timeout"),
            Map.entry("gantry.connections.least-body-bytes", "gantry.connections.min-body-bytes"),
            Map.entry("gantry.connections.linger-pause", "gantry.connections.linger-idle-timeout"),
            Map.entry("gantry.connections.linger-time", "gantry.connections.linger-timeout"),
            Map.entry("gantry.connections.most", "gantry.connections.max"),
            Map.entry("gantry.connections.most-of-address", "gantry.connections.max-per-address"),
            Map.entry("gantry.connections.read-time", "gantry.connections.response-timeout"),
            Map.entry("gantry.database.idle-transaction-time", "gantry.database.idle-transaction-timeout"),
            Map.entry("gantry.database.lock-time", "gantry.database.lock-timeout"),
            Map.entry("gantry.database.statement-time", "gantry.database.statement-timeout"),
            Map.entry("gantry.files.largest-upload-bytes", "gantry.files.max-upload-bytes"),
            Map.entry("gantry.files.reserve-bytes", "gantry.files.min-free-bytes"),
            Map.entry("gantry.idempotency.kept", "gantry.idempotency.retention"),
            Map.entry("gantry.link.longest-wait", "gantry.link.max-wait"),
            Map.entry("gantry.link.lost-after", "gantry.link.offline-timeout"),
            Map.entry("gantry.link.poll-after", "gantry.link.poll-interval"),
            Map.entry("gantry.link.quiet-poll-after", "gantry.link.idle-poll-interval"),
            Map.entry("gantry.link.watch-every", "gantry.link.check-interval"),
            Map.entry("gantry.shutdown-time", "gantry.shutdown-timeout"),
            Map.entry("gantry.stream.look-every", "gantry.stream.poll-interval"),
            Map.entry("gantry.stream.memory", "gantry.stream.retention"),
            Map.entry("gantry.stream.most-of-store", "gantry.stream.max-per-store"),
            Map.entry("gantry.stream.quiet", "gantry.stream.heartbeat-interval"),
            Map.entry("gantry.uploads.least-bytes", "gantry.uploads.min-bytes"),
            Map.entry("gantry.uploads.most-at-once", "gantry.uploads.max-concurrent"),
            Map.entry("gantry.uploads.within", "gantry.uploads.interval"),
            Map.entry("gantry.worker.cad-time", "gantry.worker.cad-timeout"),
            Map.entry("gantry.worker.slice-time", "gantry.worker.slice-timeout"));

    /** Variables of the environment that are not settings of the server, but belong to Gantry all the same. */
    private static final Set<String> OTHER_VARIABLES = Set.of(
            "GANTRY_AOT",
            "GANTRY_API_SECRET",
            "GANTRY_CONFIG",
            "GANTRY_DATA",
            "GANTRY_HOST",
            "GANTRY_JAVA_HOME",
            "GANTRY_JDBC_URL",
            "GANTRY_LOCAL_DATA",
            "GANTRY_LOG",
            "GANTRY_OWNER_PASSWORD",
            "GANTRY_OWNER_SECRET",
            "GANTRY_SECRETS");

    private SettingKeys() {}

    /**
     * Checks the keys that were given and the variables of the environment that begin with {@code GANTRY_}.
     *
     * @throws IllegalArgumentException names each unknown one with its new name, or the most similar one
     */
    public static void check(Collection<String> keys, Map<String, String> environment) {
        List<String> faults = new ArrayList<>();
        for (String key : new TreeSet<>(keys)) {
            if (key.startsWith(PREFIX) && !isKnown(key, DESCRIPTIONS.keySet(), MAPS, '.')) {
                faults.add(fault(key, NEW_NAMES, DESCRIPTIONS.keySet()));
            }
        }
        Set<String> variables = variables(DESCRIPTIONS.keySet());
        variables.addAll(OTHER_VARIABLES);
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
        Optional<String> similar = known.stream().min(Comparator.comparingInt(other -> editDistance(key, other)));
        return "there is no setting " + key + "; the most similar one is " + similar.orElseThrow();
    }

    private static Set<String> variables(Set<String> keys) {
        return keys.stream().map(SettingKeys::variable).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String variable(String key) {
        return key.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_");
    }

    /** The Levenshtein distance. */
    private static int editDistance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int change = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
