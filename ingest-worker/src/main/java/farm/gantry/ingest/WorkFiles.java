package farm.gantry.ingest;

import farm.gantry.file.FileUri;
import java.io.IOException;
import java.nio.file.Path;

/** Where kept files are, as far as the worker needs to know: a folder, or a bucket. */
public interface WorkFiles {

    /**
     * Replaces what is there. A {@link java.nio.file.NoSuchFileException} says that no such file is kept; any other
     * fault may pass, so that it is tried again.
     */
    void fetch(FileUri uri, Path to) throws IOException;

    /** Replaces what was kept there. */
    void put(FileUri uri, Path from) throws IOException;
}
