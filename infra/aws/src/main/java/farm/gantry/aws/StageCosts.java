package farm.gantry.aws;

import static farm.gantry.aws.Price.ACU;
import static farm.gantry.aws.Price.ALARM_METRIC;
import static farm.gantry.aws.Price.CLOUDFRONT_REQUESTS;
import static farm.gantry.aws.Price.CLOUDFRONT_TRAFFIC;
import static farm.gantry.aws.Price.DASHBOARD;
import static farm.gantry.aws.Price.DATABASE_IO;
import static farm.gantry.aws.Price.DATABASE_STORAGE;
import static farm.gantry.aws.Price.DYNAMODB_READS;
import static farm.gantry.aws.Price.DYNAMODB_WRITES;
import static farm.gantry.aws.Price.HTTP_API;
import static farm.gantry.aws.Price.IOT_MESSAGES;
import static farm.gantry.aws.Price.IOT_MINUTES;
import static farm.gantry.aws.Price.IOT_RULES;
import static farm.gantry.aws.Price.IPV4_ADDRESS;
import static farm.gantry.aws.Price.KMS_KEY;
import static farm.gantry.aws.Price.LAMBDA_ARM;
import static farm.gantry.aws.Price.LAMBDA_REQUESTS;
import static farm.gantry.aws.Price.LAMBDA_X86;
import static farm.gantry.aws.Price.LOGS;
import static farm.gantry.aws.Price.LOG_STORAGE;
import static farm.gantry.aws.Price.METRIC;
import static farm.gantry.aws.Price.NAT_GATEWAY;
import static farm.gantry.aws.Price.NAT_TRAFFIC;
import static farm.gantry.aws.Price.S3_READS;
import static farm.gantry.aws.Price.S3_STORAGE;
import static farm.gantry.aws.Price.S3_WRITES;
import static farm.gantry.aws.Price.SECRET;
import static farm.gantry.aws.Price.SQS;
import static farm.gantry.aws.Price.TRAFFIC_OUT;
import static farm.gantry.aws.Price.WEB_ACL;
import static farm.gantry.aws.Price.WEB_ACL_REQUESTS;
import static farm.gantry.aws.Price.WEB_ACL_RULE;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The monthly cost of a stage with a number of printers, by the list prices of its region, which an account's own bill
 * corrects. The requests of a print are counted with emulators of the services. The number of prints, the use of the
 * console and the duration of functions are assumptions, stated at each line. Nothing here was measured on AWS.
 */
final class StageCosts {
    private static final double HOURS = 730;
    private static final double SECONDS = HOURS * 3600;
    private static final double PRINTERS_OF_AN_AGENT = 20;
    private static final double PRINTS_A_DAY = 4;
    private static final double DAYS = HOURS / 24;
    private static final double FILE_MEGABYTES = 20;
    /** The share of prints for which a new file is uploaded. */
    private static final double PARTS_OF_A_PRINT = 0.1;
    /** The number of agents that print a file; each downloads it once, because it caches files. */
    private static final double AGENTS_OF_A_FILE = 3;
    /** Eight hours on 22 days, during which people use three consoles. */
    private static final double USED_HOURS = 176;

    private static final double CONSOLES = 3;
    private static final double RESPONSE_KILOBYTES = 10;
    private static final double EXCHANGE_KILOBYTES = 0.5;
    private static final double DATABASE_IO_OF_A_PRINT = 160;
    /** The lines START, END and REPORT, each with the 26 bytes that CloudWatch adds. */
    private static final double LOG_BYTES_OF_A_CALL = 430;

    private static final double LOG_BYTES_OF_A_REQUEST = 300;
    /** The maximum that PrintOnAwsTest counts for a part and its print. */
    static final int MESSAGES_OF_A_PART = 8;

    static final int WRITES_OF_A_PART = 10;
    static final int READS_OF_A_PART = 10;
    static final int WAKEUPS_OF_A_PRINT = 8;
    static final int EXCHANGES_OF_A_PRINT = 6;
    static final int READS_OF_A_PRINT = 4;
    private static final double MILLION = 1e6;

