package farm.gantry.edge.log;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The log file of an agent's data folder, which {@link Logging} writes and rotates. */
public final class LogFile {
    private static final String FOLDER = "logs";
    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

    private final Path current;
    private final Path before;
    private final AtomicLong read = new AtomicLong();

    public LogFile(Path data) {
        this.current = data.resolve(FOLDER).resolve("agent.log");
        this.before = data.resolve(FOLDER).resolve("agent.1.log");
    }

    /** Starts to write the log also to a file in this data folder. */
    public static void writeTo(Path data) {
        Logging.writeFilesTo(data.resolve(FOLDER));
    }

    public Path path() {
        return current;
    }

    /** Returns the last lines. */
    public List<String> tail(int lines) throws IOException {
        String now = readFrom(current, 0);
        read.set(now.getBytes(StandardCharsets.UTF_8).length);
        String old = now.lines().count() < lines && Files.exists(before) ? readFrom(before, 0) : "";
        List<String> all = Stream.concat(old.lines(), now.lines()).toList();
        return all.subList(Math.max(0, all.size() - lines), all.size());
    }

    /** Passes every new line to the reader, until the thread is interrupted. */
    public void follow(Consumer<String> reader) throws IOException, InterruptedException {
        while (true) {
            if (Files.size(current) < read.get()) {
                readFrom(before, read.get()).lines().forEach(reader);
                read.set(0);
            }
            String more = readFrom(current, read.get());
            read.addAndGet(more.getBytes(StandardCharsets.UTF_8).length);
            more.lines().forEach(reader);
            Thread.sleep(POLL_INTERVAL);
        }
    }

    /** Returns the complete lines after this position; a partial last line is left for the next call. */
    private static String readFrom(Path path, long position) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
            byte[] bytes = new byte[Math.toIntExact(Math.max(0, file.length() - position))];
            file.seek(position);
            file.readFully(bytes);
            String text = new String(bytes, StandardCharsets.UTF_8);
            return text.substring(0, text.lastIndexOf('\n') + 1);
        }
    }
}
