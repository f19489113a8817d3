package farm.gantry.ingest.file;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

final class FolderFilesTest implements WorkFilesContract {
    @TempDir
    Path root;

    @Override
    public WorkFiles files() {
        return new FolderFiles(root);
    }
}
