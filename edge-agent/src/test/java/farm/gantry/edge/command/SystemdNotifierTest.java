package farm.gantry.edge.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the datagrams that systemd receives from the agent. */
class SystemdNotifierTest {
    private static final String RECEIVER = """
            import socket, sys
            listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            listening.bind(sys.argv[1].replace('@', '\\0'))
            print('listening', flush=True)
            print(listening.recv(1000).decode(), flush=True)
            """;

    @ParameterizedTest
    @ValueSource(strings = {"FOLDER/notify", "@gantry-FOLDER"})
    void agentNotifiesSystemdThatItIsReady(String address, @TempDir Path folder) throws Exception {
        assumeTrue(Path.of("/proc").toFile().isDirectory(), "only Linux has systemd");
        assumeTrue(isInstalled("python3"), "no Python is here to receive datagrams");
        String socket = address.replace("FOLDER", folder.toString());
        Process receiver = new ProcessBuilder("python3", "-c", RECEIVER, socket)
                .redirectErrorStream(true)
                .start();
        try (BufferedReader output = receiver.inputReader()) {
            assertThat(output.readLine()).isEqualTo("listening");
            new SystemdNotifier(socket).notifyState("READY=1\nSTATUS=fine");
            assertThat(output.readLine()).isEqualTo("READY=1");
            assertThat(output.readLine()).isEqualTo("STATUS=fine");
        } finally {
            receiver.destroyForcibly();
        }
    }

    @Test
    void missingSystemdSocketIsIgnored(@TempDir Path folder) {
        new SystemdNotifier(folder.resolve("nobody").toString()).notifyState("READY=1");
        new SystemdNotifier("").notifyState("READY=1");
        assertThat(folder).isEmptyDirectory();
    }

    private static boolean isInstalled(String program) {
        return Stream.of(System.getenv("PATH").split(Pattern.quote(File.pathSeparator), -1))
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }
}
