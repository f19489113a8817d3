package farm.gantry.edge.provider.octoprint;

import farm.gantry.edge.http.PrinterWebSocket;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.retry.Backoff;
import farm.gantry.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens to OctoPrint's events over its WebSocket until closed, as documented at <a
 * href="https://docs.octoprint.org/en/main/api/push.html">docs.octoprint.org</a>. An event only says that a poll is due: the status is
 * always read by a poll, so that an OctoPrint without events, for example behind a proxy that passes no WebSockets, is served as well,
 * only later. HTTPS is not supported.
 */
final class OctoPrintEvents implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OctoPrintEvents.class);
    private static final String PATH = "/sockjs/websocket";
    private static final String EVENT = "{\"event\"";
    private static final String REAUTH_REQUIRED = "{\"reauthRequired\"";
    /** The events after which the status differs. OctoPrint before version 1.8 ignores the subscription and sends all. */
    private static final List<String> EVENTS = List.of(
            "PrinterStateChanged",
            "PrintStarted",
            "PrintPaused",
            "PrintResumed",
            "PrintDone",
            "PrintFailed",
            "PrintCancelled",
            "Error");

    private final OctoPrintClient client;
    private final Runnable onEvent;
    private final Backoff backoff = new Backoff(Duration.ofSeconds(5), Duration.ofMinutes(5));
    private final Thread thread = Thread.ofVirtual().unstarted(this::run);

    /** Creates a listener; {@code onEvent} is called after each event and must not block. */
    OctoPrintEvents(OctoPrintClient client, Runnable onEvent) {
        this.client = client;
        this.onEvent = onEvent;
    }

    void start() {
        if (!client.address().isSecure()) {
            thread.start();
        }
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    listen();
                } catch (IOException | Refusal e) {
                    LOG.debug("{}: no events: {}", client.address(), e.getMessage());
                }
                Thread.sleep(backoff.nextDelay());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Receives events until the connection or the login ends. */
    private void listen() throws IOException, Refusal, InterruptedException {
        String login = client.logIn();
        CountDownLatch ended = new CountDownLatch(1);
        try (PrinterWebSocket socket = PrinterWebSocket.open(
                client.address().webSocket(PATH), text -> read(text, ended), _ -> ended.countDown())) {
            socket.send(Json.write(Map.of("subscribe", Map.of("events", EVENTS))));
            socket.send(Json.write(Map.of("auth", login)));
            backoff.reset();
            onEvent.run(); // for what has changed before the connection was open
            ended.await();
        }
    }

    private void read(String text, CountDownLatch ended) {
        if (text.startsWith(REAUTH_REQUIRED)) {
            ended.countDown();
        } else if (text.startsWith(EVENT)) {
            onEvent.run();
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
