package farm.gantry.edge.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class TimeLimitedExchangeTest {
    private static final long MAX_SENT_BYTES = 1L << 30;

    private final AtomicLong written = new AtomicLong();
    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);

    TimeLimitedExchangeTest() throws IOException {
        server.createContext("/whole", exchange -> {
            exchange.sendResponseHeaders(200, 1);
            exchange.getResponseBody().write('!');
            exchange.close();
        });
        server.createContext("/half", exchange -> {
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write('!');
            exchange.getResponseBody().flush();
        });
        server.createContext("/endless", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] more = new byte[1 << 20];
            while (written.addAndGet(more.length) < MAX_SENT_BYTES) {
                exchange.getResponseBody().write(more);
            }
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    @Test
    void completeResponseIsReturned() throws Exception {
        assertThat(get("/whole", Duration.ofSeconds(20))).isEqualTo("!");
    }

    @Test
    void stalledResponseTimesOut() {
        assertThatThrownBy(() -> get("/half", Duration.ofMillis(300)))
                .isInstanceOf(HttpTimeoutException.class)
                .hasMessage("request timed out");
    }

    @Test
    void stoppedServerIsReportedAsAConnectionFailure() {
        server.stop(0);
        assertThatThrownBy(() -> get("/whole", Duration.ofSeconds(20))).isInstanceOf(ConnectException.class);
    }

    /** The agent has 256 MB of memory for all of its printers. */
    @Test
    void endlessResponseStopsAtTheSizeLimit() {
        assertThatThrownBy(() -> PrinterHttp.exchange(
                        PrinterHttp.client(), request("/endless", Duration.ofSeconds(60)), PrinterHttp.limitedText()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("exceeds");
        assertThat(written.get()).isLessThan(MAX_SENT_BYTES);
    }

    private String get(String path, Duration timeout) throws IOException, InterruptedException {
        return TimeLimitedExchange.send(PrinterHttp.client(), request(path, timeout), BodyHandlers.ofString())
                .body();
    }

    private HttpRequest request(String path, Duration timeout) {
        URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
        return HttpRequest.newBuilder(uri).timeout(timeout).build();
    }
}
