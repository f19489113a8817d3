package farm.gantry.ingest.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.Id;
import farm.gantry.file.FileUri;
import farm.gantry.ingest.worker.IngestedPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that every implementation of the worker's file storage must pass. */
public interface PartFileStorageContract {
    PartFileStorage files();

    private static FileUri uri(String name) {
        return FileUri.file(IngestedPart.STORE, Id.next(), name);
    }

    private static Path file(Path folder, byte[] content) throws IOException {
        return Files.write(folder.resolve(Id.next()), content);
    }

    @Test
    default void fetchedFileEqualsTheStoredFile(@TempDir Path folder) throws IOException {
        byte[] large = new byte[3 << 20];
        new Random(1).nextBytes(large);
        FileUri uri = uri("part.3mf");
        files().put(uri, file(folder, large));
        files().fetch(uri, folder.resolve("fetched"));
        assertThat(folder.resolve("fetched")).hasBinaryContent(large);
    }

    @Test
    default void emptyFileIsStoredAndFetched(@TempDir Path folder) throws IOException {
        FileUri uri = uri("empty.stl");
        files().put(uri, file(folder, new byte[0]));
        files().fetch(uri, folder.resolve("fetched"));
        assertThat(folder.resolve("fetched")).isEmptyFile();
    }

    @Test
    default void putReplacesAStoredFile(@TempDir Path folder) throws IOException {
        FileUri uri = uri("plate_1.gcode");
        files().put(uri, file(folder, new byte[] {1, 2, 3}));
        files().put(uri, file(folder, new byte[] {4}));
        files().fetch(uri, folder.resolve("fetched"));
        assertThat(folder.resolve("fetched")).hasBinaryContent(new byte[] {4});
    }

    @Test
    default void fetchOverwritesTheTarget(@TempDir Path folder) throws IOException {
        FileUri uri = uri("part.stl");
        files().put(uri, file(folder, new byte[] {1}));
        Path to = file(folder, new byte[] {7, 7, 7});
        files().fetch(uri, to);
        assertThat(to).hasBinaryContent(new byte[] {1});
    }

    @Test
    default void nameMayContainSpacesUmlautsAndReservedCharacters(@TempDir Path folder) throws IOException {
        FileUri uri = uri("made/½ Größe + 100% #2 (copy)/plate 1?&=.gcode");
        files().put(uri, file(folder, new byte[] {1, 2}));
        files().fetch(uri, folder.resolve("fetched"));
        assertThat(folder.resolve("fetched")).hasBinaryContent(new byte[] {1, 2});
    }

    @Test
    default void fetchOfAMissingFileFails(@TempDir Path folder) throws IOException {
        FileUri uri = uri("part.stl");
        assertThatThrownBy(() -> files().fetch(uri, folder.resolve("fetched"))).isInstanceOf(NoSuchFileException.class);
        assertThat(files().fetchIfExists(uri, folder.resolve("fetched"))).isFalse();
        files().put(uri, file(folder, new byte[] {1}));
        assertThat(files().fetchIfExists(uri, folder.resolve("fetched"))).isTrue();
    }
}
