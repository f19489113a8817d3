package farm.gantry.edge.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpServer;
import farm.gantry.edge.FakeApi;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

class HttpsUplinkTest {
    /** The agent's first events occur before the first answer of the API, which would set the clock. */
    @Test
    void clockIsSyncedBeforeTheFirstReport() throws Exception {
        HttpServer api = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        api.createContext("/", exchange -> {
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
        api.start();
        String address = "http://127.0.0.1:" + api.getAddress().getPort();
        ApiClient reached = ApiClient.create(address, () -> Instant.EPOCH);
        try (HttpsUplink uplink = new HttpsUplink(reached, FakeApi.TOKEN)) {
            uplink.beginSession("s");
            assertThat(reached.clock().instant()).isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
        } finally {
            api.stop(0);
        }
    }
}
