package farm.gantry.edge;

import farm.gantry.edge.link.Credentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Runs the agent in a child process, which can be killed. */
record ChildAgent(Process process) implements AutoCloseable {
    private static final List<String> QUICK = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
    private static final Path LAUNCHER = Path.of("../infra/agent/launcher");
    private static final Pattern OPTION = Pattern.compile(" (-(?:XX:|X(?:m[sx]|ss)|Djdk)\\S+)");

    /** Starts the agent; {@code crashAt} is the step at which it exits, or empty. */
    static ChildAgent start(FakeApi api, Path data, String crashAt) throws IOException {
        return start(api, data, crashAt, QUICK);
    }

    /** Starts the agent with the Java options of its package. */
    static ChildAgent startPackaged(FakeApi api, Path data) throws IOException {
        List<String> options = OPTION.matcher(Files.readString(LAUNCHER))
                .results()
                .map(option -> option.group(1))
                .toList();
        return start(api, data, "", options);
    }

    private static ChildAgent start(FakeApi api, Path data, String crashAt, List<String> options) throws IOException {
        new Credentials(api.address(), "agent1", "store1", FakeApi.TOKEN).writeTo(data);
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of(
                "-cp",
                classPath,
                "-Dgantry.crashAt=" + crashAt,
                "farm.gantry.edge.AgentCommand",
                "run",
                "--data",
                data.toString(),
                "--status-port",
                "0",
                "--grace-seconds",
                "2"));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(data.resolve("out.log").toFile());
        builder.environment().put("MALLOC_ARENA_MAX", "2");
        return new ChildAgent(builder.start());
    }

    boolean awaitExit() throws InterruptedException {
        return process.waitFor(5, TimeUnit.MINUTES);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
