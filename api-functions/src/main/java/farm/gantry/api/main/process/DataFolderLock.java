package farm.gantry.api.main.process;

import farm.gantry.api.queue.QueueConsumer;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Holds a data folder for one process, which the system gives up however that ends. The file {@code lock} in the folder
 * says who holds it.
 */
public final class DataFolderLock implements AutoCloseable {
    /** For a data folder, which holds keys: only its owner may read it. */
    public static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private static final long RETRY_MILLIS = 100;

    private final FileChannel channel;

    private DataFolderLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes the folder. {@code holder} is where this process can be found, such as {@code port 8080}; {@code patience} is
     * how long to wait for another that may be about to end. Fails, and names the holder, when it does not.
     */
    public static DataFolderLock acquire(Path folder, String holder, Duration patience) throws IOException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            Optional<DataFolderLock> lock = tryAcquire(folder, holder);
            if (lock.isPresent()) {
                return lock.get();
            }
            if (System.nanoTime() - deadline >= 0) {
                throw new IOException("the farm of " + folder + " is running already ("
                        + Files.readString(folder.resolve("lock")) + ")");
            }
            try {
                Thread.sleep(RETRY_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
    }

    /** Takes the folder without waiting; empty if another process holds it. */
    public static Optional<DataFolderLock> tryAcquire(Path folder, String holder) throws IOException {
        FileChannel channel = FileChannel.open(
                folder.resolve("lock"),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                SecretFile.OWNER_ONLY);
        try {
            if (QueueConsumer.tryLock(channel).isEmpty()) {
                channel.close();
                return Optional.empty();
            }
            String text = "process " + ProcessHandle.current().pid() + ", " + holder;
            channel.truncate(0).write(StandardCharsets.UTF_8.encode(text));
            return Optional.of(new DataFolderLock(channel));
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
