package farm.gantry.ingest.tool;

import farm.gantry.ingest.reading.BadFileException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An external program that reads untrusted files; {@code name} is for people, {@code command} starts it. */
public record Tool(String name, List<String> command, Limits limits) {
    private static final Logger LOG = LoggerFactory.getLogger(Tool.class);
    private static final int TAIL = 4096;
    private static final int LINES = 3;
    private static final int LARGEST_LOG = 1 << 20;
    private static final Duration END = Duration.ofSeconds(10);
    private static final Pattern COLORS = Pattern.compile("\u001b\\[[0-9;?]*[ -/]*[@-~]");
    private static final Pattern STAMP = Pattern.compile("^\\[\\d{4}-[^\\]]*\\] \\[0x\\w+\\] \\[error\\]\\s*");
    private static final Pattern TOO_LARGE = Pattern.compile(
            "(?i)outside (of )?the print(able)? (volume|area)|fit (on|in)(to)? the (bed|print)|exceeds the");
    private static final Pattern NOISE = Pattern.compile("(?i)\\[(trace|debug|info)\\]|^\\s*$");

    /** How long it may run, how much memory it may ask for, and how large a file it may write. */
    public record Limits(Duration time, long memoryBytes, long fileBytes) {
        public static final Limits DEFAULTS = new Limits(Duration.ofMinutes(5), 4L << 30, 1L << 30);

        Limits within(Duration atMost) {
            return new Limits(atMost, memoryBytes, fileBytes);
        }
    }

    /** Whether tools see no files here but their own. */
    public static boolean hidesFiles() {
        return Sandbox.hidesFiles();
    }

    /** Whether it is there at all: its file, or one of that name in the path. */
    public boolean isInstalled() {
        String program = command.getFirst();
        if (program.contains(File.separator)) {
            return Files.isExecutable(Path.of(program));
        }
        return Stream.of(System.getenv().getOrDefault("PATH", "/usr/bin").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /**
     * Runs it inside the folder, which holds all that it may read and write; arguments name files by their names alone.
     * That it fails is the file's fault, and its last words are the reason. They are kept beside the folder, where the tool
     * cannot put a link in their place. Returns what it said, of which the first mebibyte counts.
     */
    public String run(Path folder, List<String> arguments) throws IOException {
        return run(folder, arguments, "could not read the file");
    }

    /** The same, with the message for a failure. */
    public String run(Path folder, List<String> arguments, String failure) throws IOException {
        if (!isInstalled()) {
            throw new BadFileException(name + " is not installed where parts are read");
        }
        List<String> whole = new ArrayList<>(command);
        whole.addAll(arguments);
        Path log = Files.createTempFile(folder.toAbsolutePath().getParent(), "tool-", ".log");
        var builder = new ProcessBuilder(Sandbox.wrap(folder, limits, whole))
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
            try (InputStream said = Files.newInputStream(log)) {
                return new String(said.readNBytes(LARGEST_LOG), StandardCharsets.UTF_8);
            }
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
                if (Files.size(log) > LARGEST_LOG) {
                    throw new BadFileException(name + " complained without end: " + lastOutput(log));
                }
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new IOException(name + " was stopped with the worker", stopping);
        }
        if (process.exitValue() != 0) {
            String why = lastOutput(log);
            throw new BadFileException(
                    TOO_LARGE.matcher(why).find()
                            ? "The part does not fit the printer: " + why
                            : name + " " + failure + ": " + why);
        }
    }

    /** With everything that it started, and waits for their end: they write into a folder that is removed next. */
    private static void kill(Process process) {
        List<ProcessHandle> family = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
        family.forEach(ProcessHandle::destroyForcibly);
        try {
            CompletableFuture.allOf(family.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
                    .orTimeout(END.toSeconds(), TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException unended) {
            LOG.warn("a tool that was killed has not ended: {}", process, unended);
        }
    }

    private static String lastOutput(Path log) throws IOException {
        byte[] tail;
        try (var file = new RandomAccessFile(log.toFile(), "r")) {
            tail = new byte[(int) Math.min(TAIL, file.length())];
            file.seek(file.length() - tail.length);
            file.readFully(tail);
        }
        List<String> lines = new String(tail, StandardCharsets.UTF_8)
                .lines()
                .map(line -> COLORS.matcher(line)
                        .replaceAll("")
                        .replaceAll("\\p{Cntrl}", " ")
                        .strip())
                .map(line -> STAMP.matcher(line).replaceFirst(""))
                .filter(line -> !NOISE.matcher(line).find())
                .toList();
        String said = String.join("; ", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
        return said.isEmpty() ? "it did not say why" : said;
    }
}
