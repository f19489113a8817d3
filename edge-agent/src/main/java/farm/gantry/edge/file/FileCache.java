package farm.gantry.edge.file;

import farm.gantry.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Caches print files by their SHA-256, so that a hundred prints of a file download it once. The size is limited, also
 * by the free disk space; least recently used files are evicted first, never one in use.
 */
public final class FileCache {
    private static final long MAX_EXTRACTED_BYTES = 4L << 30;
    /**
     * Free bytes of the disk that are reserved for the journal, without which no printer is served, and for the log.
     */
    static final long RESERVED_BYTES = 64L << 20;

    private final Path folder;
    private final long maxBytes;
    private final LongSupplier freeBytes;
    private final FileDownload download;
    private final InstantSource clock;
    private final ConcurrentMap<Path, Integer> inUse = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Lock> fetching = new ConcurrentHashMap<>();

    public FileCache(Path folder, long maxBytes, FileDownload download, InstantSource clock) throws IOException {
        this(folder, maxBytes, () -> freeBytes(folder), download, clock);
    }

    FileCache(Path folder, long maxBytes, LongSupplier freeBytes, FileDownload download, InstantSource clock)
            throws IOException {
        this.folder = Files.createDirectories(folder);
        this.maxBytes = maxBytes;
        this.freeBytes = freeBytes;
        this.download = download;
        this.clock = clock;
    }

    /** The use of a cached file, which is not evicted until the lease is closed. */
    public interface Lease extends AutoCloseable {
        Path path();

        /** Returns the SHA-256 of the file's content. */
        String sha256() throws IOException, InterruptedException;

        @Override
        void close();
    }

    /** Returns the file with this SHA-256. Downloads and verifies it if it is not cached. */
    public Lease fetch(URI url, long size, String sha256) throws IOException, InterruptedException {
        if (!sha256.matches("[0-9a-f]{64}")) {
            throw new PrintFileException("not a SHA-256: " + sha256);
        }
        return fetchOrFill(sha256, sha256, path -> {
            if (!Files.exists(path) || Files.size(path) != size) {
                makeRoom(size - size(path.resolveSibling(path.getFileName() + ".part")));
                download.download(path, url, size, sha256);
            }
        });
    }

    /** Returns one entry of a cached archive as a file of its own. */
    public Lease extract(Lease archive, String entry) throws IOException, InterruptedException {
        String key = archive.path().getFileName() + "." + Sha256.of(entry.getBytes(StandardCharsets.UTF_8));
        return fetchOrFill(key, null, path -> FileTaskPool.run(() -> unpack(archive.path(), entry, path)));
    }

    private interface FileFiller {
        /** Writes the content of a file that is not cached yet. */
        void fill(Path path) throws IOException, InterruptedException;
    }

    /**
     * Returns the cached file. If it is missing, one thread fills it and all others wait. {@code sha256} is the hash of
     * its content, null if unknown.
     */
    private Lease fetchOrFill(String name, @Nullable String sha256, FileFiller filling)
            throws IOException, InterruptedException {
        Path path = folder.resolve(name);
        Lock lock = fetching.computeIfAbsent(name, _ -> new ReentrantLock());
        lock.lockInterruptibly();
        try {
            Lease lease = lease(path, sha256);
            try {
                filling.fill(path);
                touch(path);
            } catch (IOException | InterruptedException e) {
                lease.close();
                throw e;
            }
            return lease;
        } finally {
            lock.unlock();
        }
    }

    private Path unpack(Path archive, String name, Path to) throws IOException {
        Path part = to.resolveSibling(to.getFileName() + ".part");
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            ZipEntry entry = zip.getEntry(name);
            if (entry == null) {
                throw new PrintFileException("the archive has no entry " + name);
            }
            if (Files.exists(to) && Files.size(to) == entry.getSize()) {
                return to;
            }
            makeRoom(Math.max(0, entry.getSize()));
            try (InputStream in = zip.getInputStream(entry);
                    OutputStream out = Files.newOutputStream(part)) {
                copy(in, out);
            }
            FileDownload.moveIntoPlace(part, to);
            return to;
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static void copy(InputStream in, OutputStream out) throws IOException {
        byte[] buffer = new byte[1 << 16];
        long copied = 0;
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            copied += read;
            if (copied > MAX_EXTRACTED_BYTES) {
                throw new PrintFileException("the archive's entry is larger than " + MAX_EXTRACTED_BYTES + " bytes");
            }
            out.write(buffer, 0, read);
        }
    }

    private Lease lease(Path path, @Nullable String known) {
        inUse.merge(path, 1, Integer::sum);
        return new Lease() {
            @Override
            public Path path() {
                return path;
            }

            @Override
            public String sha256() throws IOException, InterruptedException {
                return known == null ? FileDownload.sha256(path) : known;
            }

            @Override
            public void close() {
                inUse.computeIfPresent(path, (_, users) -> users == 1 ? null : users - 1);
            }
        };
    }

    /** Evicts files until {@code wanted} more bytes fit in the cache and on the disk. */
    private synchronized void makeRoom(long wanted) throws IOException {
        List<Path> oldestFirst;
        try (Stream<Path> all = Files.list(folder)) {
            oldestFirst = all.sorted(Comparator.comparing(FileCache::lastUsed)).toList();
        }
        long held = 0;
        for (Path path : oldestFirst) {
            held += size(path);
        }
        for (Path path : oldestFirst) {
            if (held + wanted <= maxBytes && fitsOnDisk(wanted)) {
                return;
            }
            if (!inUse.containsKey(finalFile(path))) {
                held -= size(path);
                Files.deleteIfExists(path);
            }
        }
        if (!fitsOnDisk(wanted)) {
            throw new IOException("the agent's disk has no space for a file of " + (wanted >> 20) + " MB");
        }
    }

    private boolean fitsOnDisk(long wanted) {
        return freeBytes.getAsLong() - wanted >= RESERVED_BYTES;
    }

    /** Returns the number of free bytes on the disk, or a very large number if it is unknown. */
    private static long freeBytes(Path folder) {
        try {
            return Files.getFileStore(folder).getUsableSpace();
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }

    /** Returns the size in bytes, 0 for a file that was renamed or deleted meanwhile. */
    private static long size(Path path) {
        try {
            return Files.size(path);
        } catch (IOException e) {
            return 0;
        }
    }

    /**
     * Returns the path that a partial download will have in the end. A partial download counts as in use if that path
     * is.
     */
    private static Path finalFile(Path path) {
        return path.resolveSibling(path.getFileName().toString().replaceFirst("\\.part$", ""));
    }

    private static FileTime lastUsed(Path path) {
        try {
            return Files.getLastModifiedTime(path);
        } catch (IOException e) {
            return FileTime.from(Instant.EPOCH);
        }
    }

    private void touch(Path path) throws IOException {
        Files.setLastModifiedTime(path, FileTime.from(clock.instant()));
    }
}
