package farm.gantry.edge.command;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import farm.gantry.edge.camera.CameraImage;
import farm.gantry.edge.log.ErrorText;
import farm.gantry.edge.log.SecretMask;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.json.Json;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The HTTP server of the agent's status page, metrics and camera snapshots. It is bound to the loopback interface, and
 * rejects requests whose Host header names another host, as in DNS rebinding.
 */
record StatusPage(HttpServer server, ExecutorService threads) implements AutoCloseable {
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String POLICY =
            "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";

    private static final String NO_PICTURE = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 40">
            <text x="160" y="24" text-anchor="middle" font-family="sans-serif" font-size="14" fill="gray">No picture</text>
            </svg>
            """;

    private static final Pattern SNAPSHOT = Pattern.compile("/printers/(.+)/snapshot");

    /** Takes camera snapshots; empty for a printer that is not served. */
    interface Cameras {
        Optional<CameraImage> snapshot(String deviceId) throws IOException, Refusal, InterruptedException;
    }

    static StatusPage open(int port, Supplier<StatusReport> report, Cameras cameras) throws IOException {
        HttpServer server = bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        server.setExecutor(threads);
        server.createContext("/", exchange -> handle(exchange, report, cameras));
        server.start();
        return new StatusPage(server, threads);
    }

    private static HttpServer bind(InetSocketAddress address) throws IOException {
        try {
            return HttpServer.create(address, 0);
        } catch (BindException e) {
            throw new IOException(
                    "port " + address.getPort() + " of the status page is in use; choose another --status-port", e);
        }
    }

    int port() {
        return server.getAddress().getPort();
    }

    private static void handle(HttpExchange exchange, Supplier<StatusReport> report, Cameras cameras)
            throws IOException {
        String host = String.valueOf(exchange.getRequestHeaders().getFirst("Host"));
        if (!host.matches("(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d+)?")) {
            send(exchange, 403, TEXT, "not here");
        } else if (!exchange.getRequestMethod().equals("GET")) {
            send(exchange, 405, TEXT, "only GET and HEAD are allowed");
        } else {
            switch (exchange.getRequestURI().getPath()) {
                case "/" -> send(exchange, 200, "text/html; charset=utf-8", new StatusHtml(report.get()).toHtml());
                case "/status.json" -> send(exchange, 200, "application/json", Json.write(report.get()));
                case "/metrics" ->
                    send(exchange, 200, AgentMetrics.TYPE, new AgentMetrics(report.get()).toPrometheusText());
                default -> handleSnapshot(exchange, cameras);
            }
        }
    }

    private static void handleSnapshot(HttpExchange exchange, Cameras cameras) throws IOException {
        Matcher path = SNAPSHOT.matcher(exchange.getRequestURI().getPath());
        try {
            Optional<CameraImage> picture = path.matches() ? cameras.snapshot(path.group(1)) : Optional.empty();
            if (picture.isPresent()) {
                send(exchange, 200, picture.get().type(), picture.get().bytes());
            } else {
                send(exchange, 404, TEXT, "nothing here; see / and /status.json and /metrics");
            }
        } catch (Refusal e) {
            sendNoPicture(exchange, 404, SecretMask.mask(String.valueOf(e.getMessage())));
        } catch (IOException e) {
            sendNoPicture(exchange, 502, SecretMask.mask(ErrorText.of(e)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            exchange.close();
        }
    }

    /**
     * Answers that there is no snapshot. A browser that loads an image receives a placeholder drawing; other clients
     * receive the reason as text.
     */
    private static void sendNoPicture(HttpExchange exchange, int status, String reason) throws IOException {
        boolean isImage = "image".equals(exchange.getRequestHeaders().getFirst("Sec-Fetch-Dest"));
        send(exchange, status, isImage ? "image/svg+xml" : TEXT, isImage ? NO_PICTURE : reason);
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
