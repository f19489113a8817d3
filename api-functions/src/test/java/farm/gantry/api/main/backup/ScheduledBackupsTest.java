package farm.gantry.api.main.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ScheduledBackupsTest {
    private static final int KEEP = 3;

    @TempDir
    Path folder;

    private final Clock clock = new Clock();
    private boolean fails;
    private int attempts;
    private final List<String> results = new ArrayList<>();
    private ScheduledBackups backups;

    private static final class Clock implements InstantSource {
        private Instant now = Instant.parse("2026-11-30T10:00:00Z");

        @Override
        public Instant instant() {
            return now;
        }

        void set(String time) {
            now = Instant.parse(time);
        }
    }

    @BeforeEach
    void start() {
        backups = new ScheduledBackups(
                new BackupFolder(folder.resolve("backups")),
                new BackupSchedule(LocalTime.of(3, 0), ZoneOffset.UTC),
                KEEP,
                this::write,
                new ScheduledBackups.Listener() {
                    @Override
                    public void onFailure(String reason) {
                        results.add(reason);
                    }

                    @Override
                    public void onSuccess() {
                        results.add("succeeded");
                    }
                },
                clock);
    }

    private void write(Path archive) throws IOException {
        attempts++;
        if (fails) {
            throw new IOException("No space left on device");
        }
        Files.writeString(archive, "complete");
    }

    private void createFiles(String... names) throws IOException {
        Files.createDirectories(folder.resolve("backups"));
        for (String name : names) {
            Files.writeString(folder.resolve("backups").resolve(name), name);
        }
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("backups"))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private void runAt(String time) {
        clock.set(time);
        backups.runIfDue();
    }

    @Test
    void firstBackupIsMadeSoonAfterTheStartAndThenDaily() throws IOException {
        createFiles();
        runAt("2026-11-30T10:04:59Z");
        assertThat(names()).isEmpty();
        runAt("2026-11-30T10:05:00.9Z");
        runAt("2026-11-30T10:05:10Z");
        runAt("2026-12-01T02:59:59Z");
        assertThat(names()).containsExactly("gantry-backup-20261130T100500Z.zip");
        runAt("2026-12-01T03:00:00Z");
        runAt("2026-12-01T03:00:10Z");
        assertThat(names()).containsExactly("gantry-backup-20261130T100500Z.zip", "gantry-backup-20261201T030000Z.zip");
    }

    @Test
    void onlyTheOldestOwnArchivesAreDeleted() throws IOException {
        createFiles(
                "gantry-backup-20261126T030000Z.zip",
                "gantry-backup-20261127T030000Z.zip",
                "gantry-backup-20261128T030000Z.zip",
                "gantry-backup-20261129T030000Z.zip",
                "gantry-backup-20270101T030000Z.zip", // named by a wrong clock
                "gantry-backup-20261126T030000Z.zip.partial", // left by a killed server
                "gantry-backup-2026-11-01-030000.zip", // written by the command
                "gantry-backup-20261301T030000Z.zip",
                "a.zip");
        runAt("2026-11-30T10:05:00Z");
        assertThat(names())
                .containsExactly(
                        "a.zip",
                        "gantry-backup-2026-11-01-030000.zip",
                        "gantry-backup-20261128T030000Z.zip",
                        "gantry-backup-20261129T030000Z.zip",
                        "gantry-backup-20261130T100500Z.zip",
                        "gantry-backup-20261301T030000Z.zip",
                        "gantry-backup-20270101T030000Z.zip");
    }

    @Test
    void failedBackupDeletesNothingAndIsTriedAgainAfterAnHour() throws IOException {
        createFiles(
                "gantry-backup-20261125T030000Z.zip",
                "gantry-backup-20261126T030000Z.zip",
                "gantry-backup-20261127T030000Z.zip",
                "gantry-backup-20261128T030000Z.zip");
        fails = true;
        runAt("2026-11-30T10:05:00Z");
        runAt("2026-11-30T11:04:59Z");
        assertThat(attempts).isEqualTo(1);
        assertThat(names()).hasSize(4);
        runAt("2026-11-30T11:05:00Z");
        fails = false;
        runAt("2026-11-30T12:05:00Z");
        assertThat(names()).hasSize(KEEP).endsWith("gantry-backup-20261130T120500Z.zip");
        assertThat(attempts).isEqualTo(3);
        fails = true;
        runAt("2026-12-01T03:00:00Z");
        assertThat(results)
                .as("a failure once until a backup succeeds")
                .containsExactly("No space left on device", "succeeded", "No space left on device");
    }

    @Test
    void missingFolderIsNotCreated() throws IOException {
        assertThatCode(() -> runAt("2026-11-30T10:05:00Z")).doesNotThrowAnyException();
        assertThat(folder.resolve("backups")).doesNotExist();
        assertThat(attempts).isZero();
        createFiles();
        runAt("2026-11-30T11:05:00Z");
        assertThat(names()).hasSize(1);
    }

    @Test
    void missingFolderIsReportedWithTheRemedy() {
        Path missing = folder.resolve("missing");
        assertThatThrownBy(() -> new BackupFolder(missing).checkWritable())
                .hasMessage("there is no folder " + missing + "; create it, and give it to the user "
                        + System.getProperty("user.name"));
    }

    @Test
    void ageIsThatOfTheNewestArchiveAndInfiniteWithoutOne() throws IOException {
        createFiles();
        backups.runIfDue();
        assertThat(backups.ageSeconds()).isInfinite();
        createFiles("gantry-backup-20261130T030000Z.zip", "gantry-backup-20270101T030000Z.zip");
        backups.runIfDue();
        assertThat(backups.ageSeconds()).isEqualTo(7 * 3600.0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"25:00", "3", "noon", ""})
    void invalidTimeIsReportedWithItsSetting(String time) {
        assertThatThrownBy(() -> new BackupSettings(null, time, 14).check())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("gantry.backup.at: \"" + time + "\" is not a time of day, such as 03:00");
    }

    @Test
    void atLeastOneArchiveIsKept() {
        assertThatThrownBy(() -> new BackupSettings(null, "03:00", 0).check())
                .hasMessage("gantry.backup.keep: 0 is not a number of archives from 1");
        assertThatCode(() -> new BackupSettings(null, "03:00", 1).check()).doesNotThrowAnyException();
    }
}
