package farm.gantry.ingest.file;

import farm.gantry.file.FileUri;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Where kept files are, as far as the worker needs to know: a folder, or a bucket. */
public interface WorkFiles {

    /**
     * Replaces what is there. A {@link NoSuchFileException} says that no such file is kept; any other
     * fault may pass, so that it is tried again.
     */
    void fetch(FileUri uri, Path to) throws IOException;

    /** The same where the file may not have been made yet; tells whether it was there. */
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