    private final List<CostLine> lines = new ArrayList<>();
    private final StageSettings stage;
    private final double prints;
    private final double agents;
    private final double exchanges;
    private final double requests;
    private final double pages;

    /**
     * A line of the estimate.
     *
     * @param kind {@code requests}, {@code fixed} or {@code egress}
     * @param dollars NaN if a price is not known for the region
     */
    record CostLine(String kind, String what, String arithmetic, double dollars) {
        boolean isKnown() {
            return !Double.isNaN(dollars);
        }
    }

    private StageCosts(StageSettings stage, int printers) {
        this.stage = stage;
        this.prints = printers * PRINTS_A_DAY * DAYS;
        this.agents = Math.ceil(printers / PRINTERS_OF_AN_AGENT);
        this.exchanges = agents * SECONDS / parseSeconds(stage.agentsAskAfter()) + prints * EXCHANGES_OF_A_PRINT;
        this.pages = Math.ceil(printers / 200.0) + 1;
        this.requests = CONSOLES * USED_HOURS * 3600 / 5 * pages;
    }

    static List<CostLine> estimate(StageSettings stage, int printers) {
        StageCosts costs = new StageCosts(stage, printers);
        costs.addLink();
        costs.addConsoles();
        costs.addMarks();
        costs.addWork();
        costs.addParts();
        costs.addDatabase();
        costs.addFixed();
        costs.addLogs();
        costs.addTraffic();
        return List.copyOf(costs.lines);
    }

    private double price(Price price) {
        return price.in(stage.region());
    }

