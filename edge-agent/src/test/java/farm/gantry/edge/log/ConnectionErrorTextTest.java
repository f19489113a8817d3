package farm.gantry.edge.log;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.http.PrinterWebSocket;
import farm.gantry.edge.provider.RecordingListener;
import farm.gantry.edge.session.PollLoop;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests that a failed connection is described by a sentence with a next step. */
class ConnectionErrorTextTest {
    private static final String REFUSED = "the printer refuses the connection: check that";

    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static String reasonOf(PollLoop.Poll poll) {
        RecordingListener recording = new RecordingListener();
        try (PollLoop polling = new PollLoop(poll, Duration.ofSeconds(1), recording)) {
            polling.start();
            Eventually.until("the printer is offline", () -> recording.losses() > 0);
        }
        return recording.reason();
    }

    @Test
    void refusedHttpConnectionNamesTheNextStep() throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + closedPort() + "/"))
                .build();
        assertThat(reasonOf(() -> {
                    PrinterHttp.exchange(PrinterHttp.client(), request, BodyHandlers.ofString());
                    return Duration.ofSeconds(1);
                }))
                .startsWith(REFUSED);
    }

    @Test
    void refusedWebSocketNamesTheNextStep() throws IOException {
        URI address = URI.create("ws://127.0.0.1:" + closedPort() + "/websocket");
        assertThat(reasonOf(() -> {
                    PrinterWebSocket.open(address, _ -> {}, _ -> {}).close();
                    return Duration.ofSeconds(1);
                }))
                .startsWith(REFUSED);
    }

    @Test
    void unknownHostNameNamesTheNextStep() {
        URI address = URI.create("ws://printer.invalid:80/websocket");
        assertThat(reasonOf(() -> {
                    PrinterWebSocket.open(address, _ -> {}, _ -> {}).close();
                    return Duration.ofSeconds(1);
                }))
                .startsWith("the printer's host name is unknown: check its address, or enter its IP address instead")
                .contains("(printer.invalid)");
        assertThat(ConnectionErrorText.of(new UnknownHostException("printer"))).contains("host name is unknown");
    }

    @Test
    void unreachablePrinterIsNotCalledRefusing() {
        for (IOException fault : new IOException[] {
            new HttpTimeoutException("request timed out"),
            new NoRouteToHostException("No route to host"),
            new ConnectException("Connection timed out"),
            new IOException("no WebSocket at 10.0.0.9", new ConnectException("Network is unreachable"))
        }) {
            assertThat(ConnectionErrorText.of(fault)).startsWith("the printer does not respond: check that");
        }
    }

    @Test
    void otherFailuresKeepTheirMessage() {
        assertThat(ConnectionErrorText.of(new IOException("the printer has sent no status")))
                .isEqualTo("the printer has sent no status");
        assertThat(ConnectionErrorText.of(new IOException())).isEqualTo("java.io.IOException");
    }
}
