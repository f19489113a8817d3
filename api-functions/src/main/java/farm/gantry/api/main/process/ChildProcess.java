package farm.gantry.api.main.process;

import farm.gantry.ParentWatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A child JVM that writes to a log file and ends with this process. */
public final class ChildProcess implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChildProcess.class);

    /**
     * JVM options for processes that do little or run for seconds: the smallest garbage collector, and only the fast
     * compiler.
     */
    public static final List<String> SMALL_JVM_OPTIONS = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    /** System property: folder of AOT caches, with which processes of these names start sooner. */
    private static final String AOT_CACHES = "gantry.aot-caches";

    /** System property: folder to which each process writes its AOT cache when it ends. */
    private static final String AOT_OUTPUT = "gantry.aot-output";

    private static final int MAX_READ_BYTES = 1 << 20;
    private static final long MAX_LOG_BYTES = 50L << 20;

    /**
     * Maximum start time, longer than the start timeout of PostgreSQL, so that the child reports the failure itself.
     */
    private static final Duration START_TIMEOUT = Duration.ofMinutes(3);

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration AOT_STOP_TIMEOUT = Duration.ofMinutes(2);

    private final String name;
    private final Process process;
    private final Path log;
    /** Number of bytes of the log that {@link #newLines} has read. */
    private final AtomicLong readLogBytes = new AtomicLong();

    private ChildProcess(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
    }

    /** Starts a main class with the class path of this process; {@code jvm} are options of the JVM. */
    public static ChildProcess start(String name, Path logs, List<String> jvm, String main, List<String> arguments)
            throws IOException {
        return start(name, logs, jvm, main, arguments, Map.of());
    }

    /** Starts a main class with environment variables, for values that must not be visible to other users. */
    public static ChildProcess start(
            String name,
            Path logs,
            List<String> jvm,
            String main,
            List<String> arguments,
            Map<String, String> environment)
            throws IOException {
        return start(name, logs, command(aotOptions(name), jvm, main, arguments), environment);
    }

    private static List<String> command(List<String> aot, List<String> jvm, String main, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        Optional<String> own = ChildClassPath.ofMainClass(main);
        command.addAll(List.of(
                "-XX:+UseCompactObjectHeaders",
                "-XX:TrimNativeHeapInterval=15000",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                own.orElse(ChildClassPath.ALL)));
        if (own.isEmpty()) {
            command.add("-Dlogback.configurationFile=farm-logback.xml");
        }
        PostgresPrograms.findSharedFolder()
                .ifPresent(folder -> command.add("-D" + PostgresPrograms.SHARED_FOLDER_PROPERTY + "=" + folder));
        command.addAll(aot);
        command.addAll(jvm);
        command.add(ParentWatch.class.getName());
        command.add(Long.toString(ProcessHandle.current().pid()));
        command.add(main);
        command.addAll(arguments);
        return command;
    }

    private static ChildProcess start(String name, Path logs, List<String> command, Map<String, String> environment)
            throws IOException {
        Files.createDirectories(logs);
        Path log = logs.resolve(name + ".log");
        if (Files.exists(log)) {
            Files.move(log, rotatedLog(log), StandardCopyOption.REPLACE_EXISTING);
        }
        Files.createFile(log, SecretFile.OWNER_ONLY);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("MALLOC_ARENA_MAX", "2"); // more arenas would waste memory
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        return new ChildProcess(name, process, log);
    }

    private static Path rotatedLog(Path log) {
        return log.resolveSibling(log.getFileName().toString().replaceFirst("log$", "previous.log"));
    }

    /** Returns the options of the AOT cache. The JVM validates the cache itself and ignores one that does not match. */
    private static List<String> aotOptions(String name) {
        String file = name + ".aot";
        String output = System.getProperty(AOT_OUTPUT);
        if (output != null) {
            return List.of(
                    "-D" + AOT_OUTPUT + "=" + output,
                    "-XX:AOTCacheOutput=" + Path.of(output, file),
                    "-XX:+UnlockDiagnosticVMOptions",
                    "-XX:-AOTRecordTraining"); // only classes are cached; a start yields little information about
            // methods
        }
        String caches = System.getProperty(AOT_CACHES);
        if (caches == null) {
            return List.of();
        }
        Path cache = Path.of(caches, file);
        List<String> options = new ArrayList<>(List.of("-D" + AOT_CACHES + "=" + caches));
        if (Files.exists(cache)) {
            options.addAll(List.of("-XX:AOTCache=" + cache, "-Xlog:aot*=off", "-Xlog:cds=off"));
        }
        return options;
    }

    /** Runs a main class until it exits; throws unless the exit status is 0. */
    public static void runToEnd(String name, Path logs, String main, List<String> arguments)
            throws IOException, InterruptedException {
        try (ChildProcess child = start(name, logs, command(List.of(), SMALL_JVM_OPTIONS, main, arguments), Map.of())) {
            if (child.process.waitFor() != 0) {
                throw new IOException(name + " failed: " + Files.readString(child.log));
            }
        }
    }

    /** Waits for the first line of the log with this beginning and returns the rest of the line. */
    public String awaitLine(String beginning) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
        while (System.nanoTime() < deadline) {
            Optional<String> line = findLine(beginning);
            if (line.isPresent()) {
                return line.get();
            }
            if (process.waitFor(50, TimeUnit.MILLISECONDS)) {
                break;
            }
        }
        throw new IOException(name + " did not start; its log is " + log + ":\n" + Files.readString(log));
    }

    public Optional<String> findLine(String beginning) throws IOException {
        return findLines(beginning).findFirst();
    }

    /** Returns the rest of each line of the log with this beginning. */
    public Stream<String> findLines(String beginning) throws IOException {
        return lineRests(Files.readString(log), beginning);
    }

    private static Stream<String> lineRests(String text, String beginning) {
        return text.lines()
                .filter(line -> line.startsWith(beginning))
                .map(line -> line.substring(beginning.length()).strip());
    }

    /** Returns the rest of each line with this beginning that was written since the last call. */
    public List<String> newLines(String beginning) throws IOException {
        try (FileChannel channel = FileChannel.open(log)) {
            ByteBuffer some = ByteBuffer.allocate(Math.clamp(channel.size() - readLogBytes.get(), 0, MAX_READ_BYTES));
            channel.read(some, readLogBytes.get());
            String text = new String(some.array(), 0, some.position(), StandardCharsets.ISO_8859_1);
            int end = text.lastIndexOf('\n') + 1;
            readLogBytes.addAndGet(end == 0 && text.length() == MAX_READ_BYTES ? MAX_READ_BYTES : end);
            return lineRests(new String(some.array(), 0, end, StandardCharsets.UTF_8), beginning)
                    .toList();
        }
    }

    /**
     * Rotates a log of over 50 MB by copying and truncating it while the child keeps writing; lines written at that
     * moment may be lost. If the disk is full, the next call retries.
     */
    public void rotateLog() {
        rotateLog(MAX_LOG_BYTES);
    }

    void rotateLog(long most) {
        try {
            if (Files.size(log) > most) {
                Files.copy(
                        log, rotatedLog(log), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
                FileChannel.open(log, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)
                        .close();
                readLogBytes.set(0);
            }
        } catch (IOException e) {
            LOG.debug("cannot rotate {}; the next check retries", log, e);
        }
    }

    public String name() {
        return name;
    }

    public Path log() {
        return log;
    }

    /** Returns the exit status; the process must have ended. */
    public int exitValue() {
        return process.exitValue();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** Kills the process immediately, as a power cut would. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Asks the process to end, and kills it after a timeout. */
    @Override
    public void close() {
        process.destroy();
        try {
            Duration patience = System.getProperty(AOT_OUTPUT) == null ? STOP_TIMEOUT : AOT_STOP_TIMEOUT;
            if (!process.waitFor(patience.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
