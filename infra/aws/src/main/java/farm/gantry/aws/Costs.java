package farm.gantry.aws;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a stage costs a month with so many printers, by list prices of us-east-1 of 2025 without free tiers, which an account's own
 * bill corrects. What a farm does is assumed as said at each line; nothing here was measured on AWS.
 */
final class Costs {
    private static final double HOURS = 730;
    private static final double SECONDS = HOURS * 3600;
    private static final double PRINTERS_OF_AN_AGENT = 20;
    private static final double PRINTS_A_DAY = 4;
    private static final double DAYS = HOURS / 24;
    private static final double FILE_MEGABYTES = 20;
    /** People at the console and programs, each with an API key or a session. */
    private static final double CALLERS = 10;

    private static final double SECONDS_BETWEEN_REQUESTS = 5;
    private static final double MILLION = 1e6;

    private final List<Line> lines = new ArrayList<>();

    /** {@code kind} is {@code requests}, {@code fixed} or {@code egress}. */
    record Line(String kind, String what, String arithmetic, double dollars) {}

    private Costs() {}

    static List<Line> of(StageSettings stage, int printers) {
        Costs costs = new Costs();
        costs.requests(stage, printers);
        costs.fixed(stage);
        double prints = printers * PRINTS_A_DAY * DAYS;
        double gigabytes = prints * FILE_MEGABYTES / 1000;
        costs.add(
                "egress",
                "print files to agents",
                String.format(Locale.ROOT, "%,.0f prints x %.0f MB x $0.09/GB", prints, FILE_MEGABYTES),
                gigabytes * 0.09);
        return List.copyOf(costs.lines);
    }

    private void requests(StageSettings stage, int printers) {
        double agents = Math.ceil(printers / PRINTERS_OF_AN_AGENT);
        double seconds = Double.parseDouble(stage.agentsAskAfter().replace("s", ""));
        // One asks for commands and one tells of changes, each as often.
        double exchanges = agents * 2 * SECONDS / seconds;
        String count = String.format(
                Locale.ROOT,
                "%,.0f agents x 2 x %,.0f s / %.0f s = %,.1f M exchanges",
                agents,
                SECONDS,
                seconds,
                exchanges / MILLION);
        add("requests", "link: HTTP API", count + " x $1.00/M", exchanges / MILLION);
        add("requests", "link: function calls", "the same x $0.20/M", exchanges / MILLION * 0.2);
        add(
                "requests",
                "link: function time",
                "the same x 15 ms x 1 GB x $13.33/M GB s (arm)",
                exchanges * 0.015 * 13.3334 / MILLION);
        double prints = printers * PRINTS_A_DAY * DAYS;
        // Made, assigned, sliced, sent, printing, done: a change each wakes the scheduler and the webhooks.
        double wakeups = prints * 6 * 2;
        double minutes = HOURS * 60;
        add(
                "requests",
                "wakeups: SQS",
                String.format(Locale.ROOT, "%,.0f prints x 6 moves x 2 queues x 3 requests x $0.40/M", prints),
                wakeups * 3 * 0.4 / MILLION);
        add(
                "requests",
                "wakeups: functions",
                "the same without x 3, x (50 ms x $13.33/M GB s + $0.20/M)",
                wakeups * (0.05 * 13.3334 + 0.2) / MILLION);
        add(
                "requests",
                "sweep",
                String.format(Locale.ROOT, "%,.0f minutes x (200 ms x $13.33/M GB s + $0.20/M)", minutes),
                minutes * (0.2 * 13.3334 + 0.2) / MILLION);
        double counted = CALLERS * SECONDS / SECONDS_BETWEEN_REQUESTS;
        add(
                "requests",
                "rate limits: DynamoDB",
                String.format(
                        Locale.ROOT,
                        "%,.0f callers x %,.0f s / %.0f s = %,.1f M requests x (a read $0.125/M + a write $0.625/M)",
                        CALLERS,
                        SECONDS,
                        SECONDS_BETWEEN_REQUESTS,
                        counted / MILLION),
                counted * (0.125 + 0.625) / MILLION);
        // Lambda asks each of eight queues five at a time, for 20 seconds each.
        double polls = 8 * 5 * SECONDS / 20;
        add(
                "requests",
                "queues that are empty",
                String.format(Locale.ROOT, "8 queues x 5 x %,.0f s / 20 s x $0.40/M", SECONDS),
                polls * 0.4 / MILLION);
        add(
                "requests",
                "worker",
                String.format(
                        Locale.ROOT, "%,.0f parts (a tenth of prints) x 20 s x 4 GB x $16.67/M GB s", prints / 10),
                prints / 10 * 20 * 4 * 16.6667 / MILLION);
    }

    private void fixed(StageSettings stage) {
        double capacity = Math.max(stage.leastCapacity(), 0.5);
        add(
                "fixed",
                "database",
                String.format(
                        Locale.ROOT, "%.1f ACU (the least while agents are online) x %.0f h x $0.12", capacity, HOURS),
                capacity * HOURS * 0.12);
        add("fixed", "database storage", "20 GB x $0.10 + 20 M I/O x $0.20/M", 6);
        if (stage.hasNat()) {
            add(
                    "fixed",
                    "NAT gateway",
                    "730 h x $0.045 + an IPv4 address x $0.005 + 10 GB x $0.045",
                    HOURS * 0.05 + 0.45);
        } else {
            add("fixed", "way out", "egress-only internet gateway", 0);
        }
        add("fixed", "key and secrets", "1 key x $1 + 3 secrets x $0.40", 2.2);
        add("fixed", "alarms and dashboard", "25 alarms x $0.10 + 1 dashboard x $3", 5.5);
        add("fixed", "logs", "5 GB x $0.50", 2.5);
        add("fixed", "files", "200 GB x $0.023", 4.6);
    }

    private void add(String kind, String what, String arithmetic, double dollars) {
        lines.add(new Line(kind, what, arithmetic, dollars));
    }

    /** The table, with a sum of each kind. */
    static String table(StageSettings stage, int printers) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "Stage %s with %,d printers, a month (list prices; see infra/README.md)%n",
                stage.name(),
                printers));
        double all = 0;
        for (String kind : List.of("requests", "fixed", "egress")) {
            double sum = 0;
            for (Line line : of(stage, printers)) {
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
