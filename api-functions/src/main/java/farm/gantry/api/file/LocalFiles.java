package farm.gantry.api.file;

import farm.gantry.Id;
import farm.gantry.Sha256;
import farm.gantry.api.error.DiskFullException;
import farm.gantry.file.FileUri;
import farm.gantry.ingest.reading.FileTree;
import io.micronaut.context.annotation.Requires;
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
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Stores files in a local folder at {@code area/store/id/content/name}, with their hashes at {@code …/sha256/name}. A
 * file is written to a temporary file, synced and then renamed, so that no partial file is visible.
 */
@Singleton
@Requires(missingProperty = "gantry.aws.bucket")
public final class LocalFiles implements FileStorage {
    private static final int BUFFER = 1 << 16;
    /** Bytes written between two checks of the free disk space. */
    private static final int DISK_CHECK_BYTES = 1 << 20;

    private final Path folder;
    private final long reserve;

    LocalFiles(@Value("${gantry.files.folder}") String folder, @Value("${gantry.files.min-free-bytes}") long reserve) {
        this.folder = Path.of(folder);
        this.reserve = reserve;
    }

    /** Throws if the free space has fallen to the reserve for PostgreSQL; nothing is stored then. */
    @Override
    public boolean isFull() {
        return Files.exists(folder) && folder.toFile().getUsableSpace() <= reserve;
    }

    private void requireSpace() throws DiskFullException {
        if (isFull()) {
            throw new DiskFullException();
        }
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

    /**
     * Stores the stream's bytes; throws and stores nothing if there are more than {@code maxBytes} or the disk is full.
     */
    @Override
    public StoredFile write(FileUri uri, InputStream bytes, long maxBytes) throws IOException {
        Path draft = draft();
        requireSpace();
        try {
            MessageDigest digest = Sha256.digest();
            long size = 0;
            try (FileChannel out = FileChannel.open(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                byte[] buffer = new byte[BUFFER];
                for (int read = bytes.read(buffer); read >= 0; read = bytes.read(buffer)) {
                    if (size / DISK_CHECK_BYTES != (size + read) / DISK_CHECK_BYTES) {
                        requireSpace();
                    }
                    size += read;
                    if (size > maxBytes) {
                        throw new FileTooLargeException(maxBytes);
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

    /** Writes the hash first; content without a hash does not exist. */
    private StoredFile commit(FileUri uri, Path draft, String sha256, long size) throws IOException {
        Files.createDirectories(hash(uri).getParent());
        Files.createDirectories(content(uri).getParent());
        Path hashDraft = draft();
        try {
            Files.writeString(hashDraft, sha256, StandardOpenOption.CREATE_NEW, StandardOpenOption.SYNC);
            Files.move(hashDraft, hash(uri), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(hashDraft);
        }
        Files.move(draft, content(uri), StandardCopyOption.ATOMIC_MOVE);
        return new StoredFile(uri, sha256, size);
    }

    private Path draft() throws IOException {
        Path drafts = folder.resolve("drafts");
        Files.createDirectories(drafts);
        return drafts.resolve(Id.next());
    }

    @Override
    public Optional<StoredFile> find(FileUri uri) {
        try {
            return Optional.of(new StoredFile(uri, Files.readString(hash(uri)), Files.size(content(uri))));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean exists(FileUri uri) {
        return find(uri).isPresent();
    }

    /** Copies by a hard link. */
    @Override
    public Optional<StoredFile> copy(FileUri from, FileUri to) {
        return find(from).map(file -> link(file, to));
    }

    private StoredFile link(StoredFile from, FileUri to) {
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

    @Override
    public InputStream open(FileUri uri) throws IOException {
        return Files.newInputStream(content(uri));
    }

    @Override
    public List<FileUri> list(String storeId) {
        return Stream.of(FileUri.Area.values())
                .flatMap(area -> {
                    Path parent = folder.resolve(area.name()).resolve(storeId);
                    return names(parent).stream().flatMap(id -> list(area, storeId, id, parent.resolve(id)));
                })
                .toList();
    }

    private Stream<FileUri> list(FileUri.Area area, String storeId, String id, Path home) {
        Path content = home.resolve("content");
        if (!Files.isDirectory(content)) {
            return Stream.empty();
        }
        try (Stream<Path> found = Files.walk(content)) {
            return found
                    .filter(Files::isRegularFile)
                    .map(file -> new FileUri(
                            area, storeId, id, content.relativize(file).toString()))
                    .filter(this::exists)
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void fetch(FileUri uri, Path to) throws IOException {
        Files.copy(content(uri), to, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public List<String> listOwners(String storeId) {
        return names(keptFolder().resolve(storeId));
    }

    @Override
    public List<String> listEntries(String storeId, String id, String prefix) {
        Path home = keptFolder().resolve(storeId).resolve(id);
        return Stream.of("content", "sha256")
                .flatMap(kind -> names(home.resolve(kind).resolve(prefix)).stream())
                .distinct()
                .toList();
    }

    @Override
    public List<String> listEntriesUnchangedSince(String storeId, String id, String prefix, Instant time) {
        Path home = keptFolder().resolve(storeId).resolve(id);
        return listEntries(storeId, id, prefix).stream()
                .filter(name -> Stream.of("content", "sha256")
                        .allMatch(kind ->
                                isOlder(home.resolve(kind).resolve(prefix).resolve(name), time)))
                .toList();
    }

    /** Whether nothing at or below the path was modified at or after the time. */
    private static boolean isOlder(Path path, Instant time) {
        try (Stream<Path> newer = Files.find(
                path,
                Integer.MAX_VALUE,
                (_, found) -> !found.lastModifiedTime().toInstant().isBefore(time))) {
            return newer.findAny().isEmpty();
        } catch (NoSuchFileException e) {
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void deleteUpload(FileUri upload) {
        try {
            FileTree.delete(homeFolder(upload));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void delete(String storeId, String id, String name) {
        Path home = keptFolder().resolve(storeId).resolve(id);
        try {
            FileTree.delete(home.resolve("content").resolve(name));
            FileTree.delete(home.resolve("sha256").resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Moves the folder away before deleting it, so that a file written concurrently is complete or absent. */
    @Override
    public void deleteAll(String storeId, String id) {
        try {
            Path away = draft();
            Files.move(keptFolder().resolve(storeId).resolve(id), away, StandardCopyOption.ATOMIC_MOVE);
            FileTree.delete(away);
        } catch (NoSuchFileException _) {
            // The owner has no files.
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

    /** Deletes staged uploads and abandoned drafts older than the time. */
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
        try (Stream<Path> entries =
                Files.find(parent, depth, (path, attributes) -> isOld(parent, path, attributes, depth, time))) {
            for (Path entry : entries.toList()) {
                FileTree.delete(entry);
            }
        }
    }

    private static boolean isOld(Path parent, Path path, BasicFileAttributes attributes, int depth, Instant time) {
        return parent.relativize(path).getNameCount() == depth
                && !path.equals(parent)
                && attributes.lastModifiedTime().toInstant().isBefore(time);
    }
}
