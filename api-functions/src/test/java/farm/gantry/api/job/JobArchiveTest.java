package farm.gantry.api.job;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.StoreId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JobArchiveTest {
    private static final StoreId STORE = new StoreId("abcdefghijklmnopqrstuvwx");

    @TempDir
    Path folder;

    @Test
    void partOfALineThatACrashLeftIsReplaced() throws IOException {
        JobArchive archive = new JobArchive(folder);
        archive.append(STORE, "2026-11", List.of("{\"a\":1}", "{\"b\":2}"));
        Path file = folder.resolve(STORE.value()).resolve("2026-11.jsonl");
        Files.writeString(file, "{\"c\":", StandardOpenOption.APPEND);
        archive.append(STORE, "2026-11", List.of("{\"d\":4}"));
        assertThat(file).hasContent("{\"a\":1}\n{\"b\":2}\n{\"d\":4}\n");
    }
}
