package farm.gantry.api.benchmark;

import com.sun.management.OperatingSystemMXBean;
import farm.gantry.api.contract.SignedDeliveryContract;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.RawClient;
import farm.gantry.api.main.StandaloneServer;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures the time to receive 10,000 orders of 3 items from a marketplace that sends each order several times at once,
 * over HTTP and durable as in production, and counts the stored orders. They are sent with an API key or, with {@code
 * signed}, as signed deliveries, each with its own id. After {@code mvn -pl api-functions -am package}, in {@code
 * api-functions}: {@code java <flags of serve> -cp 'target/test-classes:target/classes:target/lib/*'
 * farm.gantry.api.benchmark.OrderBenchmark [orders] [times] [signed]}
 */
final class OrderBenchmark {
    private static final OperatingSystemMXBean JVM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final int SENDERS = 4;
    private static final int SKUS = 50;

    private final URI api;
    private final String key;
    private final Answer market;
    private final int times;
    private final boolean isSigned;

    private OrderBenchmark(URI api, String key, int times, boolean isSigned) throws Exception {
        this.api = api;
        this.key = key;
        this.times = times;
        this.isSigned = isSigned;
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<byte[]> made = client.send(
                    HttpRequest.newBuilder(api.resolve("/v1/integrations"))
                            .header("authorization", "ApiKey " + key)
                            .header("content-type", "application/json")
                            .POST(BodyPublishers.ofString("{\"type\":\"market1\",\"name\":\"market\",\"settings\":{}}"))
                            .build(),
                    BodyHandlers.ofByteArray());
            this.market = new Answer(made.statusCode(), made.headers().map(), made.body());
        }
    }

    public static void main(String[] arguments) throws Exception {
        int orders = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000;
        int times = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3;
        boolean isSigned = arguments.length > 2 && arguments[2].equals("signed");
        try (StandaloneServer machine = StandaloneServer.start(
                Files.createTempDirectory("orders"),
                Map.of("micronaut.server.port", -1, "gantry.rate-limit.per-minute", 0))) {
            fill(machine.ownerUrl());
            OrderBenchmark benchmark = new OrderBenchmark(
                    URI.create(machine.url()), machine.ownerKey().orElseThrow(), times, isSigned);
            benchmark.deliver(500, "warm-up");
            long before = JVM.getProcessCpuTime();
            double seconds = benchmark.deliver(orders, "order");
            System.out.printf(
                    "%d orders of 3 items, each sent %d times at once%s: %.1f s, %.0f requests/s; processor time of this"
                            + " process, senders included: %.1f s%n",
                    orders,
                    times,
                    isSigned ? " and signed" : "",
                    seconds,
                    orders * times / seconds,
                    (JVM.getProcessCpuTime() - before) / 1e9);
            count(machine.ownerUrl());
        }
        System.exit(0);
    }

    /** Delivers the orders by concurrent senders, each with its own connections. */
    private double deliver(int orders, String prefix) throws Exception {
        AtomicInteger next = new AtomicInteger();
        long started = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> senders = new ArrayList<>();
            for (int i = 0; i < SENDERS; i++) {
                senders.add(threads.submit(() -> {
                    send(prefix, orders, next);
                    return null;
                }));
            }
            for (Future<?> sender : senders) {
                sender.get();
            }
        }
        return (System.nanoTime() - started) / 1e9;
    }

    private void send(String prefix, int orders, AtomicInteger next) throws Exception {
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            clients.add(new RawClient(api));
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int number = next.getAndIncrement(); number < orders; number = next.getAndIncrement()) {
                String order = order(prefix, number);
                CountDownLatch together = new CountDownLatch(times);
                List<Future<?>> sent = new ArrayList<>();
                for (RawClient client : clients) {
                    byte[] request = isSigned ? signed(prefix + number + "-" + sent.size(), order) : request(order);
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

    private byte[] request(String order) {
        return RawClient.request("POST", "/v1/orders", key, order);
    }

    private byte[] signed(String webhookId, String order) {
        long now = Instant.now().getEpochSecond();
        String signature = SignedDeliveryContract.Sender.signature(
                String.valueOf(market.at("secret")), webhookId + "." + now + "." + order);
        return RawClient.request(
                "POST",
                "/v1/integrations/" + market.at("id") + "/orders",
                Map.of(
                        "webhook-id",
                        webhookId,
                        "webhook-timestamp",
                        String.valueOf(now),
                        "webhook-signature",
                        signature),
                order);
    }

    private String order(String prefix, int number) {
        return """
                {"order": {"integrationId": "%s", "externalId": "%s-%d", "orderNumber": "%d", "price": 2990},
                 "customer": {"name": "Customer %d", "email": "%s-%d@example.com", "countryCode": "DE"},
                 "items": [{"externalId": "1", "externalSku": "SKU-%d", "quantity": 1},
                           {"externalId": "2", "externalSku": "SKU-%d", "quantity": 2},
                           {"externalId": "3", "externalSku": "SKU-%d", "quantity": 3}]}""".formatted(
                        market.at("id"),
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

    private static void fill(String url) throws SQLException {
        try (Connection owner = DriverManager.getConnection(url);
                Statement statement = owner.createStatement()) {
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
