package farm.gantry.api.benchmark;

import farm.gantry.StoreId;
import farm.gantry.api.apikey.ApiKeys;
import farm.gantry.api.audit.AuditRetention;
import farm.gantry.api.main.StandaloneServer;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/**
 * Measures lists of a farm whose stores have a long history beside those of an empty farm, and a list while a month of the history is
 * deleted. {@code infra/local/measure history} runs it.
 */
final class HistoryBenchmark {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final int ROUNDS = 60;
    /** Rounds of all lists before the first measurement, after which the JVM has compiled them. */
    private static final int WARM_UPS = 4;

    private static final int PRINTERS = 100;
    /** Days over which the history is spread; a month of it is past the retention of deliveries. */
    private static final int DAYS = 60;

    private static final double MAX_RATIO = 1.5;
    /** Rows with which an empty farm is compared: as many as a list has, so that both return the same. */
    private static final int LISTED = 100;

    private static final List<String> LISTS = List.of(
            "/v1/print-jobs?limit=50",
            "/v1/print-jobs?limit=50&sort=createdAt:desc",
            "/v1/print-jobs?status=Completed&limit=50&sort=createdAt:desc",
            "/v1/print-jobs?status=Pending&limit=50",
            "/v1/part-builds?limit=50&sort=createdAt:desc",
            "/v1/printers?limit=50",
            "/v1/printers/PRINTER/print-history",
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
            try (StandaloneServer server = StandaloneServer.start(
                    Files.createTempDirectory("history"),
                    Map.of("micronaut.server.port", -1, "gantry.rate-limit.per-minute", 0))) {
                new HistoryBenchmark(server).run(stores, rows);
            }
            return 0;
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

    private void run(int stores, int rows) throws Exception {
        List<Owned> all = new ArrayList<>();
        for (int i = 0; i < stores; i++) {
            all.add(store());
            fill(all.getLast().id(), LISTED);
        }
        run("vacuum analyze");
        Owned measured = all.getFirst();
        for (int i = 0; i < WARM_UPS; i++) {
            medians(measured);
        }
        Map<String, Double> before = medians(measured);
        for (Owned store : all) {
            fill(store.id(), rows);
        }
        run("vacuum analyze");
        Map<String, Double> after = medians(measured);
        System.out.printf("  %d stores with %,d rows of each history%n", stores, rows);
        before.forEach((list, empty) -> {
            double full = after.getOrDefault(list, Double.NaN);
            System.out.printf(
                    "  %-75s %6.2f ms, %6.2f ms with history: %.2f times%s%n",
                    list, empty, full, full / empty, full / empty > MAX_RATIO ? ": slow" : "");
        });
        deletion(measured);
    }

    /** Deletes what is past its retention, while a list is read. */
    private void deletion(Owned measured) throws Exception {
        long begun = System.nanoTime();
        CompletableFuture<Void> deletion = CompletableFuture.runAsync(() -> {
            server.context().getBean(WebhookDeliveries.class).deleteOld();
            server.context().getBean(AuditRetention.class).deleteExpired();
        });
        List<Double> times = new ArrayList<>();
        while (!deletion.isDone()) {
            times.add(millis(measured, LISTS.getFirst()));
        }
        deletion.join();
        double[] sorted =
                times.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        System.out.printf(
                "  deleting a month took %.1f s; a list meanwhile: median %.2f ms, p99 %.2f ms, at most %.2f ms%n",
                (System.nanoTime() - begun) / 1e9,
                sorted[sorted.length / 2],
                sorted[sorted.length * 99 / 100],
                sorted[sorted.length - 1]);
    }

    private Map<String, Double> medians(Owned store) throws IOException, InterruptedException {
        Map<String, Double> medians = new LinkedHashMap<>();
        for (String list : LISTS) {
            double[] times = new double[ROUNDS];
            for (int i = 0; i < ROUNDS; i++) {
                times[i] = millis(store, list);
            }
            Arrays.sort(times);
            medians.put(list, times[ROUNDS / 2]);
        }
        return medians;
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
    private void fill(StoreId store, int rows) throws SQLException {
        run("""
                insert into farm.printer ("storeId", id, "createdAt", "updatedAt", name, "modelName", "nozzleDiameter",
                  "commMethod", "deviceId", enabled, "confirmedReady", "continuousPrint", "isOnline", "isInMaintenance",
                  "lifetimeJobCount", "lifetimePrintHours", "customMetadata", tags, provider)
                select '%1$s', lpad(n::text, 24, '0'), now(), now(), 'p' || n, 'Trident', '0.4', 'fuse', '%1$s' || n, true, true,
                  false, false, false, 0, 0, '{}', '[]', 'firmwareK'
                from generate_series(1, %2$d) n on conflict do nothing;
                insert into farm."partBuild" ("storeId", id, "createdAt", "updatedAt", "partId", "partName", quantity,
                  priority, parameters, "requiredPrinterTags", "partCopy", status, dismissed)
                select '%1$s', substr(md5('b' || n || '-%3$d'), 1, 24), now() - %4$d * random() * interval '1 day', now(), 'p', 'part', 10, 100,
                  '{}', '{}', '{"type":"gcode"}', 'completed', false
                from generate_series(1, %3$d / 10) n;
                insert into farm."printJob" ("storeId", id, "createdAt", "updatedAt", "partBuildId", "quantityIndex",
                  "quantityTotal", "filesToPrint", "isGcodeCached", "partId", "partName", "parameterOverrides",
                  "queueOrder", priority, "requiredPrinterTags", "taskId", "profileUris", status, hidden, attempt,
                  "assignedPrinterId", "printingStartedAt", "printingCompletedAt")
                select '%1$s', substr(md5('j' || n || '-%3$d'), 1, 24), at, at, substr(md5('b' || (1 + n %% greatest(%3$d / 10, 1)) || '-%3$d'), 1, 24), 1, 1,
                  '[{"uri":"files:x","sha256":"a","size":1,"name":"a.gcode"}]', true, 'p', 'part', '[]', n, 100, '{}', n, '[]',
                  'Completed', false, 1, lpad((1 + n %% %2$d)::text, 24, '0'), at, at + interval '1 hour'
                from (select n, now() - %4$d * random() * interval '1 day' as at from generate_series(1, %3$d) n) dated;
                insert into farm."printAttempt" ("storeId", "printJobId", attempt, "printerId", status, "startedAt", "endedAt")
                select "storeId", id, 1, "assignedPrinterId", status, "printingStartedAt", "finishedAt" from farm."printJob"
                where "storeId" = '%1$s' on conflict do nothing;
                insert into farm."webhookDelivery" ("storeId", id, "createdAt", "updatedAt", event, body, status, attempts)
                select '%1$s', substr(md5('d' || n || '-%3$d'), 1, 24), at, at, 'onJobSucceeded', '{"type":"onJobSucceeded"}', 'delivered', '[]'
                from (select n, now() - %4$d * random() * interval '1 day' as at from generate_series(1, %3$d) n) dated;
                insert into farm."auditLog" ("storeId", id, "createdAt", "updatedAt", action, "entityType", "entityId", "keyId")
                select '%1$s', substr(md5('a' || n || '-%3$d'), 1, 24), at, at, 'updated', 'printer', lpad((1 + n %% %2$d)::text, 24, '0'), 'k'
                from (select n, now() - 430 * random() * interval '1 day' as at from generate_series(1, %3$d) n) dated
                """.formatted(store.value(), PRINTERS, rows, DAYS));
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
