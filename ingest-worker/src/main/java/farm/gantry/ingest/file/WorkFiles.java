package farm.gantry.ingest.file;

import farm.gantry.file.FileUri;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Storage of part files for the worker: a folder, or a bucket. */
public interface WorkFiles {

    /**
     * Replaces what is there. A {@link NoSuchFileException} says that no such file is kept; any other
     * fault may pass, so that it is tried again.
     */
    void fetch(FileUri uri, Path to) throws IOException;

    /** Fetches the file if it exists; false if it does not. */
    default boolean fetchIfKept(FileUri uri, Path to) throws IOException {
        try {
            fetch(uri, to);
            return true;
        } catch (NoSuchFileException notYet) {
            return false;
        }
    }

    /** Replaces what was kept there. */
    void put(FileUri uri, Path from) throws IOException;
}
