package farm.gantry.local;

import com.hivemq.embedded.EmbeddedHiveMQ;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** An MQTT broker in this process. */
final class Broker implements AutoCloseable {
    private final Path folder;
    private final int port;
    private final EmbeddedHiveMQ broker;

    Broker() {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            this.port = free.getLocalPort();
            this.folder = Files.createTempDirectory("broker");
            Path configuration = Files.createDirectories(folder.resolve("conf"));
            Files.writeString(configuration.resolve("config.xml"), """
                    <hivemq>
                      <listeners>
                        <tcp-listener><port>%d</port><bind-address>127.0.0.1</bind-address></tcp-listener>
                      </listeners>
                      <anonymous-usage-statistics><enabled>false</enabled></anonymous-usage-statistics>
                    </hivemq>
                    """.formatted(port));
            this.broker = EmbeddedHiveMQ.builder()
                    .withConfigurationFolder(configuration)
                    .withDataFolder(Files.createDirectories(folder.resolve("data")))
                    .withExtensionsFolder(Files.createDirectories(folder.resolve("extensions")))
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        broker.start().join();
    }

    int port() {
        return port;
    }

    @Override
    public void close() throws IOException {
        broker.stop().join();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
