package farm.gantry.local;

import farm.gantry.api.main.backup.BackupSettings;
import farm.gantry.ingest.reading.FileTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** A farm shared by all tests that kill no process; it is closed after the last of them. */
final class SharedFarm implements ParameterResolver {
    private static final Namespace HERE = Namespace.create(SharedFarm.class);
    private static final String RECEIVERS = "gantry.webhooks.allow-insecure-local-receivers-for-development";

    /** Lets JUnit close the farm. */
    private record ClosingFarm(Farm farm, Path backups) implements AutoCloseable {
        static ClosingFarm start() {
            try {
                Path backups = Files.createTempDirectory("backups");
                return new ClosingFarm(
                        Farm.start(Map.of(RECEIVERS, "true", BackupSettings.FOLDER, backups.toString())), backups);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() throws IOException {
            farm.close();
            FileTree.delete(backups);
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Farm.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(HERE)
                .getOrComputeIfAbsent("farm", _ -> ClosingFarm.start(), ClosingFarm.class)
                .farm();
    }
}
