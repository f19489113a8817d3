package farm.gantry.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.ExpiredRows;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.database.Tables;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.queue.WorkLease;
import farm.gantry.notification.EventName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that a receiver which fails at random gets every notification, and none again after its response arrived. It
 * responds with 500 and 429, closes connections before and after it accepted a notification, and does not respond at all.
 */
@Tag("long")
final class RandomFailuresTest {
    private static final int EVENTS = 10_000;
    private static final int BATCH = 500;
    private static final int MESSAGES = 5_000;
    private static final int PRINTERS = 100;
    private static final Duration TIMEOUT = Duration.ofMillis(500);
    private static final int PERCENT = 100;
    /** Less than the attempts at a message, so that none is dropped. */
    private static final int MAX_FAILURES = 3;

    /** A receiver with its outcomes; {@code identify} returns what is the same in each attempt at a notification. */
    private static final class FaultyReceiver implements AutoCloseable {
        private final HttpServer server;
        private final Random random = new Random(2026);
        private final Function<String, String> identify;
        private final Map<String, String> bodies = new ConcurrentHashMap<>();
        private final Map<String, Integer> accepted = new ConcurrentHashMap<>();
        private final Map<String, Integer> unanswered = new ConcurrentHashMap<>();
        private final Map<String, Integer> answered = new ConcurrentHashMap<>();
        private final Map<String, Integer> failuresInSuccession = new ConcurrentHashMap<>();
        private final Map<String, Integer> failures = new ConcurrentHashMap<>();
        private final CountDownLatch closing = new CountDownLatch(1);

        FaultyReceiver(Function<String, String> identify) throws IOException {
            this.identify = identify;
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.createContext("/", this::receive);
            server.start();
        }

