package farm.gantry.api.benchmark;

import farm.gantry.StoreId;
import farm.gantry.api.apikey.ApiKeys;
import farm.gantry.api.audit.AuditRetention;
import farm.gantry.api.job.JobRetention;
import farm.gantry.api.main.StandaloneServer;
import farm.gantry.api.main.process.PostgresPrograms;
import farm.gantry.api.store.StoreRows;
import farm.gantry.api.webhook.WebhookDeliveries;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/**
 * Measures lists of a farm whose stores have a long history, in turn with those of an empty farm beside it, and a list while
 * a month of the history is deleted. {@code infra/local/measure history} runs it.
 */
final class HistoryBenchmark {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final int ROUNDS = 150;
    /** Requests of each list to each farm before the measurement, after which the JVM has compiled it. */
    private static final int WARM_UPS = 100;

    private static final int PRINTERS = 100;
    /** Days over which the history is spread; half of it is past the retention of deliveries and jobs. */
    private static final int DAYS = 60;

    private static final int RETENTION_DAYS = 30;

    private static final double MAX_RATIO = 1.5;
    /** Rows in the empty farm: as many as a list returns, so that both farms return as much. */
    private static final int LISTED = 50;

    private static final List<String> LISTS = List.of(
            "/v1/print-jobs?limit=50",
            "/v1/print-jobs?limit=50&sort=createdAt:desc",
            "/v1/print-jobs?status=Completed&limit=50&sort=createdAt:desc",
            "/v1/print-jobs?status=Pending&limit=50",
            "/v1/part-builds?limit=50&sort=createdAt:desc",
            "/v1/printers?limit=50",
            "/v1/printers/PRINTER/print-history?limit=50",
            "/v1/print-history?limit=50",
            "/v2/print-history?limit=50",
            "/v1/audit-logs?limit=50&sort=createdAt:desc",
            "/v1/settings/notifications/webhook/deliveries?limit=50");

    private final StandaloneServer server;

    /** Options of the command line. */
    @CommandLine.Command(name = "history", mixinStandardHelpOptions = true)
    private static final class Options implements Callable<Integer> {
        @Option(names = "--stores", description = "stores (default: ${DEFAULT-VALUE})", defaultValue = "10")
        int stores;

        @Option(
                names = "--rows",
                description = "rows of each history in a store (default: ${DEFAULT-VALUE})",
                defaultValue = "50000")
        int rows;

        @Override
        public Integer call() throws Exception {
            System.setProperty(
                    PostgresPrograms.SHARED_FOLDER_PROPERTY,
                    Files.createTempDirectory("binaries").toString());
            try (StandaloneServer empty = start();
                    StandaloneServer full = start()) {
                run(new HistoryBenchmark(empty), new HistoryBenchmark(full), stores, rows);
            }
            return 0;
        }

        private static StandaloneServer start() throws IOException {
            return StandaloneServer.start(
                    Files.createTempDirectory("history"),
                    Map.of(
                            "micronaut.server.port", -1,
                            "gantry.rate-limit.per-minute", 0,
                            "gantry.jobs.retention", RETENTION_DAYS + "d"));
        }
    }

    /** A store with its owner's key. */
    private record Owned(StoreId id, String key) {}

