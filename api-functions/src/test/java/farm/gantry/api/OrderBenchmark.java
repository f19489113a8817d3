package farm.gantry.api;

import com.sun.management.OperatingSystemMXBean;
import farm.gantry.api.main.OneMachine;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How long 10,000 orders of 3 items take to come in from a market that sends each of them three times at once, over HTTP and
 * durable as in production; and how many are kept. After {@code mvn -pl api-functions -am package}, in
 * {@code api-functions}:
 * {@code java <flags of serve> -cp 'target/test-classes:target/classes:target/lib/*' farm.gantry.api.OrderBenchmark [orders]}
 */
final class OrderBenchmark {
    private static final OperatingSystemMXBean JVM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final int TIMES = 3;
    private static final int SENDERS = 4;
    private static final int SKUS = 50;

    private OrderBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        int orders = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000;
        try (OneMachine machine = OneMachine.start(
                Files.createTempDirectory("orders"),
                Map.of("micronaut.server.port", -1, "gantry.rate-limit.per-minute", 0))) {
            String key = machine.ownerKey().orElseThrow();
            URI api = URI.create(machine.url());
            fill(machine.ownerUrl());
            deliver(api, key, 500, "warm-up");
            long before = JVM.getProcessCpuTime();
            double seconds = deliver(api, key, orders, "order");
            System.out.printf(
                    "%d orders of 3 items, each sent %d times at once: %.1f s, %.0f requests/s; processor time of this"
                            + " process, senders included: %.1f s%n",
                    orders, TIMES, seconds, orders * TIMES / seconds, (JVM.getProcessCpuTime() - before) / 1e9);
            count(machine.ownerUrl());
        }
        System.exit(0);
    }

    /** Each of the senders delivers every order that is its turn, on connections of its own, all at the same time. */
    private static double deliver(URI api, String key, int orders, String prefix) throws Exception {
        AtomicInteger next = new AtomicInteger();
        long started = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> senders = new ArrayList<>();
            for (int i = 0; i < SENDERS; i++) {
                senders.add(threads.submit(() -> {
                    send(api, key, prefix, orders, next);
                    return null;
                }));
            }
            for (Future<?> sender : senders) {
                sender.get();
            }
        }
        return (System.nanoTime() - started) / 1e9;
    }

    private static void send(URI api, String key, String prefix, int orders, AtomicInteger next) throws Exception {
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < TIMES; i++) {
            clients.add(new RawClient(api));
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int number = next.getAndIncrement(); number < orders; number = next.getAndIncrement()) {
                byte[] request = RawClient.request("POST", "/v1/orders", key, order(prefix, number));
                CountDownLatch together = new CountDownLatch(TIMES);
                List<Future<?>> sent = new ArrayList<>();
                for (RawClient client : clients) {
                    sent.add(threads.submit(() -> {
                        together.countDown();
                        together.await();
                        return client.exchange(request);
                    }));
                }
                for (Future<?> each : sent) {
                    each.get();
                }
            }
        }
        for (RawClient client : clients) {
            client.close();
        }
    }

    private static String order(String prefix, int number) {
        return """
                {"order": {"integrationId": "%s", "externalId": "%s-%d", "orderNumber": "%d", "price": 2990},
                 "customer": {"name": "Customer %d", "email": "%s-%d@example.com", "countryCode": "DE"},
                 "items": [{"externalId": "1", "externalSku": "SKU-%d", "quantity": 1},
                           {"externalId": "2", "externalSku": "SKU-%d", "quantity": 2},
                           {"externalId": "3", "externalSku": "SKU-%d", "quantity": 3}]}""".formatted(
                        INTEGRATION,
                        prefix,
                        number,
                        number,
                        number,
                        prefix,
                        number,
                        number % SKUS,
                        (number + 1) % SKUS,
                        (number + 2) % SKUS);
    }

    private static final String INTEGRATION = "0".repeat(24);

    private static void fill(String url) throws SQLException {
        try (Connection owner = DriverManager.getConnection(url);
                Statement statement = owner.createStatement()) {
            statement.execute("""
                    insert into farm.integration ("storeId", id, "createdAt", "updatedAt", type, name, settings, secret)
                    select "storeId", '%s', now(), now(), 'market1', 'market', '{}', '' from farm.store""".formatted(INTEGRATION));
            statement.execute("""
                    insert into farm.sku ("storeId", id, "createdAt", "updatedAt", sku, title, description, "totalCogs",
                                          "customMetadata")
                    select "storeId", lpad(n::text, 24, '0'), now(), now(), 'SKU-' || n, 'SKU ' || n, '', 0, '{}'
                    from farm.store cross join generate_series(0, %d) n""".formatted(SKUS - 1));
        }
    }

    private static void count(String url) throws SQLException {
        try (Connection owner = DriverManager.getConnection(url);
                Statement statement = owner.createStatement();
                ResultSet rows = statement.executeQuery("""
                        select (select count(*) from farm."order" where "externalId" like 'order-%'),
                               (select count(distinct "externalId") from farm."order" where "externalId" like 'order-%'),
                               (select count(*) from farm."orderItem" i join farm."order" o on o.id = i."orderId"
                                where o."externalId" like 'order-%' and i."skuId" is not null),
                               (select count(*) from farm.customer where email like 'order-%')""")) {
            rows.next();
            System.out.printf(
                    "kept: %d orders of %d, %d items with their SKUs, %d customers%n",
                    rows.getLong(1), rows.getLong(2), rows.getLong(3), rows.getLong(4));
        }
    }
}
