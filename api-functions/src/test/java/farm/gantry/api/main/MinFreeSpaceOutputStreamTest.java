package farm.gantry.api.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

final class MinFreeSpaceOutputStreamTest {
    private static final int BYTES = 1 << 20;

    @TempDir
    Path folder;

    private void writeArchive(long minFreeBytes) throws IOException {
        byte[] incompressible = new byte[BYTES];
        new Random(1).nextBytes(incompressible);
        try (BackupArchive archive = new BackupArchive(folder.resolve("farm.zip"), minFreeBytes)) {
            archive.add("part.3mf", new ByteArrayInputStream(incompressible));
            archive.finish();
        }
    }

    @Test
    void archiveThatWouldFillTheDiskFailsAndIsDeleted() {
        assertThatThrownBy(() -> writeArchive(1L << 60))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("the disk of " + folder + " is full: less than ")
                .hasMessageEndingWith("free space on it, or choose a folder on another disk");
        assertThat(folder).isEmptyDirectory();
    }

    /** A deleted file that is still open would keep its space. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void failedArchiveIsClosed() throws IOException {
        assertThatThrownBy(() -> writeArchive(1L << 60)).isInstanceOf(IOException.class);
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            assertThat(open.filter(Files::isSymbolicLink).map(MinFreeSpaceOutputStreamTest::target))
                    .noneMatch(target -> target.startsWith(folder.toString()));
        }
    }

    /** Returns what an open file is; empty if it was closed meanwhile. */
    private static String target(Path open) {
        try {
            return Files.readSymbolicLink(open).toString();
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void archiveThatLeavesEnoughSpaceIsWritten() throws IOException {
        writeArchive(1);
        assertThat(folder.resolve("farm.zip")).isRegularFile();
    }
}
