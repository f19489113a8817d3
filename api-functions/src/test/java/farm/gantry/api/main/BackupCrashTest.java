package farm.gantry.api.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.api.main.postgres.LocalPostgres;
import farm.gantry.api.main.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests power cuts during backup and restore: the archive or the restored farm is complete, or does not exist. */
@Tag("install")
final class BackupCrashTest {
    private static final String DATABASE = "gantry";

    @TempDir
    Path folder;

    private Path data() {
        return folder.resolve("data");
    }

    private Path archive() {
        return folder.resolve("farm.zip");
    }

    private void makeFarm() throws Exception {
        Files.createDirectories(data());
        Files.writeString(data().resolve("pepper"), "pepper");
        try (LocalPostgres postgres = LocalPostgres.start(data().resolve("postgres"));
                Connection connection = DriverManager.getConnection(postgres.ownerUrl("postgres"))) {
            connection.createStatement().execute("create database " + DATABASE);
            try (Connection made = DriverManager.getConnection(postgres.ownerUrl(DATABASE))) {
                made.createStatement().execute("create table kept as select 7 as seven");
            }
        }
    }

    private static void assertWhole(Path data) throws Exception {
        assertThat(data.resolve("pepper")).hasContent("pepper");
        try (LocalPostgres postgres = LocalPostgres.start(data.resolve("postgres"));
                Connection connection = DriverManager.getConnection(postgres.ownerUrl(DATABASE));
                ResultSet rows = connection.createStatement().executeQuery("select seven from kept")) {
            assertThat(rows.next() && rows.getInt(1) == 7).isTrue();
        }
    }

    /** Runs the command until it dies at this point. */
    private void dieAt(String point, Class<?> command, String... arguments) throws Exception {
        try (ChildProcess process = ChildProcess.start(
                point,
                folder.resolve("logs"),
                List.of("-Dgantry.crashAt=" + point, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                command.getName(),
                List.of(arguments))) {
            process.handle().onExit().get();
            assertThat(process.log()).content().doesNotContain("Nothing was").doesNotContain("The farm");
        }
    }

    @Test
    @Tag("full")
    void killedBackupLeavesNoArchive() throws Exception {
        makeFarm();
        for (String point : List.of("archiving", "archived")) {
            dieAt(point, BackupCommand.class, "--data=" + data(), "--to=" + archive());
            assertThat(archive()).doesNotExist();
        }
        BackupCommand.writeArchive(data(), archive());
        assertThat(names(folder)).containsExactlyInAnyOrder("data", "farm.zip", "logs");
        RestoreCommand.restoreArchive(archive(), folder.resolve("restored"));
        assertWhole(folder.resolve("restored"));
        assertWhole(data());
    }

    @Test
    void killedRestoreIsAtomicAndRepeatable() throws Exception {
        makeFarm();
        BackupCommand.writeArchive(data(), archive());
        Path restored = folder.resolve("restored");
        for (String point : List.of("unpacking", "synced")) {
            dieAt(point, RestoreCommand.class, archive().toString(), "--data=" + restored);
            assertThat(restored).doesNotExist();
        }
        dieAt("restored", RestoreCommand.class, archive().toString(), "--data=" + restored);
        assertThatThrownBy(() -> RestoreCommand.restoreArchive(archive(), restored))
                .hasMessageContaining("is not empty");
        assertThat(restored.resolve(RestoreCommand.RESTORE_MARKER)).exists();
        assertWhole(restored);
        assertThat(names(folder)).containsExactlyInAnyOrder("data", "farm.zip", "logs", "restored");
    }

    /** A container's volume is an empty folder that cannot be replaced. */
    @Test
    @Tag("long")
    void killedRestoreIntoAnExistingFolderStartsNoFarmAndIsRepeatable() throws Exception {
        makeFarm();
        BackupCommand.writeArchive(data(), archive());
        Path volume = Files.createDirectory(folder.resolve("volume"));
        for (String point : List.of("unpacking", "synced", "moving")) {
            dieAt(point, RestoreCommand.class, archive().toString(), "--data=" + volume);
            assertThatThrownBy(() -> StandaloneServer.start(volume, Map.of()))
                    .as(point)
                    .hasMessage("the restore of a backup into " + volume + " was interrupted: run it again");
        }
        RestoreCommand.restoreArchive(archive(), volume);
        assertThat(volume.resolve(RestoreCommand.RESTORE_MARKER)).exists();
        assertWhole(volume);
        assertThat(names(volume)).containsExactlyInAnyOrder("pepper", "postgres", RestoreCommand.RESTORE_MARKER);
        assertThatThrownBy(() -> RestoreCommand.restoreArchive(archive(), volume))
                .hasMessageContaining("is not empty");
    }

    @Test
    void archiveWithBytesAfterItsEndIsNotRestored() throws Exception {
        makeFarm();
        BackupCommand.writeArchive(data(), archive());
        byte[] whole = Files.readAllBytes(archive());
        Files.write(archive(), new byte[] {'j', 'u', 'n', 'k'}, StandardOpenOption.APPEND);
        Path restored = folder.resolve("restored");
        assertThatThrownBy(() -> RestoreCommand.restoreArchive(archive(), restored))
                .hasMessage(archive() + " is not a complete backup: bytes follow its end");
        assertThat(restored).doesNotExist();
        Files.write(archive(), whole);
        RestoreCommand.restoreArchive(archive(), restored);
        assertThat(restored.resolve(RestoreCommand.RESTORE_MARKER)).exists();
    }

    private static List<String> names(Path parent) throws IOException {
        try (Stream<Path> children = Files.list(parent)) {
            return children.map(child -> child.getFileName().toString()).toList();
        }
    }
}
