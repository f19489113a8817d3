package farm.gantry.api.benchmark;

import farm.gantry.api.fixture.RawClient;
import farm.gantry.api.main.StandaloneServer;
import farm.gantry.api.query.Columns;
import farm.gantry.api.query.Cursor;
import farm.gantry.api.query.ListQuery;
import farm.gantry.part.Part;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Compares the first page of a hundred parts with the ten thousandth, reached by a cursor, in a store with a million
 * parts. After {@code mvn -pl api-functions -am package}, in {@code api-functions}: {@code java <flags of serve> -cp
 * 'target/test-classes:target/classes:target/lib/*' farm.gantry.api.benchmark.DepthBenchmark}
 */
final class DepthBenchmark {
    private static final int PARTS = 1_000_000;
    private static final int PAGE = 100;
    private static final int ROUNDS = 40;

    private DepthBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        try (StandaloneServer machine = StandaloneServer.start(
                Files.createTempDirectory("depth"),
                Map.of("micronaut.server.port", -1, "gantry.rate-limit.per-minute", 0))) {
            String key = machine.ownerKey().orElseThrow();
            String database = machine.ownerUrl();
            String cursor = fill(database);
            try (RawClient client = new RawClient(URI.create(machine.url()))) {
                for (String extra : List.of("", "&type=3mf")) {
                    long[] first = new long[ROUNDS];
                    long[] deep = new long[ROUNDS];
                    for (int i = 0; i < ROUNDS; i++) {
                        first[i] = micros(client, key, extra);
                        deep[i] = micros(client, key, extra + "&cursor=" + cursor);
                    }
                    System.out.printf(
                            "%-12s page 1: %d us, page %d: %d us, ratio %.2f%n",
                            extra, median(first), PARTS / PAGE, median(deep), (double) median(deep) / median(first));
                }
            }
        }
        System.exit(0);
    }

    private static long micros(RawClient client, String key, String more) throws IOException {
        long start = System.nanoTime();
        client.exchange(RawClient.request("GET", "/v1/parts?meta=true&limit=" + PAGE + more, key, ""));
        return (System.nanoTime() - start) / 1000;
    }

    private static long median(long[] values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** Creates the parts, and returns the cursor of the last page. */
    private static String fill(String url) throws SQLException {
        try (Connection owner = DriverManager.getConnection(url);
                Statement statement = owner.createStatement()) {
            statement.execute("""
                    insert into farm.part ("storeId", id, "createdAt", "updatedAt", name, type, description, "fileUris",
                        "fileHashes", parameters, "printTags", "use3MFProcessProfile", arrangeable, "userTags",
                        "customMetadata")
                    select s."storeId", lpad(n::text, 24, '0'), timestamptz '2020-01-01' + n * interval '1 second',
                        timestamptz '2020-01-01' + n * interval '1 second', 'part ' || n,
                        (array['stl', '3mf'])[1 + n %% 2], '', '[]', '[]', '[]', '{}', false, true, '[]', '{}'
                    from generate_series(1, %d) n, farm.store s""".formatted(PARTS));
            statement.execute("vacuum analyze farm.part");
            statement.execute("checkpoint");
            try (ResultSet last = statement.executeQuery("""
                    select id, to_char("createdAt" at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') from farm.part
                    order by id desc offset %d limit 1""".formatted(PAGE))) {
                last.next();
                return Cursor.encode(
                        ListQuery.all(Columns.of(Part.class)).sort(), List.of(last.getString(2), last.getString(1)));
            }
        }
    }
}
