package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.api.main.InstallListener;
import farm.gantry.api.main.StandaloneServer;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(OwnFarm.SECOND)
class FirstStartTest {
    private static final String PORT = "micronaut.server.port";

    @TempDir
    Path data;

    @Test
    void ownerKeyIsShownByTheFirstSuccessfulStart() throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            assertThatThrownBy(() -> StandaloneServer.start(data, Map.of(PORT, taken.getLocalPort())))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("cannot listen at 0.0.0.0 port " + taken.getLocalPort()
                            + ": another program uses the port; stop it, or choose another one with --port");
        }
        try (StandaloneServer machine = StandaloneServer.start(data, Map.of(PORT, -1))) {
            assertThat(machine.ownerKey()).isPresent();
            FarmApiClient api =
                    new FarmApiClient(machine.url(), machine.ownerKey().orElseThrow());
            assertThat(api.get("/v1/printers").size()).isZero();
        }
    }

    @Test
    void startThatCannotStoreTheOwnerKeyIsRolledBack() throws Exception {
        InstallListener full = new InstallListener() {
            @Override
            public void onOwnerKey(String key) {
                throw new IllegalStateException("the disk is full");
            }
        };
        assertThatThrownBy(() -> StandaloneServer.start(data, Map.of(PORT, -1), full))
                .hasMessageContaining("the disk is full");
        try (StandaloneServer machine = StandaloneServer.start(data, Map.of(PORT, -1))) {
            assertThat(machine.ownerKey()).isPresent();
        }
    }
}
