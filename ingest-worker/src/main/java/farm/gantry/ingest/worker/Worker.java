package farm.gantry.ingest.worker;

import farm.gantry.ingest.file.WorkFiles;
import farm.gantry.ingest.reading.FileTree;
import farm.gantry.ingest.stage.IngestRun;
import farm.gantry.ingest.stage.SliceRun;
import farm.gantry.ingest.stage.Toolchain;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.SliceResult;
import farm.gantry.wire.SliceRequest;
import farm.gantry.wire.StageReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Processes part files in stages, with a report for each change. It has no state between runs, and repeating a request
 * results in the same addresses. The work directory must be its own: the files of a killed run are removed at the
 * start.
 */
public final class Worker {
    private static final String RUN = "ingest-";

    private final WorkFiles files;
    private final Path workDirectory;
    private final Toolchain toolchain;

    public Worker(WorkFiles files, Path workDirectory, Toolchain toolchain) {
        this.files = files;
        this.workDirectory = workDirectory;
        this.toolchain = toolchain;
        try {
            Files.createDirectories(workDirectory);
            try (Stream<Path> leftovers = Files.list(workDirectory)) {
                leftovers
                        .filter(path -> path.getFileName().toString().startsWith(RUN))
                        .toList()
                        .forEach(Worker::remove);
            }
        } catch (IOException unusable) {
            throw new UncheckedIOException("cannot work in " + workDirectory, unusable);
        }
    }

    /**
     * Reports a bad file, and never throws for it. Throws for a full disk and for files that stay unreachable, so that
     * the request is redelivered, and for an interrupted thread, which reports no more.
     */
    public void ingest(IngestRequest request, Consumer<StageReport> reports) {
        Path folder = folder();
        try {
            new IngestRun(request, files, folder, toolchain, reports).run();
        } finally {
            remove(folder);
        }
    }

    /** Slices for a job; a failure is an answer too. Throws as {@link #ingest} does. */
    public SliceResult slice(SliceRequest request) {
        Path folder = folder();
        try {
            return new SliceRun(request, files, folder, toolchain).run();
        } finally {
            remove(folder);
        }
    }

    private Path folder() {
        try {
            return Files.createTempDirectory(workDirectory, RUN);
        } catch (IOException full) {
            throw new UncheckedIOException("no space left in " + workDirectory, full);
        }
    }

    private static void remove(Path folder) {
        try {
            FileTree.delete(folder);
        } catch (IOException stuck) {
            throw new UncheckedIOException("cannot clean up " + folder, stuck);
        }
    }
}
