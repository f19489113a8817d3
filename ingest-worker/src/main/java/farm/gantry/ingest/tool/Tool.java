package farm.gantry.ingest.tool;

import farm.gantry.ingest.reading.BadFileException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An external program that reads untrusted files; {@code name} is for people, {@code command} starts it. */
public record Tool(String name, List<String> command, ToolLimits limits, Sandbox sandbox) {
    private static final Logger LOG = LoggerFactory.getLogger(Tool.class);
    private static final Duration END = Duration.ofSeconds(10);

    /** A tool in the best sandbox that this machine can build. */
    public Tool(String name, List<String> command, ToolLimits limits) {
        this(name, command, limits, Sandbox.hidingFolders(List.of()));
    }

    /** Whether the tool sees no files of this machine but its own. */
    public boolean isIsolated() {
        return sandbox.hidesFiles();
    }

    /** Returns whether the program exists, as a file or in the search path. */
    public boolean isInstalled() {
        String program = command.getFirst();
        if (program.contains(File.separator)) {
            return Files.isExecutable(Path.of(program));
        }
        return SandboxPaths.searchPath().anyMatch(folder -> Files.isExecutable(folder.resolve(program)));
    }

    /**
     * Runs the tool inside the folder, which contains everything that it may read and write; arguments name files by
     * their names alone. A failure is the file's fault. The output is stored beside the folder, where the tool cannot
     * replace it by a link; after a failure it is written to the log of the worker. Returns the first mebibyte of the
     * output.
     */
    public String run(Path folder, List<String> arguments) throws IOException {
        return run(folder, arguments, "could not read the file");
    }

    /** Runs the tool with a message for a failure. */
    public String run(Path folder, List<String> arguments, String failure) throws IOException {
        if (!isInstalled()) {
            throw new BadFileException(name + " is not installed where parts are read");
        }
        List<String> whole = new ArrayList<>(command);
        whole.addAll(arguments);
        Path log = Files.createTempFile(folder.toAbsolutePath().getParent(), "tool-", ".log");
        var builder = new ProcessBuilder(sandbox.wrap(folder, limits, whole))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        Map<String, String> environment = builder.environment();
        String path = environment.getOrDefault("PATH", "/usr/bin:/bin");
        environment.clear();
        environment.putAll(Map.of("PATH", path, "HOME", ".", "LC_ALL", "C.UTF-8", "OPENBLAS_NUM_THREADS", "2"));
        try {
            Process process = builder.start();
            try {
                await(process, log, failure);
            } finally {
                kill(process);
            }
            return ToolOutput.read(log);
        } finally {
            Files.deleteIfExists(log);
        }
    }

    private void await(Process process, Path log, String failure) throws IOException {
        try {
            long end = System.nanoTime() + limits.time().toNanos();
            while (!process.waitFor(1, TimeUnit.SECONDS)) {
                if (System.nanoTime() > end) {
                    throw new BadFileException(
                            name + " did not finish within " + limits.time().toSeconds() + " seconds");
                }
                checkSize(log, failure);
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new IOException(name + " was stopped with the worker", stopping);
        }
        if (process.exitValue() != 0) {
            checkSize(log, failure);
            throw failed(process.exitValue(), ToolOutput.read(log), failure);
        }
    }

    /**
     * Checks the size of the output: a tool may write so fast that the file size limit ends it before the first check.
     */
    private void checkSize(Path log, String failure) throws IOException {
        if (Files.size(log) > ToolOutput.MAX_BYTES) {
            LOG.info("{} wrote too many messages: {}", name, ToolOutput.shortened(ToolOutput.read(log)));
            throw new BadFileException(
                    name + " " + failure + ": it wrote more than " + (ToolOutput.MAX_BYTES >> 20) + " MB of messages");
        }
    }

    private BadFileException failed(int exitStatus, String output, String failure) {
        LOG.info("{} {}: exit status {}, {}", name, failure, exitStatus, ToolOutput.shortened(output));
        if (ToolOutput.saysTooLarge(output)) {
            return new BadFileException("The part does not fit the print volume of its printer profile, or that of the"
                    + " slicer's default printer where it has none");
        }
        return new BadFileException(ToolOutput.findCause(output, exitStatus)
                .map(cause -> name + " " + failure + ": " + cause)
                .orElse(name + " " + failure + ". The log of the worker holds its messages"));
    }

    /**
     * Ends the process with all its children, and waits for their end, because they write into a folder that is removed
     * next.
     */
    private static void kill(Process process) {
        List<ProcessHandle> family = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
        family.forEach(ProcessHandle::destroyForcibly);
        try {
            CompletableFuture.allOf(family.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
                    .orTimeout(END.toSeconds(), TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException unended) {
            LOG.warn("a killed tool has not ended yet: {}", process, unended);
        }
    }
}
