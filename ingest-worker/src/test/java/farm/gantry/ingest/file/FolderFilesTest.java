package farm.gantry.ingest.file;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

final class FolderFilesTest implements PartFileStorageContract {
    @TempDir
    Path root;

    @Override
    public PartFileStorage files() {
        return new FolderFiles(root);
    }
}
