package farm.gantry.api.benchmark;

import farm.gantry.Id;
import farm.gantry.api.file.LocalFiles;
import farm.gantry.api.fixture.RawClient;
import farm.gantry.api.main.StandaloneServer;
import farm.gantry.file.FileUri;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Measures a build of 500 parts with 50 copies of each: 25,000 jobs in one transaction, over HTTP, without printers.
 * After {@code mvn -pl api-functions -am package}, in {@code api-functions}: {@code java <flags of serve> -cp
 * 'target/test-classes:target/classes:target/lib/*' farm.gantry.api.benchmark.BuildBenchmark}
 */
final class BuildBenchmark {
    private static final int PARTS = 500;
    private static final int COPIES = 50;
    private static final int ROUNDS = 7;
    private static final int QUIET_LOOKS = 50;
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    private BuildBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        try (StandaloneServer machine = StandaloneServer.start(
                Files.createTempDirectory("builds"),
                Map.of("micronaut.server.port", -1, "gantry.rate-limit.per-minute", 0))) {
            String key = machine.ownerKey().orElseThrow();
            String database = machine.ownerUrl();
            String prefix = Id.next().substring(0, 21);
            fill(database, machine.context().getBean(LocalFiles.class), prefix);
            String wishes = IntStream.range(0, PARTS)
                    .mapToObj(i -> "{\"partId\":\"%s%03d\",\"quantity\":%d}".formatted(prefix, i, COPIES))
                    .collect(Collectors.joining(",", "{\"parts\":[", "]}"));
            long[] millis = new long[ROUNDS];
            try (RawClient client = new RawClient(URI.create(machine.url()))) {
                for (int i = 0; i < ROUNDS; i++) {
                    awaitQuiet(database);
                    long start = System.nanoTime();
                    client.exchange(RawClient.request("POST", "/v2/builds", key, wishes));
                    millis[i] = (System.nanoTime() - start) / 1_000_000;
                }
            }
            System.out.printf("%d jobs in ms, each round: %s%n", PARTS * COPIES, Arrays.toString(millis));
            System.out.printf("jobs kept: %d%n", count(database));
        }
        System.exit(0);
    }

    private static void fill(String url, LocalFiles files, String prefix) throws SQLException, IOException {
        try (Connection owner = DriverManager.getConnection(url);
                Statement statement = owner.createStatement()) {
            String store;
            try (ResultSet rows = statement.executeQuery("select \"storeId\" from farm.store")) {
                rows.next();
                store = rows.getString(1);
            }
            FileUri file = FileUri.file(store, Id.next(), "a.gcode");
            files.write(file, new ByteArrayInputStream("G28\n".getBytes(StandardCharsets.UTF_8)), 100);
            statement.execute("""
                    insert into farm.part ("storeId", id, "createdAt", "updatedAt", name, type, description, "fileUris",
                        "fileHashes", parameters, "printTags", "use3MFProcessProfile", arrangeable, "userTags",
                        "customMetadata", materials)
                    select '%s', '%s' || lpad(n::text, 3, '0'), now(), now(), 'part ' || n, 'gcode', '', '["%s"]', '["x"]',
                        '[]', '{"printer.nozzleDiameter": "=0.4"}', false, true, '[]', '{}',
                        '[{"index": 0, "color": null, "type": "PLA"}]'
                    from generate_series(0, %d) n""".formatted(store, prefix, file, PARTS - 1));
            statement.execute("vacuum analyze farm.part");
        }
    }

    /** Waits until nothing of the last build is scheduled or vacuumed any more. */
    private static void awaitQuiet(String url) throws SQLException {
        try (Connection owner = DriverManager.getConnection(url);
                Statement statement = owner.createStatement()) {
            for (int quiet = 0; quiet < QUIET_LOOKS; ) {
                try (ResultSet rows = statement.executeQuery(
                        "select count(*) from pg_stat_activity where state = 'active' and usename is distinct from current_user")) {
                    rows.next();
                    quiet = rows.getInt(1) == 0 ? quiet + 1 : 0;
                }
                LockSupport.parkNanos(POLL_INTERVAL.toNanos());
            }
        }
    }

    private static long count(String url) throws SQLException {
        try (Connection owner = DriverManager.getConnection(url);
                Statement statement = owner.createStatement();
                ResultSet rows = statement.executeQuery("select count(*) from farm.\"printJob\"")) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
