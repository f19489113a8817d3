package farm.gantry.api.monitoring;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import farm.gantry.version.ProductVersion;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP server for {@code /health/live}, {@code /health/ready} and {@code /metrics} on a separate port. It responds
 * from the beginning of the start to the end of the shutdown.
 */
public record MonitoringServer(HttpServer server, ExecutorService threads) implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MonitoringServer.class);
    private static final String JSON = "application/json";
    private static final String VERSION = "\"version\": \"" + ProductVersion.CURRENT + "\"";
    private static final String UP = "{\"status\": \"up\", " + VERSION + "}";
    private static final String DOWN = "{\"status\": \"down\", \"reason\": \"%s\", " + VERSION + "}";
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    /** Provides readiness and metrics. */
    public interface MonitoringSource {
        /** Returns why the server must get no requests now; empty if it is ready. */
        Optional<String> whyNotReady();

        /** Returns the metrics in the text format of Prometheus; empty while there are none. */
        Optional<String> metrics();
    }

    public static MonitoringServer open(InetSocketAddress address, MonitoringSource source) throws IOException {
        HttpServer server = HttpServer.create(address, 0);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        server.setExecutor(threads);
        server.createContext("/", exchange -> respond(exchange, source));
        server.start();
        return new MonitoringServer(server, threads);
    }

    private static void respond(HttpExchange exchange, MonitoringSource source) throws IOException {
        try {
            if (!exchange.getRequestMethod().equals("GET")) {
                send(exchange, 405, JSON, "{\"status\": \"only GET is supported\"}");
                return;
            }
            switch (exchange.getRequestURI().getPath()) {
                case "/health/live" -> send(exchange, 200, JSON, UP);
                case "/health/ready" -> {
                    Optional<String> reason = source.whyNotReady();
                    send(
                            exchange,
                            reason.isEmpty() ? 200 : 503,
                            JSON,
                            reason.map(DOWN::formatted).orElse(UP));
                }
                case "/metrics" -> {
                    Optional<String> metrics = source.metrics();
                    send(exchange, metrics.isPresent() ? 200 : 503, PROMETHEUS, metrics.orElse(""));
                }
                default -> send(exchange, 404, JSON, "{\"status\": \"see /health/live, /health/ready, /metrics\"}");
            }
        } catch (RuntimeException e) {
            LOG.warn("monitoring request {} failed", exchange.getRequestURI().getPath(), e);
            send(exchange, 500, JSON, "{\"status\": \"failed; see the log\"}");
        }
    }

    private static void send(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            Headers headers = exchange.getResponseHeaders();
            headers.set("Content-Type", type);
            headers.set("Cache-Control", "no-store");
            headers.set("X-Content-Type-Options", "nosniff");
            exchange.sendResponseHeaders(status, content.length == 0 ? -1 : content.length);
            exchange.getResponseBody().write(content);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
