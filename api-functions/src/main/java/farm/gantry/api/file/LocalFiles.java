package farm.gantry.api.file;

import farm.gantry.Id;
import farm.gantry.file.FileUri;
import farm.gantry.ingest.file.WorkFiles;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Kept files in a local folder: {@code area/store/id/content/name}, and the hash of each at {@code …/sha256/name}. A file
 * is written beside its place, synced and moved there, so that none is ever half.
 */
@Singleton
public final class LocalFiles implements WorkFiles {
    private static final int BUFFER = 1 << 16;

    private final Path folder;

    LocalFiles(@Value("${gantry.files.folder}") String folder) {
        this.folder = Path.of(folder);
    }

    private Path homeFolder(FileUri uri) {
        return folder.resolve(uri.area().name()).resolve(uri.storeId()).resolve(uri.id());
    }

    private Path content(FileUri uri) {
        return homeFolder(uri).resolve("content").resolve(uri.name());
    }

    private Path hash(FileUri uri) {
        return homeFolder(uri).resolve("sha256").resolve(uri.name());
    }

    /** Stores the stream's bytes; nothing is stored if there are more than {@code most}. */
    public StoredFile write(FileUri uri, InputStream bytes, long most) throws IOException {
        Path draft = draft();
        try {
            MessageDigest digest = sha256();
            long size = 0;
            try (FileChannel out = FileChannel.open(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                byte[] buffer = new byte[BUFFER];
                for (int read = bytes.read(buffer); read >= 0; read = bytes.read(buffer)) {
                    size += read;
                    if (size > most) {
                        throw new FileTooLargeException(most);
                    }
                    digest.update(buffer, 0, read);
                    for (ByteBuffer part = ByteBuffer.wrap(buffer, 0, read); part.hasRemaining(); ) {
                        out.write(part);
                    }
                }
                out.force(true);
            }
            return commit(uri, draft, HexFormat.of().formatHex(digest.digest()), size);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    /** Writes the hash first: content without a hash does not count as existing. */
    private StoredFile commit(FileUri uri, Path draft, String sha256, long size) throws IOException {
        Files.createDirectories(hash(uri).getParent());
        Files.createDirectories(content(uri).getParent());
        Path hashDraft = draft();
        Files.writeString(hashDraft, sha256, StandardOpenOption.CREATE_NEW, StandardOpenOption.SYNC);
        Files.move(hashDraft, hash(uri), StandardCopyOption.ATOMIC_MOVE);
        Files.move(draft, content(uri), StandardCopyOption.ATOMIC_MOVE);
        return new StoredFile(uri, sha256, size);
    }

    private Path draft() throws IOException {
        Path drafts = folder.resolve("drafts");
        Files.createDirectories(drafts);
        return drafts.resolve(Id.next());
    }

    public Optional<StoredFile> find(FileUri uri) {
        try {
            return Optional.of(new StoredFile(uri, Files.readString(hash(uri)), Files.size(content(uri))));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Copies a file to a second URI by a hard link; each is deleted on its own. */
    public StoredFile copy(StoredFile from, FileUri to) {
        try {
            Path draft = draft();
            try {
                Files.createLink(draft, content(from.uri()));
                return commit(to, draft, from.sha256(), from.size());
            } finally {
                Files.deleteIfExists(draft);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public InputStream open(FileUri uri) throws IOException {
        return Files.newInputStream(content(uri));
    }

    @Override
    public void fetch(FileUri uri, Path to) throws IOException {
        Files.copy(content(uri), to, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void put(FileUri uri, Path from) throws IOException {
        try (InputStream bytes = Files.newInputStream(from)) {
            write(uri, bytes, Long.MAX_VALUE);
        }
    }

    /** The ids of the owners of a store's files. */
    List<String> owners(String storeId) {
        return names(keptFolder().resolve(storeId));
    }

    /** The names directly below a prefix of an owner's files; the prefix is empty or ends with a slash. */
    List<String> entries(String storeId, String id, String prefix) {
        Path home = keptFolder().resolve(storeId).resolve(id);
        return Stream.of("content", "sha256")
                .flatMap(kind -> names(home.resolve(kind).resolve(prefix)).stream())
                .distinct()
                .toList();
    }

    /** Deletes the owner's file or folder of that name. */
    void delete(String storeId, String id, String name) {
        Path home = keptFolder().resolve(storeId).resolve(id);
        try {
            delete(home.resolve("content").resolve(name));
            delete(home.resolve("sha256").resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes all files of an owner. */
    public void deleteAll(String storeId, String id) {
        try {
            delete(keptFolder().resolve(storeId).resolve(id));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path keptFolder() {
        return folder.resolve(FileUri.Area.files.name());
    }

    private static List<String> names(Path parent) {
        if (!Files.isDirectory(parent)) {
            return List.of();
        }
        try (Stream<Path> children = Files.list(parent)) {
            return children.map(child -> child.getFileName().toString()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes older staged uploads and abandoned drafts. */
    public void deleteStagedBefore(Instant time) {
        try {
            deleteOlder(folder.resolve(FileUri.Area.uploads.name()), 2, time);
            deleteOlder(folder.resolve("drafts"), 1, time);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void deleteOlder(Path parent, int depth, Instant time) throws IOException {
        if (!Files.isDirectory(parent)) {
            return;
        }
        try (Stream<Path> entries = Files.find(parent, depth, (path, kept) -> isOld(parent, path, kept, depth, time))) {
            for (Path entry : entries.toList()) {
                delete(entry);
            }
        }
    }

    private static boolean isOld(Path parent, Path path, BasicFileAttributes kept, int depth, Instant time) {
        return parent.relativize(path).getNameCount() == depth
                && !path.equals(parent)
                && kept.lastModifiedTime().toInstant().isBefore(time);
    }

    private static void delete(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(tree)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
