package farm.gantry.api.main;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A child JVM that writes to a log file and ends with this process. */
public final class ChildProcess implements AutoCloseable {
    /** For processes that do little or live for seconds: the collector with the least around it. */
    public static final List<String> SMALL = List.of("-XX:+UseSerialGC");

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final String name;
    private final Process process;
    private final Path log;

    private ChildProcess(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
    }

    /** Starts a main class of this class path; {@code jvm} are options of the JVM. */
    public static ChildProcess start(String name, Path logs, List<String> jvm, String main, List<String> arguments)
            throws IOException {
        return start(name, logs, jvm, main, arguments, Map.of());
    }

    /** The same with variables of the environment, where others cannot see them. */
    public static ChildProcess start(
            String name,
            Path logs,
            List<String> jvm,
            String main,
            List<String> arguments,
            Map<String, String> environment)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-XX:+UseCompactObjectHeaders",
                "-Dlogback.configurationFile=farm-logback.xml",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path")));
        LocalPostgres.sharedBinaries()
                .ifPresent(folder -> command.add("-D" + LocalPostgres.SHARED_BINARIES + "=" + folder));
        command.addAll(jvm);
        command.add(ParentWatch.class.getName());
        command.add(Long.toString(ProcessHandle.current().pid()));
        command.add(main);
        command.addAll(arguments);
        Files.createDirectories(logs);
        Path log = logs.resolve(name + ".log");
        if (Files.exists(log)) {
            Files.move(log, logs.resolve(name + ".previous.log"), StandardCopyOption.REPLACE_EXISTING);
        }
        Files.createFile(log, SecretFile.OWNER_ONLY);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        return new ChildProcess(name, process, log);
    }

    /** Runs a main class to its end and fails unless it ends well. */
    public static void run(String name, Path logs, String main, List<String> arguments)
            throws IOException, InterruptedException {
        try (ChildProcess child = start(name, logs, SMALL, main, arguments)) {
            if (child.process.waitFor() != 0) {
                throw new IOException(name + " failed: " + Files.readString(child.log));
            }
        }
    }

    /** The rest of the first line of the log that begins so, as soon as it is there. */
    public String awaitLine(String beginning) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        while (System.nanoTime() < deadline) {
            Optional<String> line = line(beginning);
            if (line.isPresent()) {
                return line.get();
            }
            if (process.waitFor(50, TimeUnit.MILLISECONDS)) {
                break;
            }
        }
        throw new IOException(name + " did not start; its log is " + log + ":\n" + Files.readString(log));
    }

    public Optional<String> line(String beginning) throws IOException {
        return lines(beginning).findFirst();
    }

    /** The rest of each line of the log that begins so. */
    public Stream<String> lines(String beginning) throws IOException {
        return Files.readString(log)
                .lines()
                .filter(line -> line.startsWith(beginning))
                .map(line -> line.substring(beginning.length()).strip());
    }

    public String name() {
        return name;
    }

    public Path log() {
        return log;
    }

    /** What it ended with; it must have ended. */
    public int exitValue() {
        return process.exitValue();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** Kills it as a power cut would. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Asks it to end, and kills it when it does not. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
