package farm.gantry.api.main;

import farm.gantry.CrashPoint;
import farm.gantry.Sha256;
import farm.gantry.api.main.process.DataFolderLock;
import farm.gantry.api.main.process.SecretFile;
import farm.gantry.ingest.reading.FileHash;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * A backup, or a store that moves, as a zip archive whose last entry, {@code SHA256SUMS}, lists the SHA-256 of every other entry. It is written
 * to a temporary file that is renamed when complete. Only its owner can read it.
 */
public final class BackupArchive implements AutoCloseable {
    private static final String CHECKSUM_LIST = "SHA256SUMS";
    /** Signature of the last record of a zip archive, and the length of that record without a comment. */
    private static final byte[] END_RECORD = {'P', 'K', 5, 6};

    private static final int END_BYTES = 22;

    private final Path place;
    private final Path draft;
    private final ZipOutputStream zip;
    private final Map<String, String> sums = new LinkedHashMap<>();

    /**
     * Creates the temporary file. Adding entries fails when less than {@code minFreeBytes} would be left on its disk.
     */
    public BackupArchive(Path place, long minFreeBytes) throws IOException {
        this.place = place;
        this.draft = place.resolveSibling(place.getFileName() + ".partial");
        Files.deleteIfExists(draft);
        Files.createFile(draft, SecretFile.OWNER_ONLY);
        this.zip = new ZipOutputStream(new BufferedOutputStream(
                new MinFreeSpaceOutputStream(Files.newOutputStream(draft), draft, minFreeBytes), 1 << 16));
        zip.setLevel(Deflater.BEST_SPEED);
    }

    /** Adds an empty folder. */
    void addFolder(String name) throws IOException {
        zip.putNextEntry(new ZipEntry(name + "/"));
        zip.closeEntry();
        sums.put(name + "/", "");
    }

    public void add(String name, String text) throws IOException {
        add(name, new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Adds an entry with the stream's bytes and returns their SHA-256 in hex. */
    public String add(String name, InputStream bytes) throws IOException {
        DigestInputStream digested = new DigestInputStream(bytes, Sha256.digest());
        zip.putNextEntry(new ZipEntry(name));
        digested.transferTo(zip);
        zip.closeEntry();
        String sum = HexFormat.of().formatHex(digested.getMessageDigest().digest());
        sums.put(name, sum);
        CrashPoint.reached("archiving");
        return sum;
    }

    /**
     * Writes the list of checksums and renames the archive to its final name. An archive that is closed without this
     * call is deleted.
     */
    public void finish() throws IOException {
        StringBuilder lines = new StringBuilder();
        sums.forEach((name, sum) -> lines.append(sum).append("  ").append(name).append('\n'));
        zip.putNextEntry(new ZipEntry(CHECKSUM_LIST));
        zip.write(lines.toString().getBytes(StandardCharsets.UTF_8));
        zip.close();
        syncToDisk(draft);
        CrashPoint.reached("archived");
        Files.move(draft, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        syncToDisk(Objects.requireNonNull(place.toAbsolutePath().getParent()));
    }

    @Override
    public void close() throws IOException {
        try (zip) {
            Files.deleteIfExists(draft);
        }
    }

    /**
     * Throws if bytes follow the end of the archive. A zip is read from its end, so appended bytes could replace its
     * content. Archives written here have no comment, so their last record ends the file.
     */
    public static void verifyEnd(Path archive) throws IOException {
        try (FileChannel channel = FileChannel.open(archive, StandardOpenOption.READ)) {
            ByteBuffer end = ByteBuffer.allocate(END_RECORD.length);
            if (channel.size() >= END_BYTES) {
                channel.read(end, channel.size() - END_BYTES);
            }
            if (!Arrays.equals(end.array(), END_RECORD)) {
                throw new IOException(archive + " is not a complete backup: bytes follow its end");
            }
        }
    }

    /** Throws unless every listed entry exists with its checksum and no other entry exists. */
    public static void verifyChecksums(ZipFile archive) throws IOException {
        ZipEntry list = archive.getEntry(CHECKSUM_LIST);
        if (list == null) {
            throw new IOException("is not a complete backup: it has no list of checksums");
        }
        Map<String, String> sums = new LinkedHashMap<>();
        try (InputStream lines = archive.getInputStream(list)) {
            new String(lines.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(line -> {
                String[] words = line.split(" {2}", 2);
                sums.put(words[1], words[0]);
            });
        }
        for (ZipEntry entry : Collections.list(archive.entries())) {
            String name = entry.getName();
            if (!name.equals(CHECKSUM_LIST) && !sha256Of(archive, entry).equals(sums.remove(name))) {
                throw new IOException("is damaged at " + name);
            }
        }
        if (!sums.isEmpty()) {
            throw new IOException("lacks " + String.join(", ", sums.keySet()));
        }
    }

    private static String sha256Of(ZipFile archive, ZipEntry entry) throws IOException {
        if (entry.isDirectory()) {
            return "";
        }
        try (InputStream bytes = archive.getInputStream(entry)) {
            return FileHash.of(bytes);
        }
    }

    /** Extracts a verified archive into a folder that only its owner can read. */
    static void unpack(ZipFile archive, Path folder) throws IOException {
        for (ZipEntry entry : Collections.list(archive.entries())) {
            Path file = folder.resolve(entry.getName()).normalize();
            if (!file.startsWith(folder)) {
                throw new IOException("contains a path outside of the data folder: " + entry.getName());
            } else if (entry.isDirectory()) {
                Files.createDirectories(file, DataFolderLock.OWNER_ONLY);
            } else if (!entry.getName().equals(CHECKSUM_LIST)) {
                Files.createDirectories(file.getParent(), DataFolderLock.OWNER_ONLY);
                Files.createFile(file, SecretFile.OWNER_ONLY);
                try (InputStream bytes = archive.getInputStream(entry);
                        OutputStream out = Files.newOutputStream(file)) {
                    bytes.transferTo(out);
                }
                syncToDisk(file);
                CrashPoint.reached("unpacking");
            }
        }
    }

    /** Syncs a file, or the names in a folder, to disk. */
    static void syncToDisk(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
