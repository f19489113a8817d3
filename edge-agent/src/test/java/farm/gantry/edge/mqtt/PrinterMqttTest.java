package farm.gantry.edge.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.BoundlessServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class PrinterMqttTest {
    private static final byte[] ACCEPTED = {0x20, 2, 0, 0};
    /** The header of a message of 128 MB, and its topic. */
    private static final byte[] LARGE = {0x30, (byte) 0x80, (byte) 0x80, (byte) 0x80, 0x40, 0, 1, 't'};

    /** The agent has 256 MB of memory for all of its printers. */
    @Test
    void oversizedMessageClosesTheConnection() throws Exception {
        CompletableFuture<String> closed = new CompletableFuture<>();
        try (BoundlessServer server = new BoundlessServer(PrinterMqttTest::greet);
                PrinterMqtt _ = PrinterMqtt.open(broker(server.port()), (_, _) -> {}, closed::complete)) {
            assertThat(closed.get(60, TimeUnit.SECONDS)).contains("packet size");
            assertThat(server.sent()).isLessThan(BoundlessServer.MAX_SENT_BYTES);
        }
    }

    private static PrinterBroker broker(int port) {
        return new PrinterBroker("127.0.0.1", port, "agent", "user", "password", null);
    }

    private static void greet(InputStream in, OutputStream out) throws IOException {
        in.read();
        in.readNBytes(in.read());
        out.write(ACCEPTED);
        out.write(LARGE);
    }
}
