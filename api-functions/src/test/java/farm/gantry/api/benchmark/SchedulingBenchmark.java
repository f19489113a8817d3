package farm.gantry.api.benchmark;

import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tx;
import farm.gantry.api.main.StandaloneServer;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.schedule.SchedulingRound;
import farm.gantry.api.store.StoreRows;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures scheduling rounds: of many waiting jobs and a thousand printers of one store, all of which are free, or one,
 * or none that fits; the time from a change to the assignment of a job; and a hundred stores at once, one of them
 * large. After {@code mvn -pl api-functions -am package}, in {@code api-functions}: {@code java <flags of serve> -cp
 * 'target/test-classes:target/classes:target/lib/*' farm.gantry.api.benchmark.SchedulingBenchmark}
 */
final class SchedulingBenchmark {
    private static final int PRINTERS = 1000;
    private static final int ROUNDS = 5;

    private final ApplicationContext context;
    private final String url;

    private SchedulingBenchmark(StandaloneServer machine) {
        this.context = machine.context();
        this.url = machine.ownerUrl();
    }

    public static void main(String[] arguments) throws Exception {
        try (StandaloneServer machine = StandaloneServer.start(
                Files.createTempDirectory("rounds"),
                Map.of("micronaut.server.port", -1, "gantry.rate-limit.per-minute", 0))) {
            SchedulingBenchmark benchmark = new SchedulingBenchmark(machine);
            benchmark.rounds();
            benchmark.changes();
            benchmark.sideBySide();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        System.exit(0);
    }

    private void rounds() throws SQLException {
        System.out.println("jobs waiting, printers, free: median of " + ROUNDS + " rounds");
        for (int jobs : new int[] {2_500, 5_000, 10_000, 20_000}) {
            StoreId store = store();
            fill(store, PRINTERS, jobs, 200);
            round(store);
            System.out.printf("%6d %5d all free and taken:    %5d ms%n", jobs, PRINTERS, median(store, "all"));
            System.out.printf("%6d %5d one free:              %5d ms%n", jobs, PRINTERS, median(store, "one"));
            System.out.printf("%6d %5d all free, none fitting: %4d ms%n", jobs, PRINTERS, median(store, "unfit"));
            clear(store);
        }
    }

    private long median(StoreId store, String which) throws SQLException {
        long[] times = new long[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            reset(store, which);
            long begun = System.nanoTime();
            round(store);
            times[i] = (System.nanoTime() - begun) / 1_000_000;
        }
        Arrays.sort(times);
        return times[ROUNDS / 2];
    }

    private void round(StoreId store) {
        context.getBean(Database.class)
                .in(store, tx -> context.getBean(SchedulingRound.class).run(tx, Instant.now()));
    }

    /** Measures how long it takes until a printer that becomes ready has one of ten thousand waiting jobs. */
    private void changes() throws SQLException {
        StoreId store = store();
        fill(store, PRINTERS, 10_000, 200);
        long[] times = new long[20];
        for (int i = 0; i < times.length; i++) {
            reset(store, "one");
            long begun = System.nanoTime();
            context.getBean(Scheduler.class).trigger(store);
            while (count(store, "status = 'Sending-to-printer'") == 0) {
                LockSupport.parkNanos(1_000_000);
            }
            times[i] = (System.nanoTime() - begun) / 1_000_000;
        }
        Arrays.sort(times);
        System.out.printf(
                "from a change to the assignment, 10,000 waiting: median %d ms, worst %d ms%n",
                times[times.length / 2], times[times.length - 1]);
        clear(store);
    }

    /**
     * Wakes all stores at once, the largest first. Their printers become ready only then, because scheduling rounds
     * also run on their own. A store counts as served when its agent has a command.
     */
    private void sideBySide() throws SQLException {
        List<StoreId> stores = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            StoreId store = store();
            fill(store, i == 0 ? PRINTERS : 10, i == 0 ? 10_000 : 100, 20);
            run("update farm.printer set \"confirmedReady\" = false where \"storeId\" = '" + store.value() + "'");
            stores.add(store);
        }
        run("update farm.printer set \"confirmedReady\" = true");
        run("vacuum analyze");
        long begun = System.nanoTime();
        stores.forEach(context.getBean(Scheduler.class)::trigger);
        Map<String, Long> servedAfter = new HashMap<>();
        try (Connection owner = DriverManager.getConnection(url);
                PreparedStatement statement =
                        owner.prepareStatement("select distinct \"storeId\" from farm.\"agentCommand\"")) {
            while (servedAfter.size() < stores.size()) {
                LockSupport.parkNanos(10_000_000);
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        servedAfter.putIfAbsent(rows.getString(1), (System.nanoTime() - begun) / 1_000_000);
                    }
                }
            }
        }
        long[] served = stores.stream()
                .mapToLong(store -> servedAfter.get(store.value()))
                .toArray();
        long big = served[0];
        Arrays.sort(served);
        System.out.printf(
                "100 stores at once: first served after %d ms, half after %d ms, last after %d ms; the big one %d ms%n",
                served[0], served[49], served[99], big);
    }

    private StoreId store() {
        return context.getBean(StoreRows.class).create("benchmark", Tx::store);
    }

    private void reset(StoreId store, String which) throws SQLException {
        run("delete from farm.\"agentCommand\" where \"storeId\" = '" + store.value() + "'");
        run("update farm.\"printJob\" set status = 'Pending', \"assignedPrinterId\" = null, \"requiredPrinterTags\" ="
                + (which.equals("unfit")
                        ? " json_build_object('user.tags', 'none ' || (\"queueOrder\" % 200))"
                        : " json_build_object('user.tags', 'kind ' || (\"queueOrder\" % 20))")
                + " where \"storeId\" = '" + store.value() + "'");
        run("update farm.printer set \"printingJobId\" = null, \"confirmedReady\" = "
                + (which.equals("one")
                        ? "id = (select max(id) from farm.printer where \"storeId\" = '" + store.value() + "')"
                        : "true")
                + " where \"storeId\" = '" + store.value() + "'");
        run("vacuum analyze farm.\"printJob\"");
        run("vacuum analyze farm.printer");
    }

    private void fill(StoreId store, int printers, int jobs, int builds) throws SQLException {
        String id = store.value();
        run("""
                insert into farm.agent ("storeId", id, "createdAt", "updatedAt", name, version, platform, "isOnline")
                values ('%s', '%s', now(), now(), 'a', '1', 'linux', true)""".formatted(id, id));
        run("""
                insert into farm.printer ("storeId", id, "createdAt", "updatedAt", name, "modelName", "nozzleDiameter",
                  "commMethod", "deviceId", enabled, "confirmedReady", "continuousPrint", "isOnline", "isInMaintenance",
                  "lifetimeJobCount", "lifetimePrintHours", "customMetadata", tags, provider, "proxyClientId")
                select '%s', lpad(n::text, 24, '0'), now(), now(), 'p' || n, 'Trident', '0.4', 'fuse', '%s' || n, true, true,
                  false, true, false, 0, 0, '{}', json_build_array('kind ' || (n %% 20)), 'firmwareK', '%s'
                from generate_series(1, %d) n""".formatted(id, id, id, printers));
        run("""
                insert into farm."partBuild" ("storeId", id, "createdAt", "updatedAt", "partId", "partName", quantity,
                  priority, parameters, "requiredPrinterTags", "partCopy", status, dismissed)
                select '%s', lpad(n::text, 24, '0'), now(), now(), 'p', 'part', 50, 100, '{}', '{}',
                  json_build_object('type', 'gcode', 'materials', json_build_array(), 'metadata', json_build_object(
                    'printerModel', 'Trident', 'profileCompat', json_build_object('sliced', 'Trident 0.4 nozzle',
                      'safe', json_build_array(), 'compatible',
                      (select json_agg('Other model ' || k || ' 0.4 nozzle') from generate_series(1, 30) k)))), 'queued', false
                from generate_series(1, %d) n""".formatted(id, builds));
        run("""
                insert into farm."printJob" ("storeId", id, "createdAt", "updatedAt", "partBuildId", "quantityIndex",
                  "quantityTotal", "filesToPrint", "isGcodeCached", "partId", "partName", "parameterOverrides",
                  "queueOrder", priority, "requiredPrinterTags", "taskId", "profileUris", status, hidden, attempt)
                select '%s', lpad(n::text, 24, '0'), now(), now(), lpad((1 + n %% %d)::text, 24, '0'), 1, 1,
                  '[{"uri":"files:x","sha256":"a","size":1,"name":"a.gcode"}]', true, 'p', 'part', '[]', n,
                  case n %% 10 when 0 then 1000 else 100 end, json_build_object('user.tags', 'kind ' || (n %% 20)), n, '[]',
                  'Pending', false, 1
                from generate_series(1, %d) n""".formatted(id, builds, jobs));
    }

    private void clear(StoreId store) throws SQLException {
        for (String table : List.of("agentCommand", "printJob", "partBuild", "printer")) {
            run("delete from farm.\"" + table + "\" where \"storeId\" = '" + store.value() + "'");
        }
    }

    private void run(String sql) throws SQLException {
        try (Connection owner = DriverManager.getConnection(url);
                Statement statement = owner.createStatement()) {
            statement.execute(sql);
        }
    }

    private long count(StoreId store, String condition) throws SQLException {
        try (Connection owner = DriverManager.getConnection(url);
                Statement statement = owner.createStatement();
                ResultSet rows = statement.executeQuery("select count(*) from farm.\"printJob\" where \"storeId\" = '"
                        + store.value() + "' and " + condition)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
