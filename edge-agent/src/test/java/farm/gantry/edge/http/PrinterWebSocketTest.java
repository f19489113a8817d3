package farm.gantry.edge.http;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.BoundlessServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class PrinterWebSocketTest {
    private static final String KEY = "sec-websocket-key: ";
    private static final String PROTOCOL = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int TEXT = 0x81;
    /** Marks a frame whose length follows in eight bytes. */
    private static final int LENGTH_OVER_7_BITS = 127;

    /** The agent has 256 MB of memory for all of its printers. */
    @Test
    void eightMegabyteMessageClosesTheConnection() throws Exception {
        CompletableFuture<String> ended = new CompletableFuture<>();
        CompletableFuture<String> read = new CompletableFuture<>();
        try (BoundlessServer server = new BoundlessServer(PrinterWebSocketTest::greet);
                PrinterWebSocket _ = PrinterWebSocket.open(
                        URI.create("ws://127.0.0.1:" + server.port() + "/"), read::complete, ended::complete)) {
            assertThat(ended.get(60, TimeUnit.SECONDS)).contains("broke");
            assertThat(read).isNotDone();
        }
    }

    private static void greet(InputStream in, OutputStream out) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII));
        String key = "";
        for (String line = lines.readLine(); line != null && !line.isEmpty(); line = lines.readLine()) {
            if (line.toLowerCase(Locale.ROOT).startsWith(KEY)) {
                key = line.substring(KEY.length()).strip();
            }
        }
        String answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: " + accepted(key) + "\r\n\r\n";
        out.write(answer.getBytes(StandardCharsets.US_ASCII));
        out.write(new byte[] {(byte) TEXT, LENGTH_OVER_7_BITS});
        out.write(ByteBuffer.allocate(Long.BYTES).putLong(8 << 20).array());
    }

    private static String accepted(String key) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-1").digest((key + PROTOCOL).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