    private String text(Price price) {
        return price.text(stage.region());
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation would need a library
    private static String number(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** Returns the price of a million calls of a function with a gigabyte of memory. */
    private double calls(double milliseconds) {
        return milliseconds / 1000 * price(LAMBDA_ARM) + price(LAMBDA_REQUESTS);
    }

    private String callsText(int milliseconds) {
        return "(" + milliseconds + " ms x " + text(LAMBDA_ARM) + " + " + text(LAMBDA_REQUESTS) + ")";
    }

    private void addLink() {
        String count = number(
                "%,.0f agents, of which a printer always prints, x %,.0f s / %.0f s + %,.0f prints x %d = %,.1f M exchanges",
                agents,
                SECONDS,
                parseSeconds(stage.agentsAskAfter()),
                prints,
                EXCHANGES_OF_A_PRINT,
                exchanges / MILLION);
        if (stage.hasIot()) {
            addBroker();
        }
        add(
                "requests",
                "link: function calls",
                count + " x " + text(LAMBDA_REQUESTS),
                exchanges / MILLION * price(LAMBDA_REQUESTS));
        add(
                "requests",
                "link: function time",
                "the same x 15 ms x 1 GB x " + text(LAMBDA_ARM) + " (arm)",
                exchanges * 0.015 * price(LAMBDA_ARM) / MILLION);
    }

    /** Assumes that all agents use MQTT. */
    private void addBroker() {
        add(
                "requests",
                "link: IoT Core messages",
                "the exchanges below x (2 messages x " + text(IOT_MESSAGES) + " + a rule " + text(IOT_RULES)
                        + " + its action " + text(IOT_RULES) + ")",
                exchanges * (2 * price(IOT_MESSAGES) + 2 * price(IOT_RULES)) / MILLION);
        add(
                "requests",
                "link: IoT Core lines",
                number(
                        "%,.0f agents x (%,.0f minutes x %s + %,.0f s / 300 s x %s)",
                        agents, HOURS * 60, text(IOT_MINUTES), SECONDS, callsText(15)),
                agents * (HOURS * 60 * price(IOT_MINUTES) + SECONDS / 300 * calls(15)) / MILLION);
    }

    private static double parseSeconds(String duration) {
        return Double.parseDouble(duration.replace("s", ""));
    }

    /**
     * Assumes that a console requests the states of two hundred printers at a time, and its other content, every five
     * seconds.
     */
    private void addConsoles() {
        String count = number(
                "%.0f consoles x %.0f h x 720 x %.0f requests = %,.1f M",
                CONSOLES, USED_HOURS, pages, requests / MILLION);
        add(
                "requests",
                "people: API and functions",
                count + " x (" + text(HTTP_API) + " + " + callsText(20) + ")",
                requests * (price(HTTP_API) + calls(20)) / MILLION);
        if (stage.hasDistribution()) {
            add(
                    "requests",
                    "people: CloudFront",
                    "the same x " + text(CLOUDFRONT_REQUESTS),
                    requests / MILLION * price(CLOUDFRONT_REQUESTS));
        }
        if (stage.hasFirewall()) {
            add(
                    "requests",
                    "people: firewall",
                    "the same x " + text(WEB_ACL_REQUESTS) + " + a web ACL " + text(WEB_ACL) + " + 2 rules x "
                            + text(WEB_ACL_RULE),
                    requests / MILLION * price(WEB_ACL_REQUESTS) + price(WEB_ACL) + 2 * price(WEB_ACL_RULE));
        }
        add(
                "requests",
                "rate limits: DynamoDB",
                "the same x (a read " + text(DYNAMODB_READS) + " + a write " + text(DYNAMODB_WRITES) + ")",
                requests * (price(DYNAMODB_READS) + price(DYNAMODB_WRITES)) / MILLION);
    }

    /** Assumes that eight processes serve a store that is always in use; a read returns 4 kB, of a mark 350 bytes. */
    private void addMarks() {
        double minutes = HOURS * 60;
        double reads = Math.ceil(2 * agents * 350 / 4096);
        add(
                "requests",
                "marks: DynamoDB",
                number(
                        "%,.0f minutes x (8 processes (assumed) x a write %s + a scan of %.0f reads x %s)",
                        minutes, text(DYNAMODB_WRITES), reads, text(DYNAMODB_READS)),
                minutes * (8 * price(DYNAMODB_WRITES) + reads * price(DYNAMODB_READS)) / MILLION);
    }

    private void addWork() {
        double wakeups = prints * WAKEUPS_OF_A_PRINT;
        add(
                "requests",
                "wakeups: SQS",
                number("%,.0f prints x %d messages x 3 requests x %s", prints, WAKEUPS_OF_A_PRINT, text(SQS)),
                wakeups * 3 * price(SQS) / MILLION);
        add(
                "requests",
                "wakeups: functions",
                "the same without x 3, x " + callsText(50),
                wakeups * calls(50) / MILLION);
        double minutes = HOURS * 60;
        add("requests", "sweep", number("%,.0f minutes x %s", minutes, callsText(200)), minutes * calls(200) / MILLION);
        // Lambda asks each of eight queues five at a time, for 20 seconds each.
        double polls = 8 * 5 * SECONDS / 20;
        add(
                "requests",
                "queues that are empty",
                number("8 queues x 5 x %,.0f s / 20 s x %s", SECONDS, text(SQS)),
                polls * price(SQS) / MILLION);
    }

    private void addParts() {
        double parts = prints * PARTS_OF_A_PRINT;
        String count = number("%,.0f parts (a tenth of prints)", parts);
        add(
                "requests",
                "parts: SQS and functions",
                number("%s x %d messages x (3 x %s + %s)", count, MESSAGES_OF_A_PART, text(SQS), callsText(50)),
                parts * MESSAGES_OF_A_PART * (3 * price(SQS) + calls(50)) / MILLION);
        add(
                "requests",
                "files: S3",
                number(
                        "%s x (%d writes x %s + %d reads x %s) + %,.0f prints x %d reads",
                        count,
                        WRITES_OF_A_PART,
                        text(S3_WRITES),
                        READS_OF_A_PART,
                        text(S3_READS),
                        prints,
                        READS_OF_A_PRINT),
                (parts * (WRITES_OF_A_PART * price(S3_WRITES) + READS_OF_A_PART * price(S3_READS))
                                + prints * READS_OF_A_PRINT * price(S3_READS))
                        / MILLION);
        add(
                "requests",
                "worker",
                count + ", half sliced in 20 s and half read in 3 s, x 4 GB x " + text(LAMBDA_X86),
                parts * (20 + 3) / 2 * 4 * price(LAMBDA_X86) / MILLION);
    }

    private void addDatabase() {
        double capacity = Math.max(stage.minCapacity(), 0.5);
        add(
                "fixed",
                "database",
                number("%.1f ACU (the least while printers print) x %.0f h x %s", capacity, HOURS, text(ACU)),
                capacity * HOURS * price(ACU));
        if (stage.readers() > 0) {
            add(
                    "fixed",
                    "readers of the database",
                    number("%d x %.1f ACU x %.0f h x %s", stage.readers(), capacity, HOURS, text(ACU)),
                    stage.readers() * capacity * HOURS * price(ACU));
        }
        add("fixed", "database storage", "20 GB (assumed) x " + text(DATABASE_STORAGE), 20 * price(DATABASE_STORAGE));
        add(
                "fixed",
                "database I/O",
                number(
                        "%,.0f prints x %.0f pages read or written (assumed) x %s",
                        prints, DATABASE_IO_OF_A_PRINT, text(DATABASE_IO)),
                prints * DATABASE_IO_OF_A_PRINT * price(DATABASE_IO) / MILLION);
    }

    private void addFixed() {
        if (stage.hasNat()) {
            add(
                    "fixed",
                    "NAT gateways",
                    number(
                            "%d x %.0f h x (%s + an IPv4 address %s) + 10 GB (assumed) x %s",
                            stage.natGateways(), HOURS, text(NAT_GATEWAY), text(IPV4_ADDRESS), text(NAT_TRAFFIC)),
                    stage.natGateways() * HOURS * (price(NAT_GATEWAY) + price(IPV4_ADDRESS)) + 10 * price(NAT_TRAFFIC));
        } else {
            add("fixed", "way out", "egress-only internet gateway", 0);
        }
        int secrets = stage.hasOriginSecret() ? 4 : 3;
        add(
                "fixed",
                "key and secrets",
                number("1 key x %s + %d secrets x %s", text(KMS_KEY), secrets, text(SECRET)),
                price(KMS_KEY) + secrets * price(SECRET));
        int alarms = countAlarms(stage);
        add(
                "fixed",
                "alarms and dashboard",
                number(
                        "%d alarms, one of two metrics, x %s + 2 metrics of agents x %s + 1 dashboard x %s",
                        alarms, text(ALARM_METRIC), text(METRIC), text(DASHBOARD)),
                (alarms + 1) * price(ALARM_METRIC) + 2 * price(METRIC) + price(DASHBOARD));
        add("fixed", "files", "200 GB (assumed) x " + text(S3_STORAGE), 200 * price(S3_STORAGE));
    }

    private void addLogs() {
        double calls = exchanges
                + requests
                + prints * (WAKEUPS_OF_A_PRINT + PARTS_OF_A_PRINT * MESSAGES_OF_A_PART)
                + HOURS * 61;
        double gigabytes = calls * LOG_BYTES_OF_A_CALL / 1e9;
        add(
                "fixed",
                "logs of functions",
                number(
                        "%,.1f M calls x %.0f bytes = %.1f GB, + 1 GB of messages (assumed), x %s",
                        calls / MILLION, LOG_BYTES_OF_A_CALL, gigabytes, text(LOGS)),
                (gigabytes + 1) * price(LOGS));
        double others = requests * LOG_BYTES_OF_A_REQUEST / 1e9 + 2;
        add(
                "fixed",
                "logs of requests and network",
                number(
                        "%,.1f M requests x %.0f bytes + 2 GB of flows (assumed) = %.1f GB x %s",
                        requests / MILLION, LOG_BYTES_OF_A_REQUEST, others, text(LOGS)),
                others * price(LOGS));
        double kept = (gigabytes + 1 + others) * stage.logDays() / DAYS * 0.15;
        add(
                "fixed",
                "storage of logs",
                number(
                        "these for %d days, compressed to 15 %% = %.1f GB x %s",
                        stage.logDays(), kept, text(LOG_STORAGE)),
                kept * price(LOG_STORAGE));
    }

    private void addTraffic() {
        double parts = prints * PARTS_OF_A_PRINT;
        double out = price(TRAFFIC_OUT);
        add(
                "egress",
                "print files to agents",
                number(
                        "%,.0f files x %.0f agents, which cache them, x %.0f MB x %s; without the cache, %,.0f prints cost $%,.2f",
                        parts,
                        AGENTS_OF_A_FILE,
                        FILE_MEGABYTES,
                        text(TRAFFIC_OUT),
                        prints,
                        prints * FILE_MEGABYTES / 1000 * out),
                parts * AGENTS_OF_A_FILE * FILE_MEGABYTES / 1000 * out);
        add(
                "egress",
                "responses to agents",
                number(
                        "%,.1f M exchanges x %.1f kB (assumed) x %s",
                        exchanges / MILLION, EXCHANGE_KILOBYTES, text(TRAFFIC_OUT)),
                exchanges * EXCHANGE_KILOBYTES / MILLION * out);
        Price toPeople = stage.hasDistribution() ? CLOUDFRONT_TRAFFIC : TRAFFIC_OUT;
        add(
                "egress",
                "responses to people",
                number(
                        "%,.1f M requests x %.0f kB (assumed, without camera images) x %s",
                        requests / MILLION, RESPONSE_KILOBYTES, text(toPeople)),
                requests * RESPONSE_KILOBYTES / MILLION * price(toPeople));
    }

    /**
     * Returns the number of alarms: one for each function, one more for a function with limited concurrency or with
     * asynchronous events, one for each schedule, one for a silent sweep and one for silent agents, two for each queue,
     * three for the database, two for error responses, and one for each rule of IoT Core.
     */
    static int countAlarms(StageSettings stage) {
        return 39 + (stage.hasIot() ? 7 : 0);
    }

    private void add(String kind, String what, String arithmetic, double dollars) {
        lines.add(new CostLine(kind, what, arithmetic, dollars));
    }

    /** Returns the table, with a sum of each kind. */
    static String table(StageSettings stage, int printers) {
        StringBuilder text = new StringBuilder();
        text.append(number(
                "Stage %s in %s with %,d printers, a month (list prices of %s; see infra/docs/operate/aws.md)%n",
                stage.name(), stage.region(), printers, stage.region()));
        if (!Price.REGIONS.contains(stage.region())) {
            text.append(number(
                    "The prices of %s are not known; those of %s are.%n",
                    stage.region(), String.join(", ", Price.REGIONS)));
        }
        double all = 0;
        int unknown = 0;
        for (String kind : List.of("requests", "fixed", "egress")) {
            double sum = 0;
            for (CostLine line : estimate(stage, printers)) {
                if (line.kind().equals(kind)) {
                    text.append(number("  %9s  %-28s %s%n", dollars(line), line.what(), line.arithmetic()));
                    sum += line.isKnown() ? line.dollars() : 0;
                    unknown += line.isKnown() ? 0 : 1;
                }
            }
            text.append(number("  %9.2f  = %s%n", sum, kind));
            all += sum;
        }
        return text.append(number("  %9.2f  = all, in dollars", all))
                .append(
                        unknown == 0
                                ? ""
                                : number(", without %d lines whose price is not known for %s", unknown, stage.region()))
                .append(System.lineSeparator())
                .toString();
    }

    private static String dollars(CostLine line) {
        return line.isKnown() ? number("%.2f", line.dollars()) : "not known";
    }
}