        private void receive(HttpExchange exchange) throws IOException {
            try (exchange) {
                String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                String header = exchange.getRequestHeaders().getFirst("webhook-id");
                String id = header == null ? identify.apply(body) : header;
                int draw;
                synchronized (random) {
                    draw = random.nextInt(10 * PERCENT);
                }
                if (draw < 112 && failuresInSuccession.merge(id, 1, Integer::sum) > MAX_FAILURES) {
                    draw = 10 * PERCENT;
                }
                if (draw < 50) {
                    fail(exchange, "500", 500);
                } else if (draw < 70) {
                    exchange.getResponseHeaders().set("Retry-After", "3");
                    fail(exchange, "429", 429);
                } else if (draw < 90) {
                    failures.merge("closed", 1, Integer::sum);
                } else if (draw < 92) {
                    failures.merge("timeout", 1, Integer::sum);
                    closing.await();
                } else {
                    accept(id, body, header != null);
                    if (draw < 112) {
                        failures.merge("response lost", 1, Integer::sum);
                        unanswered.merge(id, 1, Integer::sum);
                    } else {
                        answered.merge(id, 1, Integer::sum);
                        failuresInSuccession.remove(id);
                        exchange.sendResponseHeaders(204, -1);
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void accept(String id, String body, boolean isUnique) {
            accepted.merge(id, 1, Integer::sum);
            String former = bodies.put(id, body);
            if (isUnique && former != null && !former.equals(body)) {
                failures.merge("two bodies with one id", 1, Integer::sum);
            }
        }

        private void fail(HttpExchange exchange, String name, int status) throws IOException {
            failures.merge(name, 1, Integer::sum);
            exchange.sendResponseHeaders(status, -1);
        }

        /** Returns how many notifications were accepted with a response. */
        int answers() {
            return answered.values().stream().mapToInt(Integer::intValue).sum();
        }

        String url() {
            return "http://127.0.0.1:" + server.getAddress().getPort();
        }

        @Override
        public void close() {
            closing.countDown();
            server.stop(0);
        }
    }

    private static DeliveryClient impatientClient(SettableClock clock) {
        return new DeliveryClient(
                new PinnedHttpClient(
                        SharedApi.bean(ReceiverPolicy.class),
                        InetAddress::getAllByName,
                        (SSLSocketFactory) SSLSocketFactory.getDefault(),
                        TIMEOUT),
                clock);
    }

    @Test
    void webhookReceivesEveryEventAndNoneAfterItAcceptedIt() throws Exception {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(new Socket(), store.key());
        SettableClock clock = new SettableClock();
        Webhooks webhooks = new Webhooks(
                SharedApi.bean(Database.class),
                SharedApi.bean(Tables.class),
                SharedApi.bean(WebhookRows.class),
                SharedApi.bean(ChannelOutbox.class),
                SharedApi.bean(RecordReader.class),
                clock,
                Optional.empty());
        WebhookDeliveries deliveries = new WebhookDeliveries(
                SharedApi.bean(Database.class),
                new HeldDeliveries(SharedApi.bean(Tables.class), SharedApi.bean(WebhookRows.class), webhooks, clock),
                SharedApi.bean(WebhookRows.class),
                SharedApi.bean(ExpiredRows.class),
                new WebhookFailures(SharedApi.bean(Tables.class), SharedApi.bean(WebhookRows.class), clock),
                webhooks,
                new WebhookSender(webhooks, SharedApi.bean(Secrets.class), impatientClient(clock)),
                SharedApi.bean(WorkLease.class),
                clock);
        try (FaultyReceiver receiver = new FaultyReceiver(Function.identity())) {
            String settings = "/v1/settings/notifications";
            client.post(
                    settings,
                    "{\"channel\":\"webhook\",\"data\":{\"webhookUrl\":\"" + receiver.url() + "/hook\",\"apiKey\":\""
                            + "k".repeat(32) + "\"}}");
            client.patch(settings + "/webhook/events", "{\"onPrinterOnline\":true}");
            List<Webhooks.Subject> subjects = Collections.nCopies(BATCH, new Webhooks.Subject(null, null));
            int attempts = 0;
            for (int emitted = BATCH; emitted <= EVENTS; emitted += BATCH) {
                SharedApi.bean(Database.class).in(store.id(), tx -> {
                    webhooks.emitAll(tx, EventName.onPrinterOnline, subjects);
                    return tx;
                });
                for (int round = 0; round < BATCH && receiver.answered.size() < emitted; round++) {
                    attempts += deliveries.deliver(store.id());
                    if (Boolean.FALSE.equals(client.get(settings).at("[0].enabled"))) {
                        // As a person does, who sees the failures.
                        client.patch(settings + "/webhook", "{\"enabled\":true}");
                    }
                    clock.pass(Duration.ofSeconds(61));
                }
            }
            deliveries.deliver(store.id());
            assertThat(receiver.accepted)
                    .as("%s attempts, %s", attempts, receiver.failures)
                    .hasSize(EVENTS);
            assertThat(receiver.answered).hasSize(EVENTS);
            assertThat(receiver.answered.values()).containsOnly(1);
            assertThat(receiver.accepted)
                    .as("again only after a lost response")
                    .allSatisfy(
                            (id, times) -> assertThat(times).isEqualTo(1 + receiver.unanswered.getOrDefault(id, 0)));
            assertThat(receiver.failures).containsOnlyKeys("500", "429", "closed", "timeout", "response lost");
            assertThat(client.get(settings + "/webhook/deliveries?status.ne=delivered")
                            .each("id"))
                    .isEmpty();
        }
    }

    @Test
    void channelReceivesEveryMessageAndStaysEnabled() throws Exception {
        ChannelFixture farm = new ChannelFixture();
        Pattern name = Pattern.compile("p\\d+ is unreachable");
        try (FaultyReceiver receiver = new FaultyReceiver(body -> name.matcher(body)
                .results()
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(body))
                .group())) {
            ServiceRequest gotify = ServiceRequest.ALL.stream()
                    .filter(service -> service.toString().equals("gotify"))
                    .findFirst()
                    .orElseThrow();
            String channel = farm.channel(gotify, receiver.url(), "");
            ChannelDeliveries deliveries = farm.deliveries(impatientClient(farm.clock));
            List<String> printers = IntStream.range(0, PRINTERS)
                    .mapToObj(i -> farm.printer("p" + i, "[]"))
                    .toList();
            for (int sent = 0; sent < MESSAGES; sent += PRINTERS) {
                printers.forEach(id -> farm.emit(EventName.onPrinterOffline, id));
                deliveries.deliver(farm.store.id());
                farm.clock.pass(Duration.ofSeconds(61));
            }
            for (int round = 0; round < MESSAGES && receiver.answers() < MESSAGES; round++) {
                deliveries.deliver(farm.store.id());
                farm.clock.pass(Duration.ofSeconds(61));
            }
            Answer state = farm.read(channel);
            assertThat(state.at("enabled")).as(state.text()).isEqualTo(true);
            assertThat(receiver.answered).as("%s", receiver.failures).hasSize(PRINTERS);
            assertThat(receiver.answered.values()).containsOnly(MESSAGES / PRINTERS);
            assertThat(receiver.accepted)
                    .as("again only after a lost response")
                    .allSatisfy((printer, times) -> assertThat(times)
                            .isEqualTo(MESSAGES / PRINTERS + receiver.unanswered.getOrDefault(printer, 0)));
            assertThat(deliveries.deliver(farm.store.id())).as("nothing more").isZero();
            assertThat(receiver.failures).containsOnlyKeys("500", "429", "closed", "timeout", "response lost");
        }
    }
}
