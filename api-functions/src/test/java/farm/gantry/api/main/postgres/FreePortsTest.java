package farm.gantry.api.main.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import org.junit.jupiter.api.RepeatedTest;

class FreePortsTest {
    @RepeatedTest(20)
    void consecutivePortsAreFree() throws IOException {
        int first = FreePorts.choose(3);
        try (ServerSocket one = new ServerSocket(first);
                ServerSocket two = new ServerSocket(first + 1);
                ServerSocket three = new ServerSocket(first + 2)) {
            assertThat(one.isBound() && two.isBound() && three.isBound()).isTrue();
        }
    }
}
