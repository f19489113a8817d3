package farm.gantry.ingest.threemf.archive;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.Month;
import java.util.Map;
import java.util.function.Predicate;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Copies an archive with some entries left out or replaced; the output is deterministic. */
public record ArchiveRewrite(ThreemfArchive archive) {
    /** The earliest time of a ZIP archive. */
    private static final LocalDateTime FIRST = LocalDateTime.of(1980, Month.JANUARY, 1, 0, 0);

    /** The new content of an entry. */
    @FunctionalInterface
    public interface EntryContent {
        void writeTo(OutputStream out) throws IOException;

        static EntryContent of(byte[] bytes) {
            return out -> out.write(bytes);
        }
    }

    public Path write(Path to, Predicate<String> isKept, Map<String, EntryContent> changed) throws IOException {
        try (var zip = new ZipOutputStream(Files.newOutputStream(to), StandardCharsets.UTF_8)) {
            for (String name : archive.names()) {
                EntryContent content = changed.get(name);
                if (content != null) {
                    zip.putNextEntry(entry(name));
                    content.writeTo(zip);
                    zip.closeEntry();
                } else if (isKept.test(name)) {
                    copy(zip, name);
                }
            }
        }
        return to;
    }

    /** Keeps the compression method: pictures gain nothing from compression. */
    private void copy(ZipOutputStream zip, String name) throws IOException {
        ZipEntry original = archive.entry(name);
        ZipEntry copy = entry(name);
        copy.setMethod(original.getMethod());
        if (original.getMethod() == ZipEntry.STORED) {
            copy.setSize(original.getSize());
            copy.setCrc(original.getCrc());
        }
        zip.putNextEntry(copy);
        try (InputStream in = archive.stream(name)) {
            in.transferTo(zip);
        }
    }

    /** With the time of the original, where it has one: programs that build reproducibly write none. */
    private ZipEntry entry(String name) throws IOException {
        var entry = new ZipEntry(name);
        entry.setTimeLocal(timeOf(archive.entry(name)));
        return entry;
    }

    private static LocalDateTime timeOf(ZipEntry original) {
        try {
            return original.getTimeLocal();
        } catch (DateTimeException none) {
            return FIRST;
        }
    }
}
