package farm.gantry.edge.command;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import farm.gantry.edge.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** The agent's own pages, for people at its machine: bound to loopback, and deaf to names that only resolve to it. */
record StatusPage(HttpServer server, ExecutorService threads) implements AutoCloseable {
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String POLICY =
            "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";

    static StatusPage open(int port, Supplier<StatusReport> report) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        server.setExecutor(threads);
        server.createContext("/", exchange -> answer(exchange, report));
        server.start();
        return new StatusPage(server, threads);
    }

    int port() {
        return server.getAddress().getPort();
    }

    private static void answer(HttpExchange exchange, Supplier<StatusReport> report) throws IOException {
        String host = String.valueOf(exchange.getRequestHeaders().getFirst("Host"));
        if (!host.matches("(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d+)?")) {
            send(exchange, 403, TEXT, "not here");
        } else if (!exchange.getRequestMethod().equals("GET")) {
            send(exchange, 405, TEXT, "only to be read");
        } else {
            switch (exchange.getRequestURI().getPath()) {
                case "/" -> send(exchange, 200, "text/html; charset=utf-8", new StatusHtml(report.get()).text());
                case "/status.json" -> send(exchange, 200, "application/json", Json.write(report.get()));
                case "/metrics" -> send(exchange, 200, Metrics.TYPE, new Metrics(report.get()).text());
                default -> send(exchange, 404, TEXT, "nothing here; see / and /status.json and /metrics");
            }
        }
    }

    private static void send(HttpExchange exchange, int status, String type, String text) throws IOException {
        send(exchange, status, type, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] content) throws IOException {
        try (exchange) {
            Headers headers = exchange.getResponseHeaders();
            headers.set("Content-Type", type);
            headers.set("Cache-Control", "no-store");
            headers.set("X-Content-Type-Options", "nosniff");
            headers.set("Content-Security-Policy", POLICY);
            exchange.sendResponseHeaders(status, content.length);
            exchange.getResponseBody().write(content);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
