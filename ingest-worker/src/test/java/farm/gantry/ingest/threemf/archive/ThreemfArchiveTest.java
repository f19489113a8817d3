package farm.gantry.ingest.threemf.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.sample.ThreemfFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThreemfArchiveTest {
    private static final ThreemfArchive.Limits SMALL = new ThreemfArchive.Limits(5, 4 << 20, 6 << 20, 250);

    @TempDir
    Path folder;

    private static ThreemfFiles model() {
        return ThreemfFiles.model("<resources/><build/>");
    }

    /** Writes the archive and replaces each occurrence of a name with another of the same length. */
    private Path patched(ThreemfFiles files, String from, String to) throws IOException {
        Path file = files.write(folder);
        String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
        return Files.writeString(file, bytes.replace(from, to), StandardCharsets.ISO_8859_1);
    }

    private void assertRefused(Path file, String words) {
        assertThatThrownBy(() -> {
                    try (ThreemfArchive archive = ThreemfArchive.open(file, SMALL)) {
                        for (String name : archive.names()) {
                            archive.read(name, 4 << 20);
                        }
                    }
                })
                .isInstanceOf(BadFileException.class)
                .hasMessageContaining(words);
    }

    @Test
    void entriesOfAnArchiveAreRead() throws IOException {
        try (ThreemfArchive archive =
                ThreemfArchive.open(model().with("a/b.txt", "hello").write(folder))) {
            assertThat(archive.names()).containsExactly("_rels/.rels", "3D/3dmodel.model", "a/b.txt");
            assertThat(archive.read("a/b.txt", 5)).asString().isEqualTo("hello");
            assertThatThrownBy(() -> archive.read("a/b.txt", 4)).hasMessageContaining("too large");
        }
    }

    @Test
    void duplicateEntryNameIsRejected() throws IOException {
        assertRefused(patched(model().with("3D/3dmodel.other", "x"), "3dmodel.other", "3dmodel.model"), "two entries");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../out.txt", "a/../../out.txt", "/abs.txt", "..\\win.txt", "C:win.txt"})
    void entryNameOutsideTheArchiveIsRejected(String name) throws IOException {
        assertRefused(model().with(name, "x").write(folder), "leads out of it");
    }

    @Test
    void unknownCompressionMethodIsRejected() throws IOException {
        assertRefused(withDirectoryByte(10, 99), "compression method");
    }

    @Test
    void entryWithAWrongChecksumIsRejected() throws IOException {
        assertRefused(withDirectoryByte(16, 1), "checksum differs");
    }

    /** Writes an archive with a changed byte in each record of its central directory. */
    private Path withDirectoryByte(int offset, int value) throws IOException {
        Path file = model().write(folder);
        byte[] bytes = Files.readAllBytes(file);
        for (int at = 0; at < bytes.length - 12; at++) {
            if (bytes[at] == 'P' && bytes[at + 1] == 'K' && bytes[at + 2] == 1 && bytes[at + 3] == 2) {
                bytes[at + offset] = (byte) value;
            }
        }
        return Files.write(file, bytes);
    }

    @Test
    void zipBombIsRejected() throws IOException {
        assertRefused(model().with("bomb", new byte[3 << 20]).write(folder), "inflates to more");
    }

    @Test
    void entriesThatInflateToTooMuchInTotalAreRejected() throws IOException {
        byte[] noise = new byte[3 << 20];
        new Random(7).nextBytes(noise);
        assertRefused(model().with("a", noise).with("b", noise).with("c", noise).write(folder), "inflates to more");
    }

    @Test
    void archiveWithTooManyEntriesIsRejected() throws IOException {
        ThreemfFiles many = model();
        for (int index = 0; index < 5; index++) {
            many.with("entry" + index, "");
        }
        assertRefused(many.write(folder), "more than 5 entries");
    }

    @Test
    void truncatedArchiveIsRejected() throws IOException {
        Path file = model().write(folder);
        byte[] bytes = Files.readAllBytes(file);
        assertRefused(Files.write(file, Arrays.copyOf(bytes, bytes.length / 2)), "broken");
    }

    @Test
    void corruptEntryIsNamedInTheError() throws IOException {
        Path file = model().with("noise", "abcdefgh".repeat(100)).write(folder);
        byte[] bytes = Files.readAllBytes(file);
        int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("noise") + "noise".length();
        Arrays.fill(bytes, at, at + 8, (byte) 0xFF);
        assertRefused(Files.write(file, bytes), "noise is broken");
    }
}
