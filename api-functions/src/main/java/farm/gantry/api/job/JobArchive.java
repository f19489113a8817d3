package farm.gantry.api.job;

import farm.gantry.StoreId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * Files with deleted rows, one JSON object per line: a folder for each store, and in it a file for each month in which the
 * builds were created. After a crash, rows may be in a file twice.
 */
record JobArchive(Path folder) {
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    /** Appends the lines. When it returns, they are on the disk. */
    void append(StoreId store, String month, List<String> lines) {
        byte[] bytes = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
        try {
            Path ofStore = Files.createDirectories(folder.resolve(store.value()), OWNER_ONLY);
            try (FileChannel file = FileChannel.open(
                    ofStore.resolve(month + ".jsonl"),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE)) {
                file.position(endOfLastLine(file));
                ByteBuffer rest = ByteBuffer.wrap(bytes);
                while (rest.hasRemaining()) {
                    file.write(rest);
                }
                file.truncate(file.position());
                file.force(true);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to gantry.jobs.archive-folder; no jobs are deleted", e);
        }
    }

    /** Returns the position after the last complete line; a crash may leave a part of a line. */
    private static long endOfLastLine(FileChannel file) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        long end = file.size();
        while (end > 0) {
            file.read(one.clear(), end - 1);
            if (one.get(0) == '\n') {
                return end;
            }
            end--;
        }
        return 0;
    }
}
