package farm.gantry.ingest.threemf.archive;

import farm.gantry.ingest.reading.BadFileException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * An untrusted ZIP archive: names that collide or leave the archive are refused, and every inflated
 * byte is counted, whatever the entries claim of their sizes. (The JDK refuses encrypted entries and unknown methods.)
 */
public final class ThreemfArchive implements Closeable {
    /** The entry in which Bambu Studio and its forks keep plates and objects; other files lack it. */
    public static final String BAMBU_SETTINGS = "Metadata/model_settings.config";

    /** The limits of an archive; {@code ratio} is inflated to packed bytes and counts beyond the first megabyte. */
    public record Limits(int entries, long entryBytes, long totalBytes, long ratio) {
        public static final Limits USUAL = new Limits(10_000, 2L << 30, 8L << 30, 250);
    }

    private static final long RATIO_FREE = 1 << 20;

    private final ZipFile zip;
    private final Map<String, ZipEntry> entries;
    private final Limits limits;
    private final AtomicLong inflated = new AtomicLong();

    private ThreemfArchive(ZipFile zip, Map<String, ZipEntry> entries, Limits limits) {
        this.zip = zip;
        this.entries = entries;
        this.limits = limits;
    }

    public static ThreemfArchive open(Path file) throws IOException {
        return open(file, Limits.USUAL);
    }

    @SuppressWarnings("MustBeClosedChecker")
    public static ThreemfArchive open(Path file, Limits limits) throws IOException {
        ZipDirectoryCheck.requireEntryLimit(file, limits.entries());
        ZipFile zip = opened(file);
        try {
            return new ThreemfArchive(zip, checked(zip, limits), limits);
        } catch (IOException refused) {
            zip.close();
            throw refused;
        }
    }

    private static ZipFile opened(Path file) throws IOException {
        try {
            return new ZipFile(file.toFile());
        } catch (ZipException | EOFException broken) {
            throw new BadFileException("The ZIP archive is broken: " + broken.getMessage(), broken);
        }
    }

    private static Map<String, ZipEntry> checked(ZipFile zip, Limits limits) throws IOException {
        if (zip.size() > limits.entries()) {
            throw new BadFileException("The archive holds more than " + limits.entries() + " entries");
        }
        Map<String, ZipEntry> entries = new LinkedHashMap<>();
        Set<String> seen = new HashSet<>();
        for (ZipEntry entry : zip.stream().toList()) {
            String name = entry.getName();
            if (!isInside(name)) {
                throw new BadFileException("The archive contains an entry whose path leads out of it: " + shown(name));
            }
            if (!seen.add(name.toLowerCase(Locale.ROOT))) {
                throw new BadFileException("The archive contains two entries named " + shown(name));
            }
            if (!entry.isDirectory()) {
                entries.put(name, entry);
            }
        }
        return entries;
    }

    private static boolean isInside(String name) {
        return !name.isEmpty()
                && !name.startsWith("/")
                && name.chars().noneMatch(letter -> letter == '\\' || letter == ':' || letter < ' ')
                && !("/" + name + "/").contains("/../");
    }

    private static String shown(String name) {
        return name.replaceAll("\\p{Cntrl}", "?").substring(0, Math.min(name.length(), 100));
    }

    public Set<String> names() {
        return entries.keySet();
    }

    public boolean has(String name) {
        return entries.containsKey(name);
    }

    ZipEntry entry(String name) throws BadFileException {
        ZipEntry entry = entries.get(name);
        if (entry == null) {
            throw new BadFileException("The archive has no " + shown(name));
        }
        return entry;
    }

    /** Reads a whole entry; throws if it is larger than {@code atMost} bytes. */
    public byte[] read(String name, int atMost) throws IOException {
        try (InputStream in = stream(name)) {
            byte[] bytes = in.readNBytes(atMost + 1);
            if (bytes.length > atMost) {
                throw new BadFileException(name + " is too large to be what it claims to be");
            }
            return bytes;
        }
    }

    /** Returns the inflated entry. Reading throws when it exceeds the limit of an entry. */
    public InputStream stream(String name) throws IOException {
        return stream(name, limits.entryBytes());
    }

    /** Returns the inflated entry; a large one is inflated by its own thread. */
    @SuppressWarnings("MustBeClosedChecker")
    public InputStream streamAhead(String name) throws IOException {
        InputStream in = stream(name);
        return entry(name).getSize() > ReadAheadStream.BLOCK ? new ReadAheadStream(in) : in;
    }

    /** Returns the inflated entry, limited to this many bytes. */
    public InputStream stream(String name, long atMost) throws IOException {
        ZipEntry entry = entry(name);
        long allowed = Math.min(atMost, Math.max(RATIO_FREE, limits.ratio() * Math.max(1, entry.getCompressedSize())));
        try {
            return new LimitedEntryStream(zip.getInputStream(entry), entry, allowed, limits.totalBytes(), inflated);
        } catch (ZipException broken) {
            throw new BadFileException("The archive's entry " + shown(name) + " is broken", broken);
        }
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }
}
