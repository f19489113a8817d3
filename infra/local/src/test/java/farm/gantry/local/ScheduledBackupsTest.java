package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.api.main.RestoreCommand;
import farm.gantry.api.main.StandaloneServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Tests the daily backups of a running server. */
@Tag("full")
@ResourceLock(OwnFarm.FIRST)
class ScheduledBackupsTest {
    private static final int SECONDS_UNTIL_BACKUP = 20;

    @TempDir
    Path folder;

    private StandaloneServer startServer(Path data, Map<String, Object> settings) throws IOException {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("micronaut.server.port", -1);
        all.put("gantry.worker.in-process", false);
        return StandaloneServer.start(data, all);
    }

    private List<Path> archives() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("backups"))) {
            return files.filter(file -> file.toString().endsWith(".zip")).sorted().toList();
        }
    }

    /** Whether the newest archive is that of the server; those of the test are empty. */
    private boolean isNewestWritten() {
        try {
            return Files.size(archives().getLast()) > 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void createArchive(ZonedDateTime time) throws IOException {
        String name = DateTimeFormatter.ofPattern("'gantry-backup-'uuuuMMdd'T'HHmmss'Z.zip'")
                .format(time.withZoneSameInstant(ZoneOffset.UTC));
        Files.createFile(folder.resolve("backups").resolve(name));
    }

    @Test
    void runningServerWritesABackupThatCanBeRestored() throws Exception {
        Files.createDirectory(folder.resolve("backups"));
        ZonedDateTime now = ZonedDateTime.now(ZoneId.systemDefault());
        createArchive(now.minusDays(1));
        createArchive(now);
        String at = LocalTime.from(now).plusSeconds(SECONDS_UNTIL_BACKUP).toString();
        Map<String, Object> settings = Map.of(
                "gantry.backup.folder", folder.resolve("backups").toString(),
                "gantry.backup.at", at,
                "gantry.backup.keep", 2);
        String key;
        try (StandaloneServer server = startServer(folder.resolve("data"), settings)) {
            key = server.ownerKey().orElseThrow();
            new FarmApiClient(server.url(), key).post("/v1/folders", Map.of("type", "part", "name", "in the backup"));
            Eventually.until("a backup is written", this::isNewestWritten, () -> "none is written");
            assertThat(archives()).hasSize(2);
        }
        Path restored = folder.resolve("restored");
        RestoreCommand.restoreArchive(archives().getLast(), restored);
        try (StandaloneServer server = startServer(restored, Map.of())) {
            assertThat(FarmRequests.fieldValues(
                            new FarmApiClient(server.url(), key).get("/v1/folders?fields=name"), "name"))
                    .contains("in the backup");
        }
    }

    @Test
    void invalidTimeStopsTheStart() {
        assertThatThrownBy(() -> startServer(folder.resolve("data"), Map.of("gantry.backup.at", "half past three")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("gantry.backup.at: \"half past three\" is not a time of day, such as 03:00");
    }
}
