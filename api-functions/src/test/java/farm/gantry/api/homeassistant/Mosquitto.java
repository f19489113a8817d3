package farm.gantry.api.homeassistant;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import farm.gantry.api.fixture.Eventually;
import farm.gantry.api.main.postgres.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** A process of the MQTT broker Mosquitto. A test without it is skipped. */
record Mosquitto(Process process, Path configuration, int port) implements AutoCloseable {
    static Mosquitto start() throws IOException {
        Optional<Path> program = Stream.of("/usr/sbin/mosquitto", "/usr/bin/mosquitto", "/opt/homebrew/sbin/mosquitto")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(program.isPresent(), "no Mosquitto is installed here");
        int port = FreePorts.choose();
        Path configuration = Files.createTempFile("mosquitto", ".conf");
        Files.writeString(configuration, "listener " + port + " 127.0.0.1\nallow_anonymous true\npersistence false\n");
        Process process = new ProcessBuilder(program.orElseThrow().toString(), "-c", configuration.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Mosquitto broker = new Mosquitto(process, configuration, port);
        Eventually.until("Mosquitto listens", broker::listens);
        return broker;
    }

    private boolean listens() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    URI url() {
        return URI.create("mqtt://127.0.0.1:" + port);
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        Files.deleteIfExists(configuration);
    }
}
