package farm.gantry.api.benchmark;

import farm.gantry.Id;
import farm.gantry.api.main.StandaloneServer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Compares the request rate of the API, with authentication and row-level security, with the rate of {@code pgbench}
 * for the same data, query and number of clients, where PostgreSQL builds the JSON. pgbench runs with its default
 * protocol, to which the goals refer, and with prepared statements, which the API uses too. A third comparison is a
 * hand-written Node.js service without authentication, if npm has its libraries. The clients are {@code wrk}'s, in a
 * process of their own, as pgbench's are. All run by turns on one install of 20 stores of 10,000 parts, durable as in
 * production; the ratio is the median of several rounds. The CPU time of API and PostgreSQL per request is printed in
 * microseconds. After {@code mvn -pl api-functions -am package}, in {@code api-functions}, with {@code pgbench} and
 * {@code wrk} on the path: {@code java <flags of serve> -cp 'target/test-classes:target/classes:target/lib/*'
 * farm.gantry.api.benchmark.Benchmark [rounds] [seconds a turn] [name of one measure]}
 */
final class Benchmark implements AutoCloseable {
    private static final int CLIENTS = 8;
    private static final int STORES = 20;
    private static final int WARM_UP_SECONDS = 10;
    private static final String FIRST_ID = "000000000000000000100000";
    private static final int PARTS = 10_000;
    private static final String MACRO = """
            {"name":"purge","type":"purge","description":"wipes the nozzle","compatibilities":[
            {"vendorName":"VendorP","modelName":"Four"}],"gcode":"%s"}""".formatted("G1 X10 Y10 F6000 E3\\n".repeat(16));

    /** A kind of request, its SQL for pgbench, and the goal for the ratio of their rates. */
    private record Measure(String name, String method, String target, String body, String script, int goal) {

        /** Returns whether the hand-written service supports the request; it embeds no records. */
        boolean isByHand() {
            return !target.contains("include=");
        }
    }

    private final StandaloneServer machine;
    private final ProcessHandle postgres;
    private final URI api;
    private final String key;
    private final PgBench pgbench;
    private final Wrk wrk;
    private final Optional<NodeService> node;

    private Benchmark(Path folder) throws IOException, SQLException, InterruptedException {
        this.machine = StandaloneServer.start(folder, Map.of("micronaut.server.port", -1, "gantry.rate-limit.per-minute", 0));
        String pid = Files.readAllLines(folder.resolve("postgres/data/postmaster.pid"))
                .getFirst();
        this.postgres = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
        this.api = URI.create(machine.url());
        this.key = machine.ownerKey().orElseThrow();
        this.wrk = new Wrk(folder, api, key);
        String url = machine.context()
                .getRequiredProperty("datasources.default.url", String.class)
                .substring("jdbc:".length());
        this.pgbench = new PgBench(
                folder,
                URI.create(url),
                fill(machine.ownerUrl()),
                machine.context().getRequiredProperty("datasources.default.password", String.class));
        this.node = NodeService.start(folder, pgbench, CLIENTS);
    }

    public static void main(String[] arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5;
        int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5;
        try (Benchmark benchmark = new Benchmark(Files.createTempDirectory("benchmark"))) {
            benchmark.run(rounds, seconds, arguments.length > 2 ? arguments[2] : "");
        }
        System.exit(0);
    }

