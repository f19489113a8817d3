package farm.gantry.ingest.file;

import farm.gantry.file.FileUri;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** File storage in a folder, as in a farm on one machine. */
public record FolderFiles(Path root) implements PartFileStorage {
    public Path path(FileUri uri) {
        return root.resolve(uri.path());
    }

    @Override
    public void fetch(FileUri uri, Path to) throws IOException {
        Files.copy(path(uri), to, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void put(FileUri uri, Path from) throws IOException {
        Files.createDirectories(path(uri).getParent());
        Files.copy(from, path(uri), StandardCopyOption.REPLACE_EXISTING);
    }
}
