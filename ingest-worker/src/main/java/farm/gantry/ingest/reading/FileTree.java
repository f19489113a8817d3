package farm.gantry.ingest.reading;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Deletes folders with their contents. */
public final class FileTree {
    /** Maximum number of attempts. An attempt fails if a file is written while its folder is being emptied. */
    static final int MAX_ATTEMPTS = 100;

    private FileTree() {}

    /** Deletes a folder or a file, which need not exist, and the files that others write into it meanwhile. */
    public static void delete(Path root) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                deleteOnce(root);
                return;
            } catch (DirectoryNotEmptyException e) {
                if (attempt == MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static void deleteOnce(Path root) throws IOException {
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (NoSuchFileException _) {
            return;
        }
    }
}