    private void run(int rounds, int seconds, String only) throws Exception {
        System.out.printf("%d clients, %d rounds of %d s%n", CLIENTS, rounds, seconds);
        System.out.printf(
                "%-12s %8s %8s %10s %8s %7s %7s %9s %8s %8s %8s  %s%n",
                "",
                "api/s",
                "pgbench",
                "(prepared)",
                "Node.js",
                "ratio",
                "goal",
                "prepared",
                "Node.js",
                "api us",
                "pg us",
                "each round");
        for (Measure measure : measures()) {
            if (measure.name().contains(only)) {
                rate(wrk, measure, WARM_UP_SECONDS);
                Optional<Wrk> byHand = node.filter(_ -> measure.isByHand()).map(service -> wrk.at(service.address()));
                if (byHand.isPresent()) {
                    rate(byHand.get(), measure, WARM_UP_SECONDS);
                }
                double[] ours = new double[rounds];
                double[] theirs = new double[rounds];
                double[] prepared = new double[rounds];
                double[] nodes = new double[rounds];
                double[] ratios = new double[rounds];
                double requests = 0;
                double apiMicros = 0;
                double postgresMicros = 0;
                for (int i = 0; i < rounds; i++) {
                    CpuTimes apiBefore = CpuTimes.of(Stream.of(ProcessHandle.current()));
                    CpuTimes postgresBefore = CpuTimes.of(postgres.children());
                    ours[i] = rate(wrk, measure, seconds);
                    requests += ours[i] * seconds;
                    apiMicros += CpuTimes.of(Stream.of(ProcessHandle.current())).microsSince(apiBefore);
                    postgresMicros += CpuTimes.of(postgres.children()).microsSince(postgresBefore);
                    theirs[i] = pgbench.rate(measure.script(), PgBench.Protocol.simple, CLIENTS, seconds);
                    prepared[i] = pgbench.rate(measure.script(), PgBench.Protocol.prepared, CLIENTS, seconds);
                    nodes[i] = byHand.isPresent() ? rate(byHand.get(), measure, seconds) : Double.NaN;
                    ratios[i] = 100 * ours[i] / theirs[i];
                }
                String each = Arrays.stream(ratios)
                        .mapToObj(ratio -> String.format(Locale.ROOT, "%.0f", ratio))
                        .toList()
                        .toString();
                System.out.printf(
                        "%-12s %8.0f %8.0f %10.0f %8s %6.0f%% %6d%% %8.0f%% %8s %8.0f %8.0f  %s%n",
                        measure.name(),
                        median(ours),
                        median(theirs),
                        median(prepared),
                        byHand.isPresent() ? "%.0f".formatted(median(nodes)) : "-",
                        median(ratios),
                        measure.goal(),
                        100 * median(ours) / median(prepared),
                        byHand.isPresent() ? "%.0f%%".formatted(100 * median(ours) / median(nodes)) : "-",
                        apiMicros / requests,
                        postgresMicros / requests,
                        each);
            }
        }
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private List<Measure> measures() {
        String id = FIRST_ID.substring(0, 18);
        String get = pgbench.within("""
                select row_to_json(t) from farm.part t where t."storeId"='%s' and t.id='%s' || :n""".formatted(pgbench.store(), id));
        return List.of(
                list(1000, 170),
                list(50, 130),
                included(),
                new Measure(
                        "get",
                        "GET",
                        "'/v1/parts/%s' .. math.random(100000, %d)".formatted(id, 100_000 + PARTS - 1),
                        "",
                        "\\set n random(100000, %d)%n".formatted(100_000 + PARTS - 1) + get,
                        42),
                new Measure(
                        "create",
                        "POST",
                        "'/v1/macros'",
                        MACRO,
                        """
                        insert into farm."gcodeMacro" select '%s', left(replace(gen_random_uuid()::text, '-', ''), 24),
                        now(), now(), m.name, m.type, m.gcode, m.description, m.compatibilities
                        from json_populate_record(null::farm."gcodeMacro", '%s') m;
                        """.formatted(pgbench.store(), MACRO.replace("\n", "")),
                        42));
    }

    /** Returns a measure of a page with two embedded relations per record. */
    private Measure included() {
        Measure bare = list(1000, 80);
        return new Measure(
                "included",
                "GET",
                "'/v1/parts?type=3mf&sort=name:desc&meta=true&limit=1000&include=folder,linkedParts'",
                "",
                bare.script(),
                bare.goal());
    }

    private Measure list(int limit, int goal) {
        String found = "from farm.part t where t.\"storeId\"='%s' and t.type='3mf'".formatted(pgbench.store());
        String query = """
                select json_build_object('data', json_agg(row_to_json(p)), 'meta',
                json_build_object('count', count(*), 'total', (select count(*) %1$s)))
                from (select * %1$s order by t.name desc, t.id desc limit %2$d) p""".formatted(found, limit);
        return new Measure(
                "list " + limit,
                "GET",
                "'/v1/parts?type=3mf&sort=name:desc&meta=true&limit=%d'".formatted(limit),
                "",
                pgbench.within(query),
                goal);
    }

    private static double rate(Wrk clients, Measure measure, int seconds) throws IOException, InterruptedException {
        return clients.rate(measure.method(), measure.target(), measure.body(), CLIENTS, seconds);
    }

    /** Fills this store and the others, and returns the id of this one. */
    private static String fill(String url) throws IOException, SQLException {
        try (Connection owner = DriverManager.getConnection(url);
                Statement statement = owner.createStatement()) {
            String store;
            try (ResultSet rows = statement.executeQuery("select \"storeId\" from farm.store")) {
                rows.next();
                store = rows.getString(1);
            }
            for (int i = 1; i < STORES; i++) {
                statement.execute(
                        "insert into farm.store (\"storeId\", name) values ('" + Id.next() + "', 'Another farm')");
            }
            try (var parts = Benchmark.class.getResourceAsStream("/parts.sql")) {
                statement.execute(new String(parts.readAllBytes(), StandardCharsets.UTF_8));
            }
            statement.execute("vacuum analyze");
            statement.execute("checkpoint");
            return store;
        }
    }

    @Override
    public void close() throws IOException {
        node.ifPresent(NodeService::close);
        machine.close();
    }
}
