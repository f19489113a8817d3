package farm.gantry.api.webhook;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A webhook's receiver that stores requests and answers as configured. */
public final class LocalReceiver implements AutoCloseable {
    private final HttpServer server;
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Received> arriving = new LinkedBlockingQueue<>();
    private volatile Response response = new Response(204, Map.of(), "");
    private volatile Predicate<Received> held = _ -> false;

    /** A configured response. */
    private record Response(int status, Map<String, String> headers, String body) {}

    /** A delivery as it arrived; header names are in lower case. */
    public record Received(String method, String path, Map<String, String> headers, String body) {
        @Nullable
        public String header(String name) {
            return headers.get(name);
        }
    }

    public LocalReceiver() throws IOException {
        this(HttpServer.create(loopback(), 0));
    }

    private LocalReceiver(HttpServer server) {
        this.server = server;
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::receive);
        server.start();
    }

    static LocalReceiver secure(SSLContext tls) throws IOException {
        HttpsServer server = HttpsServer.create(loopback(), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        return new LocalReceiver(server);
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            Map<String, String> headers = new TreeMap<>();
            exchange.getRequestHeaders()
                    .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), String.join(",", values)));
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Received arrived = new Received(
                    exchange.getRequestMethod(), exchange.getRequestURI().toString(), headers, body);
            received.add(arrived);
            arriving.add(arrived);
            while (held.test(arrived)) {
                LockSupport.parkNanos(1_000_000);
            }
            Response now = response;
            exchange.getResponseHeaders().set("Location", "/elsewhere");
            now.headers().forEach(exchange.getResponseHeaders()::set);
            byte[] text = now.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(now.status(), text.length == 0 ? -1 : text.length);
            exchange.getResponseBody().write(text);
        }
    }

    public void answerWith(int status) {
        answerWith(status, Map.of(), "");
    }

    void answerWith(int status, Map<String, String> headers, String body) {
        response = new Response(status, headers, body);
    }

    /** Leaves matching deliveries without a response until this is changed. */
    void hold(Predicate<Received> which) {
        held = which;
    }

    public List<Received> received() {
        return List.copyOf(received);
    }

    /** Returns the next delivery, or null when none arrives. */
    @Nullable
    Received next() throws InterruptedException {
        return arriving.poll(5, TimeUnit.MINUTES);
    }

    int port() {
        return server.getAddress().getPort();
    }

    public String url() {
        return "http://127.0.0.1:" + port() + "/hook?a=b%20c";
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
