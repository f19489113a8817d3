package farm.gantry.api.file;

import farm.gantry.file.FileUri;
import farm.gantry.ingest.file.PartFileStorage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** File storage of the API: a folder or a bucket. */
public interface FileStorage extends PartFileStorage {

    /** Whether storage is full. */
    boolean isFull();

    /** Stores the stream's bytes; throws and stores nothing if there are more than {@code maxBytes}. */
    StoredFile write(FileUri uri, InputStream bytes, long maxBytes) throws IOException;

    @Override
    default void put(FileUri uri, Path from) throws IOException {
        try (InputStream bytes = Files.newInputStream(from)) {
            write(uri, bytes, Long.MAX_VALUE);
        }
    }

    Optional<StoredFile> find(FileUri uri);

    /** Opens an existing file. */
    InputStream open(FileUri uri) throws IOException;

    /** Returns all files of a store, uploads included. */
    List<FileUri> list(String storeId);

    /** Whether the file exists; does not read it. */
    boolean exists(FileUri uri);

    /**
     * Copies a file and returns the copy with its hash; the copies are deleted independently. Empty if the file does
     * not exist.
     */
    Optional<StoredFile> copy(FileUri from, FileUri to);

    /** Returns the ids of the owners of a store's files. */
    List<String> listOwners(String storeId);

    /** Returns the names directly below a prefix of an owner's files; the prefix is empty or ends with a slash. */
    List<String> listEntries(String storeId, String id, String prefix);

    /**
     * Returns the names directly below a prefix under which nothing was written since the time; the prefix ends with a
     * slash.
     */
    List<String> listEntriesUnchangedSince(String storeId, String id, String prefix, Instant time);

    /** Deletes a staged upload before it expires. */
    void deleteUpload(FileUri upload);

    /** Deletes the owner's file or folder of that name. */
    void delete(String storeId, String id, String name);

    void deleteAll(String storeId, String id);
}
