package farm.gantry.local;

import com.hivemq.embedded.EmbeddedExtension;
import com.hivemq.embedded.EmbeddedHiveMQ;
import com.hivemq.embedded.EmbeddedHiveMQBuilder;
import farm.gantry.api.main.postgres.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** An MQTT broker in this process, with an optional extension that decides about permissions. */
public final class Broker implements AutoCloseable {
    private final Path folder;
    private final int port;
    private final EmbeddedHiveMQ broker;

    public Broker(EmbeddedExtension... extension) {
        try {
            this.port = FreePorts.choose();
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
            EmbeddedHiveMQBuilder builder = EmbeddedHiveMQ.builder()
                    .withConfigurationFolder(configuration)
                    .withDataFolder(Files.createDirectories(folder.resolve("data")))
                    .withExtensionsFolder(Files.createDirectories(folder.resolve("extensions")));
            Stream.of(extension).forEach(builder::withEmbeddedExtension);
            this.broker = builder.build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        broker.start().join();
    }

    public int port() {
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
