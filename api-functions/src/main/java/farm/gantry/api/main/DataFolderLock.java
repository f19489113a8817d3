package farm.gantry.api.main;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Holds a data folder for one process, which the system gives up however that ends. The file {@code lock} in the folder
 * says who holds it.
 */
public final class DataFolderLock implements AutoCloseable {
    private static final long LOOK_MILLIS = 100;
    private static final int LONGEST_HOLDER = 200;

    private final FileChannel channel;

    private DataFolderLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes the folder. {@code holder} is where this process can be found, such as {@code port 8080}; {@code patience} is
     * how long to wait for another that may be about to end. Fails, and names the holder, when it does not.
     */
    public static DataFolderLock take(Path folder, String holder, Duration patience) throws IOException {
        Path file = folder.resolve("lock");
        if (!Files.exists(file)) {
            Files.write(file, new byte[0], StandardOpenOption.CREATE);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        }
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            long deadline = System.nanoTime() + patience.toNanos();
            while (locked(channel) == null) {
                if (System.nanoTime() - deadline >= 0) {
                    throw new IOException(
                            "the farm of " + folder + " is running already (" + Files.readString(file) + ")");
                }
                Thread.sleep(LOOK_MILLIS);
            }
            String text = "process " + ProcessHandle.current().pid() + ", " + holder;
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(
                    text.substring(0, Math.min(text.length(), LONGEST_HOLDER)).getBytes(StandardCharsets.UTF_8)));
            return new DataFolderLock(channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        } catch (InterruptedException e) {
            channel.close();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static @Nullable FileLock locked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // another of this process
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
