package farm.gantry.aws;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The monthly cost of a stage with a number of printers, by list prices of us-east-1 of 2025 without free tiers, which
 * an account's own bill corrects. The requests of a print are counted with emulators of the services. The number of
 * prints, the use of the console and the duration of functions are assumptions, stated at each line. Nothing here was
 * measured on AWS.
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
    /** Eight hours on 22 days, during which people use three consoles. */
    private static final double USED_HOURS = 176;

    private static final double CONSOLES = 3;
    /** The maximum that PrintOnAwsTest counts for a part and its print. */
    static final int MESSAGES_OF_A_PART = 8;

    static final int WRITES_OF_A_PART = 10;
    static final int READS_OF_A_PART = 10;
    static final int WAKEUPS_OF_A_PRINT = 8;
    static final int EXCHANGES_OF_A_PRINT = 6;
    static final int READS_OF_A_PRINT = 4;
    private static final double MILLION = 1e6;

    private final List<CostLine> lines = new ArrayList<>();

    /** {@code kind} is {@code requests}, {@code fixed} or {@code egress}. */
    record CostLine(String kind, String what, String arithmetic, double dollars) {}

    private StageCosts() {}

    static List<CostLine> estimate(StageSettings stage, int printers) {
        StageCosts costs = new StageCosts();
        costs.addPrintRequests(stage, printers);
        costs.addFixed(stage);
        double prints = printers * PRINTS_A_DAY * DAYS;
        double gigabytes = prints * FILE_MEGABYTES / 1000;
        costs.add(
                "egress",
                "print files to agents",
                String.format(Locale.ROOT, "%,.0f prints x %.0f MB x $0.09/GB", prints, FILE_MEGABYTES),
                gigabytes * 0.09);
        return List.copyOf(costs.lines);
    }

    private void addPrintRequests(StageSettings stage, int printers) {
        double prints = printers * PRINTS_A_DAY * DAYS;
        addLink(stage, printers, prints);
        addConsoles(stage, printers);
        double wakeups = prints * WAKEUPS_OF_A_PRINT;
        add(
                "requests",
                "wakeups: SQS",
                String.format(
                        Locale.ROOT, "%,.0f prints x %d messages x 3 requests x $0.40/M", prints, WAKEUPS_OF_A_PRINT),
                wakeups * 3 * 0.4 / MILLION);
        add(
                "requests",
                "wakeups: functions",
                "the same without x 3, x (50 ms x $13.33/M GB s + $0.20/M)",
                wakeups * (0.05 * 13.3334 + 0.2) / MILLION);
        double minutes = HOURS * 60;
        add(
                "requests",
                "sweep",
                String.format(Locale.ROOT, "%,.0f minutes x (200 ms x $13.33/M GB s + $0.20/M)", minutes),
                minutes * (0.2 * 13.3334 + 0.2) / MILLION);
        // Lambda asks each of eight queues five at a time, for 20 seconds each.
        double polls = 8 * 5 * SECONDS / 20;
        add(
                "requests",
                "queues that are empty",
                String.format(Locale.ROOT, "8 queues x 5 x %,.0f s / 20 s x $0.40/M", SECONDS),
                polls * 0.4 / MILLION);
        addParts(prints);
    }

    private void addLink(StageSettings stage, int printers, double prints) {
        double agents = Math.ceil(printers / PRINTERS_OF_AN_AGENT);
        double often = parseSeconds(stage.agentsAskAfter());
        double exchanges = agents * SECONDS / often + prints * EXCHANGES_OF_A_PRINT;
        String count = String.format(
                Locale.ROOT,
                "%,.0f agents, of which a printer always prints, x %,.0f s / %.0f s + %,.0f prints x %d = %,.1f M exchanges",
                agents,
                SECONDS,
                often,
                prints,
                EXCHANGES_OF_A_PRINT,
                exchanges / MILLION);
        if (stage.hasIot()) {
            addBroker(agents, exchanges);
        }
        add("requests", "link: function calls", count + " x $0.20/M", exchanges / MILLION * 0.2);
        add(
                "requests",
                "link: function time",
                "the same x 15 ms x 1 GB x $13.33/M GB s (arm)",
                exchanges * 0.015 * 13.3334 / MILLION);
    }

    /** Assumes that all agents use MQTT. */
    private void addBroker(double agents, double exchanges) {
        add(
                "requests",
                "link: IoT Core messages",
                "the exchanges below x (2 messages x $1.00/M + a rule $0.15/M + its action $0.15/M)",
                exchanges * (2 + 0.3) / MILLION);
        add(
                "requests",
                "link: IoT Core lines",
                String.format(
                        Locale.ROOT,
                        "%,.0f agents x (%,.0f minutes x $0.08/M + %,.0f s / 300 s x (15 ms x $13.33/M GB s + $0.20/M))",
                        agents,
                        HOURS * 60,
                        SECONDS),
                agents * (HOURS * 60 * 0.08 + SECONDS / 300 * (0.015 * 13.3334 + 0.2)) / MILLION);
    }

    private static double parseSeconds(String duration) {
        return Double.parseDouble(duration.replace("s", ""));
    }

    /**
     * Assumes that a console requests the states of two hundred printers at a time, and its other content, every five
     * seconds.
     */
    private void addConsoles(StageSettings stage, int printers) {
        double pages = Math.ceil(printers / 200.0) + 1;
        double requests = CONSOLES * USED_HOURS * 3600 / 5 * pages;
        String count = String.format(
                Locale.ROOT,
                "%.0f consoles x %.0f h x 720 x %.0f requests = %,.1f M",
                CONSOLES,
                USED_HOURS,
                pages,
                requests / MILLION);
        add(
                "requests",
                "people: API and functions",
                count + " x ($1.00/M + $0.20/M + 20 ms x $13.33/M GB s)",
                requests * (1.2 + 0.02 * 13.3334) / MILLION);
        if (stage.hasDistribution()) {
            add("requests", "people: CloudFront", "the same x $1.00/M", requests / MILLION);
        }
        add(
                "requests",
                "rate limits: DynamoDB",
                "the same x (a read $0.125/M + a write $0.625/M)",
                requests * (0.125 + 0.625) / MILLION);
    }

    private void addParts(double prints) {
        double parts = prints * PARTS_OF_A_PRINT;
        String count = String.format(Locale.ROOT, "%,.0f parts (a tenth of prints)", parts);
        add(
                "requests",
                "parts: SQS and functions",
                String.format(
                        Locale.ROOT,
                        "%s x %d messages x (3 x $0.40/M + 50 ms x $13.33/M GB s + $0.20/M)",
                        count,
                        MESSAGES_OF_A_PART),
                parts * MESSAGES_OF_A_PART * (1.2 + 0.05 * 13.3334 + 0.2) / MILLION);
        add(
                "requests",
                "files: S3",
                String.format(
                        Locale.ROOT,
                        "%s x (%d writes x $5/M + %d reads x $0.40/M) + %,.0f prints x %d reads",
                        count,
                        WRITES_OF_A_PART,
                        READS_OF_A_PART,
                        prints,
                        READS_OF_A_PRINT),
                (parts * (WRITES_OF_A_PART * 5 + READS_OF_A_PART * 0.4) + prints * READS_OF_A_PRINT * 0.4) / MILLION);
        add(
                "requests",
                "worker",
                count + ", half sliced in 20 s and half read in 3 s, x 4 GB x $16.67/M GB s",
                parts * (20 + 3) / 2 * 4 * 16.6667 / MILLION);
    }

    private void addFixed(StageSettings stage) {
        double capacity = Math.max(stage.minCapacity(), 0.5);
        add(
                "fixed",
                "database",
                String.format(
                        Locale.ROOT, "%.1f ACU (the least while agents are online) x %.0f h x $0.12", capacity, HOURS),
                capacity * HOURS * 0.12);
        if (stage.readers() > 0) {
            add(
                    "fixed",
                    "readers of the database",
                    String.format(Locale.ROOT, "%d x %.1f ACU x %.0f h x $0.12", stage.readers(), capacity, HOURS),
                    stage.readers() * capacity * HOURS * 0.12);
        }
        add("fixed", "database storage", "20 GB x $0.10 + 20 M I/O x $0.20/M", 6);
        if (stage.hasNat()) {
            add(
                    "fixed",
                    "NAT gateways",
                    String.format(
                            Locale.ROOT,
                            "%d x %.0f h x ($0.045 + an IPv4 address $0.005) + 10 GB x $0.045",
                            stage.natGateways(),
                            HOURS),
                    stage.natGateways() * HOURS * 0.05 + 0.45);
        } else {
            add("fixed", "way out", "egress-only internet gateway", 0);
        }
        add("fixed", "key and secrets", "1 key x $1 + 3 secrets x $0.40", 2.2);
        add(
                "fixed",
                "alarms and dashboard",
                countAlarms(stage) + " alarms, one of two metrics, x $0.10 + 2 metrics of agents x $0.30 + 1 dashboard x $3",
                (countAlarms(stage) + 1) * 0.1 + 0.6 + 3);
        add("fixed", "logs", "(5 GB of functions + 2 GB of the network's flows) x $0.50", 3.5);
        add("fixed", "files", "200 GB x $0.023", 4.6);
    }

    /**
     * Returns the number of alarms: one for each function, one more for a function with limited concurrency or with
     * asynchronous events, one for each schedule, one for a silent sweep and one for silent agents, two for each queue, three for the database,
     * two for error responses, and one for each rule of IoT Core.
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
        text.append(String.format(
                Locale.ROOT,
                "Stage %s in %s with %,d printers, a month (list prices of us-east-1; see infra/docs/operate/aws.md)%n",
                stage.name(),
                stage.region(),
                printers));
        double all = 0;
        for (String kind : List.of("requests", "fixed", "egress")) {
            double sum = 0;
            for (CostLine line : estimate(stage, printers)) {
                if (line.kind().equals(kind)) {
                    text.append(String.format(
                            Locale.ROOT, "  %9.2f  %-24s %s%n", line.dollars(), line.what(), line.arithmetic()));
                    sum += line.dollars();
                }
            }
            text.append(String.format(Locale.ROOT, "  %9.2f  = %s%n", sum, kind));
            all += sum;
        }
        return text.append(String.format(Locale.ROOT, "  %9.2f  = all, in dollars%n", all))
                .toString();
    }
}
