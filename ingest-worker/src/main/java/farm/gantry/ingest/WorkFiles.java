package farm.gantry.ingest;

import farm.gantry.file.FileUri;
import java.io.IOException;
import java.nio.file.Path;

/** Where kept files are, as far as the worker needs to know: a folder, or a bucket. */
public interface WorkFiles {

    /** A {@link java.nio.file.NoSuchFileException} says that there is no such file; any other fault may pass. */
    void fetch(FileUri uri, Path to) throws IOException;

    /** Replaces what was kept there. */
    void put(FileUri uri, Path from) throws IOException;
}
