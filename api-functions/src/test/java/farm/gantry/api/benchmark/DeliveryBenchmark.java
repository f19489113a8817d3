package farm.gantry.api.benchmark;

import farm.gantry.Id;
import farm.gantry.StoreId;
import farm.gantry.api.apikey.ApiKeys;
import farm.gantry.api.database.Database;
import farm.gantry.api.main.StandaloneServer;
import farm.gantry.api.store.StoreRows;
import farm.gantry.api.webhook.Webhooks;
import farm.gantry.notification.EventName;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures the deliveries per second of one process to a fast receiver on the same machine, and the time of a store's
 * first attempt while 10,000 deliveries of another store wait for a receiver that never responds. After {@code mvn -pl
 * api-functions -am package}, in {@code api-functions}: {@code java -cp
 * 'target/test-classes:target/classes:target/lib/*' farm.gantry.api.benchmark.DeliveryBenchmark [deliveries]}
 */
final class DeliveryBenchmark {
    private static final byte[] ACCEPTED =
            "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final StandaloneServer machine;

    private DeliveryBenchmark(StandaloneServer machine) {
        this.machine = machine;
    }

    public static void main(String[] arguments) throws Exception {
        int deliveries = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000;
        Map<String, Object> settings = Map.of(
                "micronaut.server.port", -1, "gantry.webhooks.allow-insecure-local-receivers-for-development", true);
        try (StandaloneServer machine = StandaloneServer.start(Files.createTempDirectory("benchmark"), settings)) {
            new DeliveryBenchmark(machine).run(deliveries);
        }
        System.exit(0);
    }

    private void run(int deliveries) throws Exception {
        AtomicInteger received = new AtomicInteger();
        try (ServerSocket fast = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
                ServerSocket dead = new ServerSocket(0, 512, InetAddress.getLoopbackAddress())) {
            Thread.ofPlatform().daemon().start(() -> accept(fast, received));
            StoreId store = store(fast.getLocalPort());
            for (int round = 0; round < 3; round++) {
                received.set(0);
                long started = System.nanoTime();
                emit(store, deliveries);
                long emitted = System.nanoTime();
                await(received, deliveries);
                System.out.printf(
                        "%,d events written in %,d ms, delivered %,d ms later: %,.0f deliveries/s%n",
                        deliveries,
                        millis(started, emitted),
                        millis(emitted, System.nanoTime()),
                        deliveries * 1e9 / (System.nanoTime() - emitted));
            }
            StoreId waiting = store(dead.getLocalPort());
            emit(waiting, deliveries);
            for (int i = 0; i < 5; i++) {
                received.set(0);
                long started = System.nanoTime();
                emit(store, 1);
                await(received, 1);
                System.out.printf(
                        "first attempt of another store beside a dead receiver: %,d ms%n",
                        millis(started, System.nanoTime()));
            }
        }
    }

    private static long millis(long from, long to) {
        return Duration.ofNanos(to - from).toMillis();
    }

    private static void await(AtomicInteger received, int count) {
        while (received.get() < count) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static void accept(ServerSocket server, AtomicInteger received) {
        try {
            while (true) {
                Socket socket = server.accept();
                Thread.ofVirtual().start(() -> answer(socket, received));
            }
        } catch (IOException e) {
            // the benchmark ends
        }
    }

    private static void answer(Socket connection, AtomicInteger received) {
        try (Socket socket = connection) {
            InputStream in = socket.getInputStream();
            byte[] buffer = new byte[16 * 1024];
            StringBuilder request = new StringBuilder();
            while (request.indexOf("\"data\":") < 0) {
                request.append(new String(buffer, 0, in.read(buffer), StandardCharsets.UTF_8));
            }
            socket.getOutputStream().write(ACCEPTED);
            received.incrementAndGet();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Creates a store whose webhook is at this port. */
    private StoreId store(int port) throws IOException, InterruptedException {
        StoreId[] id = new StoreId[1];
        String key = machine.context().getBean(StoreRows.class).create("store", tx -> {
            id[0] = tx.store();
            return machine.context().getBean(ApiKeys.class).createOwner(tx).key();
        });
        send("POST", "", key, """
                {"channel":"webhook","data":{"webhookUrl":"http://127.0.0.1:%d/","apiKey":"%s"}}""".formatted(port, "k".repeat(32)));
        send("PATCH", "/webhook/events", key, "{\"onPrinterOnline\":true}");
        return id[0];
    }

    private void send(String method, String path, String key, String body) throws IOException, InterruptedException {
        HttpResponse<String> response = CLIENT.send(
                HttpRequest.newBuilder(URI.create(machine.url() + "/v1/settings/notifications" + path))
                        .header("authorization", "ApiKey " + key)
                        .header("content-type", "application/json")
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() / 100 != 2) {
            throw new IllegalStateException(response.body());
        }
    }

    private void emit(StoreId store, int events) {
        Webhooks webhooks = machine.context().getBean(Webhooks.class);
        machine.context().getBean(Database.class).in(store, tx -> {
            for (int i = 0; i < events; i++) {
                webhooks.emit(tx, EventName.onPrinterOnline, Id.next(), null);
            }
            return tx;
        });
    }
}
