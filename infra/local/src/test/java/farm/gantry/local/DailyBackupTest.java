package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.api.main.RestoreCommand;
import farm.gantry.api.main.StandaloneServer;
import farm.gantry.api.main.postgres.FreePorts;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Tests the daily backups of a running server. */
@Tag("full")
@ResourceLock(OwnFarm.FIRST)
class DailyBackupTest {
    private static final Pattern AGE = Pattern.compile("(?m)^gantry_backup_age_seconds (\\S+)$");
    private static final int SECONDS_UNTIL_BACKUP = 40;

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
            return files.filter(file -> file.toString().endsWith(".zip"))
                    .sorted()
                    .toList();
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

    /** On a busy machine, the server may start after the time of the backup, which is then made five minutes later. */
    @Test
    @Tag("long")
    void runningServerWritesABackupThatCanBeRestored() throws Exception {
        String key;
        try (StandaloneServer server = startServer(folder.resolve("data"), Map.of())) {
            key = server.ownerKey().orElseThrow();
            new FarmApiClient(server.url(), key).post("/v1/folders", Map.of("type", "part", "name", "in the backup"));
        }
        Files.createDirectory(folder.resolve("backups"));
        ZonedDateTime now = ZonedDateTime.now(ZoneId.systemDefault()); // the next start is faster than the first
        createArchive(now.minusDays(1));
        createArchive(now);
        Map<String, Object> settings = Map.of(
                "gantry.backup.folder",
                folder.resolve("backups").toString(),
                "gantry.backup.at",
                LocalTime.from(now).plusSeconds(SECONDS_UNTIL_BACKUP).toString(),
                "gantry.backup.keep",
                2);
        try (StandaloneServer _ = startServer(folder.resolve("data"), settings)) {
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
    void metricTellsTheAgeOfTheLastBackupIfThereIsAFolder() throws Exception {
        Files.createDirectory(folder.resolve("backups"));
        createArchive(ZonedDateTime.now(ZoneId.systemDefault()).minusHours(1));
        int port = FreePorts.choose();
        Map<String, Object> settings = Map.of("gantry.monitoring.port", port);
        try (StandaloneServer _ = startServer(folder.resolve("data"), settings)) {
            assertThat(metrics(port)).contains("gantry_info").doesNotContain("gantry_backup_age_seconds");
        }
        Map<String, Object> withFolder = Map.of(
                "gantry.monitoring.port",
                port,
                "gantry.backup.folder",
                folder.resolve("backups").toString());
        try (StandaloneServer _ = startServer(folder.resolve("data"), withFolder)) {
            Eventually.until("the folder is read", () -> age(port) < Double.POSITIVE_INFINITY, () -> age(port));
            assertThat(age(port)).isBetween(3600.0, 3900.0);
        }
    }

    private static String metrics(int port) {
        try (InputStream body =
                URI.create("http://127.0.0.1:" + port + "/metrics").toURL().openStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double age(int port) {
        Matcher sample = AGE.matcher(metrics(port));
        assertThat(sample.find()).isTrue();
        return Double.parseDouble(sample.group(1).replace("+Inf", "Infinity"));
    }

    @Test
    void invalidTimeStopsTheStart() {
        assertThatThrownBy(() -> startServer(folder.resolve("data"), Map.of("gantry.backup.at", "half past three")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("gantry.backup.at: \"half past three\" is not a time of day, such as 03:00");
    }
}
