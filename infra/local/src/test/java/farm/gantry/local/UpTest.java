package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.main.ChildProcess;
import farm.gantry.api.main.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("two farms at once are more than a small machine can carry")
@Tag("full")
class UpTest {
    private static final int PORTS = 30;

    @TempDir
    Path data;

    @Test
    void aFarmThatWasStoppedWhileItPrintedStartsAgainWithoutTheDemo() throws Exception {
        int port = FreePort.choose(PORTS);
        try (ChildProcess first = up(port)) {
            first.awaitLine("Build ");
        }
        try (ChildProcess second = up(port)) {
            second.awaitLine("The farm stays up");
            assertThat(Files.readString(second.log()))
                    .contains("The demo is not run, for the farm has print jobs that are not over");
        }
    }

    private ChildProcess up(int port) throws IOException {
        return ChildProcess.start(
                "up",
                data.resolve("test-logs"),
                ChildProcess.SMALL,
                Up.class.getName(),
                List.of("--data", data.resolve("farm").toString(), "--port", String.valueOf(port), "--speed", "1"));
    }
}
