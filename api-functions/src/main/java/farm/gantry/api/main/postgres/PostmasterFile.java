package farm.gantry.api.main.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The file {@code postmaster.pid} of a PostgreSQL, which names its process and port while it runs. */
record PostmasterFile(Path file) {
    private static final Logger LOG = LoggerFactory.getLogger(PostmasterFile.class);
    private static final int PORT_LINE = 3;
    private static final int READY_LINE = 7;
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);

    /** The process of the first line; a number that is another program's now, or another farm's, is left alone. */
    Optional<ProcessHandle> process() {
        return lines().stream()
                .findFirst()
                .map(String::strip)
                .filter(line -> line.matches("\\d{1,18}"))
                .flatMap(line -> ProcessHandle.of(Long.parseLong(line)))
                .filter(this::isOfThisFolder);
    }

    private boolean isOfThisFolder(ProcessHandle process) {
        return process.info()
                        .command()
                        .filter(command -> command.endsWith("postgres"))
                        .isPresent()
                && process.info()
                        .arguments()
                        .map(arguments -> Stream.of(arguments).anyMatch(this::isThisFolder))
                        .orElse(true);
    }

    /** However its path is written. */
    private boolean isThisFolder(String path) {
        try {
            return path.startsWith("/")
                    && Files.isSameFile(Path.of(path), file.toAbsolutePath().getParent());
        } catch (IOException | InvalidPathException e) {
            return false;
        }
    }

    /** The port, once it takes connections. */
    Optional<String> readyPort() {
        List<String> lines = lines();
        return lines.size() > READY_LINE && lines.get(READY_LINE).strip().equals("ready")
                ? Optional.of(lines.get(PORT_LINE).strip())
                : Optional.empty();
    }

    private List<String> lines() {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Stops a PostgreSQL that a killed process left behind. */
    void stopLeftover() throws IOException {
        Optional<ProcessHandle> leftover = process();
        if (leftover.isPresent()) {
            LOG.info("stopping the PostgreSQL that a killed process left behind");
            leftover.get().destroy();
            try {
                leftover.get().onExit().get(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                leftover.get().destroyForcibly();
            } catch (ExecutionException e) {
                throw new IOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
        Files.deleteIfExists(file);
    }
}
