package farm.gantry.aws;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;

/**
 * A stage of the farm, such as {@code prod}; the files in {@code stages} document each setting.
 *
 * @param minCapacity of the database, in ACU; 0 lets it pause
 * @param readers the number of instances beside the writer, which replace it when it fails
 * @param databaseGigabytes the size of the database at which an alarm is raised
 * @param natGateways one or two, one for each availability zone; with none functions reach hosts by IPv6 alone
 * @param hasIot whether agents may use MQTT, through AWS IoT Core
 * @param secretsSince a changed text restarts all functions, which read their secrets at their start
 * @param budgetDollars the budget of a month; 0 for none
 * @param alarmsTo an e-mail address; empty for none
 * @param agentsAskQuietAfter the poll interval of agents while their printers are idle and nobody uses their store
 * @param domainZone the id of its hosted zone
 * @param domainCertificate the ARN of its certificate, which CloudFront requires in us-east-1
 * @param hasOriginSecret whether the API accepts only requests that CloudFront sends
 * @param firewallRequests the requests of an address within five minutes that the firewall lets pass; 0 for no firewall
 * @param keepsData whether the database and the files survive the deletion of the stack
 */
record StageSettings(
        String name,
        String region,
        String databaseVersion,
        double minCapacity,
        double maxCapacity,
        int readers,
        int databaseGigabytes,
        int natGateways,
        boolean hasIot,
        int requestsPerSecond,
        int burst,
        int apiAtOnce,
        int workersAtOnce,
        String agentsAskAfter,
        String agentsAskQuietAfter,
        String secretsSince,
        int logDays,
        int budgetDollars,
        String alarmsTo,
        String publicUrl,
        boolean hasDistribution,
        String domain,
        String domainZone,
        String domainCertificate,
        boolean hasOriginSecret,
        int firewallRequests,
        boolean keepsData) {
    /** The limit of Aurora. */
    private static final int MAX_READERS = 15;

    /** The limits of AWS WAF. */
    private static final int MIN_FIREWALL_REQUESTS = 10;

    private static final int MAX_FIREWALL_REQUESTS = 2_000_000_000;
    private static final int MAX_GIGABYTES = 128 * 1024;
    private static final Set<String> KEYS = Set.of(
            "region",
            "database.version",
            "database.min-capacity",
            "database.max-capacity",
            "database.readers",
            "database.alarm-gigabytes",
            "nat.gateways",
            "iot",
            "requests.per-second",
            "requests.burst",
            "api.at-once",
            "workers.at-once",
            "agents.ask-after",
            "agents.ask-quiet-after",
            "secrets.since",
            "log.days",
            "budget.dollars",
            "alarms.to",
            "public-url",
            "distribution",
            "domain",
            "domain.zone",
            "domain.certificate",
            "origin-secret",
            "firewall.max-requests",
            "keeps-data");

    static StageSettings read(Path folder, String name) throws IOException {
        Properties file = new Properties();
        Path path = folder.resolve(name + ".properties");
        if (!name.matches("[a-z][a-z0-9-]{0,15}") || !Files.exists(path)) {
            throw new IOException("there is no stage " + name + " in " + folder);
        }
        try (Reader reader = Files.newBufferedReader(path)) {
            file.load(reader);
        }
        Set<String> missing = new TreeSet<>(KEYS);
        missing.removeAll(file.stringPropertyNames());
        Set<String> unknown = new TreeSet<>(file.stringPropertyNames());
        unknown.removeAll(KEYS);
        if (!missing.isEmpty() || !unknown.isEmpty()) {
            throw new IOException(path + " lacks " + missing + " and has unknown " + unknown);
        }
        if (!file.getProperty("domain").isEmpty()
                && (!Boolean.parseBoolean(file.getProperty("distribution"))
                        || file.getProperty("domain.zone").isEmpty()
                        || file.getProperty("domain.certificate").isEmpty())) {
            throw new IOException(path + ": a domain needs distribution=true, domain.zone and domain.certificate");
        }
        if (Boolean.parseBoolean(file.getProperty("iot"))
                && readNumber(file, path, "nat.gateways", Network.ZONES) == 0) {
            throw new IOException(path + ": iot=true needs nat.gateways=1, because IoT Core is untested over IPv6");
        }
        int firewallRequests = readNumber(file, path, "firewall.max-requests", MAX_FIREWALL_REQUESTS);
        if (firewallRequests > 0 && firewallRequests < MIN_FIREWALL_REQUESTS) {
            throw new IOException(path + ": firewall.max-requests must be 0 or at least " + MIN_FIREWALL_REQUESTS);
        }
        if (!Boolean.parseBoolean(file.getProperty("distribution"))
                && (firewallRequests > 0 || Boolean.parseBoolean(file.getProperty("origin-secret")))) {
            throw new IOException(path + ": origin-secret and firewall.max-requests need distribution=true");
        }
        return new StageSettings(
                name,
                file.getProperty("region"),
                file.getProperty("database.version"),
                Double.parseDouble(file.getProperty("database.min-capacity")),
                Double.parseDouble(file.getProperty("database.max-capacity")),
                readNumber(file, path, "database.readers", MAX_READERS),
                readNumber(file, path, "database.alarm-gigabytes", MAX_GIGABYTES),
                readNumber(file, path, "nat.gateways", Network.ZONES),
                Boolean.parseBoolean(file.getProperty("iot")),
                Integer.parseInt(file.getProperty("requests.per-second")),
                Integer.parseInt(file.getProperty("requests.burst")),
                Integer.parseInt(file.getProperty("api.at-once")),
                Integer.parseInt(file.getProperty("workers.at-once")),
                file.getProperty("agents.ask-after"),
                file.getProperty("agents.ask-quiet-after"),
                file.getProperty("secrets.since"),
                Integer.parseInt(file.getProperty("log.days")),
                readNumber(file, path, "budget.dollars", Integer.MAX_VALUE),
                file.getProperty("alarms.to"),
                file.getProperty("public-url"),
                Boolean.parseBoolean(file.getProperty("distribution")),
                file.getProperty("domain"),
                file.getProperty("domain.zone"),
                file.getProperty("domain.certificate"),
                Boolean.parseBoolean(file.getProperty("origin-secret")),
                firewallRequests,
                Boolean.parseBoolean(file.getProperty("keeps-data")));
    }

    private static int readNumber(Properties file, Path path, String key, int max) throws IOException {
        String text = file.getProperty(key).strip();
        try {
            int number = Integer.parseInt(text);
            if (number >= 0 && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // rejected below
        }
        throw new IOException(path + ": " + key + " is " + text + " and must be a number from 0 to " + max);
    }

    /** Whether functions reach hosts without an IPv6 address. */
    boolean hasNat() {
        return natGateways > 0;
    }

    boolean hasFirewall() {
        return firewallRequests > 0;
    }

    /** Returns the prefix of this stage's resource names. */
    String prefix() {
        return "gantry-" + name + "-";
    }
}