    private HistoryBenchmark(StandaloneServer server) {
        this.server = server;
    }

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Options()).execute(arguments));
    }

    private static void run(HistoryBenchmark empty, HistoryBenchmark full, int stores, int rows) throws Exception {
        Owned emptyStore = empty.fill(1, LISTED, 1);
        Owned fullStore = full.fill(stores, rows, PRINTERS);
        System.out.printf("  %d stores with %,d rows of each history%n", stores, rows);
        for (String list : LISTS) {
            double[] without = new double[ROUNDS];
            double[] with = new double[ROUNDS];
            for (int i = -WARM_UPS; i < ROUNDS; i++) {
                without[Math.max(i, 0)] = empty.millis(emptyStore, list);
                with[Math.max(i, 0)] = full.millis(fullStore, list);
            }
            double ratio = median(with) / median(without);
            System.out.printf(
                    "  %-75s %6.2f ms, %6.2f ms with history: %.2f times%s%n",
                    list, median(without), median(with), ratio, ratio > MAX_RATIO ? ": slow" : "");
        }
        full.measureDeletion(fullStore, "deliveries and audit entries", () -> {
            full.server.context().getBean(WebhookDeliveries.class).deleteOld();
            full.server.context().getBean(AuditRetention.class).deleteExpired();
        });
        full.measureDeletion(
                fullStore,
                "jobs",
                () -> full.server.context().getBean(JobRetention.class).deleteExpired());
    }

    private static double median(double[] times) {
        double[] sorted = times.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** Creates stores with that many rows of each history, printed by their first {@code printing} printers; returns one. */
    private Owned fill(int stores, int rows, int printing) throws SQLException {
        List<Owned> all = new ArrayList<>();
        for (int i = 0; i < stores; i++) {
            all.add(store());
            fill(all.getLast().id(), rows, printing);
        }
        run("vacuum analyze");
        run("checkpoint");
        return all.getFirst();
    }

    /** Deletes what is past its retention, while a list is read. */
    private void measureDeletion(Owned measured, String deleted, Runnable work) throws Exception {
        long begun = System.nanoTime();
        CompletableFuture<Void> deletion = CompletableFuture.runAsync(work);
        List<Double> times = new ArrayList<>();
        while (!deletion.isDone()) {
            times.add(millis(measured, LISTS.getFirst()));
        }
        deletion.join();
        double[] sorted =
                times.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        System.out.printf(
                "  deleting a month of %s took %.1f s; a list meanwhile: median %.2f ms, p99 %.2f ms, at most %.2f ms%n",
                deleted,
                (System.nanoTime() - begun) / 1e9,
                sorted[sorted.length / 2],
                sorted[sorted.length * 99 / 100],
                sorted[sorted.length - 1]);
    }

    private double millis(Owned store, String list) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + list.replace("PRINTER", printer(1))))
                .header("authorization", "ApiKey " + store.key())
                .build();
        long begun = System.nanoTime();
        HttpResponse<String> response = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        double millis = (System.nanoTime() - begun) / 1e6;
        if (response.statusCode() != 200) {
            throw new IllegalStateException(list + " was answered with " + response.body());
        }
        return millis;
    }

    private Owned store() {
        StoreId[] id = new StoreId[1];
        String key = server.context().getBean(StoreRows.class).create("store", tx -> {
            id[0] = tx.store();
            return server.context().getBean(ApiKeys.class).createOwner(tx).key();
        });
        return new Owned(id[0], key);
    }

    private static String printer(int number) {
        return "%024d".formatted(number);
    }

    /** Adds printers, and that many ended jobs with their attempts, deliveries and audit entries, spread over the days. */
    private void fill(StoreId store, int rows, int printing) throws SQLException {
        run("""
                insert into farm.printer ("storeId", id, "createdAt", "updatedAt", name, "modelName", "nozzleDiameter",
                  "commMethod", "deviceId", enabled, "confirmedReady", "continuousPrint", "isOnline", "isInMaintenance",
                  "lifetimeJobCount", "lifetimePrintHours", "customMetadata", tags, provider)
                select '%1$s', lpad(n::text, 24, '0'), now(), now(), 'p' || n, 'Trident', '0.4', 'fuse', '%1$s' || n, true, true,
                  false, false, false, 0, 0, '{}', '[]', 'firmwareK'
                from generate_series(1, %2$d) n on conflict do nothing;
                insert into farm."partBuild" ("storeId", id, "createdAt", "updatedAt", "partId", "partName", quantity,
                  priority, parameters, "requiredPrinterTags", "partCopy", status, dismissed)
                select '%1$s', substr(md5('b' || n || '-%3$d'), 1, 24), at, at, 'p', 'part', 10, 100, '{}', '{}',
                  '{"type":"gcode"}', 'success', false
                from (select n, now() - %4$d * n::float8 / greatest(%3$d / 10, %6$d) * interval '1 day' as at
                      from generate_series(1, greatest(%3$d / 10, %6$d)) n) dated;
                insert into farm."printJob" ("storeId", id, "createdAt", "updatedAt", "partBuildId", "quantityIndex",
                  "quantityTotal", "filesToPrint", "isGcodeCached", "partId", "partName", "parameterOverrides",
                  "queueOrder", priority, "requiredPrinterTags", "taskId", "profileUris", status, hidden, attempt,
                  "assignedPrinterId", "printingStartedAt", "printingCompletedAt")
                select '%1$s', substr(md5('j' || n || '-%3$d'), 1, 24), at, at, substr(md5('b' || (1 + (n - 1) / 10) || '-%3$d'), 1, 24), 1, 1,
                  '[{"uri":"files:x","sha256":"a","size":1,"name":"a.gcode"}]', true, 'p', 'part', '[]', n, 100, '{}', n, '[]',
                  'Completed', false, 1, lpad((1 + n %% %5$d)::text, 24, '0'), at, at + interval '1 hour'
                from (select n, now() - %4$d * n::float8 / %3$d * interval '1 day' as at from generate_series(1, %3$d) n) dated;
                insert into farm."endedJobCount" ("storeId", jobs) values ('%1$s', %3$d);
                insert into farm."printAttempt" ("storeId", "printJobId", attempt, "printerId", status, "startedAt", "endedAt")
                select "storeId", id, 1, "assignedPrinterId", status, "printingStartedAt", "finishedAt" from farm."printJob"
                where "storeId" = '%1$s' on conflict do nothing;
                insert into farm."webhookDelivery" ("storeId", id, "createdAt", "updatedAt", event, body, status, attempts)
                select '%1$s', substr(md5('d' || n || '-%3$d'), 1, 24), at, at, 'onJobSucceeded', '{"type":"onJobSucceeded"}', 'delivered', '[]'
                from (select n, now() - %4$d * random() * interval '1 day' as at from generate_series(1, %3$d) n) dated;
                insert into farm."auditLog" ("storeId", id, "createdAt", "updatedAt", action, "entityType", "entityId", "keyId")
                select '%1$s', substr(md5('a' || n || '-%3$d'), 1, 24), at, at, 'updated', 'printer', lpad((1 + n %% %2$d)::text, 24, '0'), 'k'
                from (select n, now() - 430 * random() * interval '1 day' as at from generate_series(1, %3$d) n) dated
                """.formatted(store.value(), PRINTERS, rows, DAYS, printing, LISTED));
    }

    /** Runs statements without triggers, which would note each row as a change. */
    private void run(String sql) throws SQLException {
        try (Connection owner = DriverManager.getConnection(server.ownerUrl());
                Statement statement = owner.createStatement()) {
            statement.execute("set session_replication_role = replica");
            statement.execute(sql);
        }
    }
}
