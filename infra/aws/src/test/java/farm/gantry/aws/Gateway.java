package farm.gantry.aws;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Call;
import farm.gantry.api.fixture.Host;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** API Gateway, or a function's own URL, in this process: converts each request to an event for the function. */
final class Gateway implements AutoCloseable {
    private final HttpServer server;
    private final String function;
    private volatile @Nullable Call last;

    /** {@code function} is the name under which its calls are counted. */
    Gateway(String function) throws IOException {
        this.function = function;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    void serve(Host host, Deaths deaths) {
        server.createContext("/", exchange -> serve(exchange, host, deaths));
        server.start();
    }

    private void serve(HttpExchange exchange, Host host, Deaths deaths) throws IOException {
        try (exchange) {
            List<Map.Entry<String, String>> headers = exchange.getRequestHeaders().entrySet().stream()
                    .map(header -> Map.entry(header.getKey(), String.join(",", header.getValue())))
                    .toList();
            String target = exchange.getRequestURI().toString();
            Requests.count(function);
            Call call = new Call(
                    exchange.getRequestMethod(),
                    target,
                    headers,
                    exchange.getRequestBody().readAllBytes());
            last = call;
            Answer answer;
            try {
                answer = deaths.in(function, () -> host.send(call));
            } catch (Deaths.DeadError killed) {
                exchange.sendResponseHeaders(502, -1);
                return;
            } catch (Exception e) {
                throw new IOException(e);
            }
            answer.headers().forEach((name, values) -> {
                if (!name.equalsIgnoreCase("content-length")) {
                    exchange.getResponseHeaders().put(name, values);
                }
            });
            exchange.sendResponseHeaders(answer.status(), answer.body().length == 0 ? -1 : answer.body().length);
            exchange.getResponseBody().write(answer.body());
        }
    }

    /** Returns the last request. */
    Call last() {
        return Objects.requireNonNull(last);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
