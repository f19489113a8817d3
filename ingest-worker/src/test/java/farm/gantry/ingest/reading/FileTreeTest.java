package farm.gantry.ingest.reading;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTreeTest {
    @TempDir
    Path folder;

    @Test
    void folderIsDeletedWhileFilesAreWrittenToIt() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 50; round++) {
                Path root = folder.resolve("tree");
                Files.createDirectories(root.resolve("content"));
                CountDownLatch isWriting = new CountDownLatch(1);
                Future<?> writer = threads.submit(() -> write(root.resolve("content"), isWriting));
                isWriting.await();
                FileTree.delete(root);
                assertThat(root).doesNotExist();
                writer.get();
            }
        }
    }

    /** Writes files until the folder is deleted, but fewer than the deletion makes attempts. */
    private static Object write(Path content, CountDownLatch isWriting) throws IOException {
        for (int i = 0; i < FileTree.MAX_ATTEMPTS; i++) {
            try {
                Files.createFile(content.resolve(i + ".gcode"));
            } catch (NoSuchFileException deleted) {
                break;
            } finally {
                isWriting.countDown();
            }
        }
        return content;
    }
}
