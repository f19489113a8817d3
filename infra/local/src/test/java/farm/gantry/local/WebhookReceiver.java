package farm.gantry.local;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A receiver of webhooks that accepts and stores every delivery. */
final class WebhookReceiver implements AutoCloseable {
    private final HttpServer server;
    private final BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();

    /** A delivery with the names of its headers in lower case. */
    record Delivery(Set<String> headers, String body) {}

    WebhookReceiver() throws IOException {
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Set<String> headers = exchange.getRequestHeaders().keySet().stream()
                    .map(name -> name.toLowerCase(Locale.ROOT))
                    .collect(Collectors.toSet());
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
            deliveries.add(new Delivery(headers, body));
        });
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    /** Returns the number of deliveries that arrived and were not removed. */
    int count() {
        return deliveries.size();
    }

    /** Removes the deliveries that arrived so far. */
    void clear() {
        deliveries.clear();
    }

    /** Waits for the next delivery. */
    Delivery next() throws InterruptedException {
        Delivery delivery = deliveries.poll(1, TimeUnit.MINUTES);
        if (delivery == null) {
            throw new AssertionError("no delivery arrived");
        }
        return delivery;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
