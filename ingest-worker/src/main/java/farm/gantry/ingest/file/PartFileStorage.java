package farm.gantry.ingest.file;

import farm.gantry.file.FileUri;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Storage of part files for the worker: a folder, or a bucket. */
public interface PartFileStorage {

    /**
     * Fetches a file, and replaces {@code to}. A {@link NoSuchFileException} means that the file does not exist; any
     * other error may be temporary and is retried.
     */
    void fetch(FileUri uri, Path to) throws IOException;

    /** Fetches the file. Returns false if it does not exist. */
    default boolean fetchIfExists(FileUri uri, Path to) throws IOException {
        try {
            fetch(uri, to);
            return true;
        } catch (NoSuchFileException notYet) {
            return false;
        }
    }

    /** Stores the file, and replaces an existing one. */
    void put(FileUri uri, Path from) throws IOException;
}
