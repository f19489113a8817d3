package farm.gantry.api.main;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.RepeatedTest;

class FreePortTest {
    @RepeatedTest(100)
    void aChosenPortCanBeBoundAndIsNoneThatTheSystemGivesAway() throws IOException {
        int port = FreePort.choose();
        try (ServerSocket bound = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
                ServerSocket any = new ServerSocket(0)) {
            assertThat(any.getLocalPort()).isGreaterThan(bound.getLocalPort());
        }
    }
}
