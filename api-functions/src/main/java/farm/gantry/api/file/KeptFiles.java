package farm.gantry.api.file;

import farm.gantry.file.FileUri;
import farm.gantry.ingest.file.WorkFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Storage of the API's files: a folder, or a bucket. */
public interface KeptFiles extends WorkFiles {

    /** Whether there is no room to store anything. */
    boolean isFull();

    /** Stores the stream's bytes; nothing is stored if there are more than {@code most}. */
    StoredFile write(FileUri uri, InputStream bytes, long most) throws IOException;

    @Override
    default void put(FileUri uri, Path from) throws IOException {
        try (InputStream bytes = Files.newInputStream(from)) {
            write(uri, bytes, Long.MAX_VALUE);
        }
    }

    Optional<StoredFile> find(FileUri uri);

    /** Whether there is such a file, which is not read. */
    boolean exists(FileUri uri);

    /** Copies a file to a second URI, and takes its hash; each is deleted on its own. Empty if there is no such file. */
    Optional<StoredFile> copy(FileUri from, FileUri to);

    /** The ids of the owners of a store's files. */
    List<String> owners(String storeId);

    /** The names directly below a prefix of an owner's files; the prefix is empty or ends with a slash. */
    List<String> entries(String storeId, String id, String prefix);

    /** Those of the names directly below a prefix, which ends with a slash, under which nothing was written since then. */
    List<String> entriesBefore(String storeId, String id, String prefix, Instant time);

    /** Deletes the owner's file or folder of that name. */
    void delete(String storeId, String id, String name);

    /** Deletes all files of an owner. */
    void deleteAll(String storeId, String id);
}
