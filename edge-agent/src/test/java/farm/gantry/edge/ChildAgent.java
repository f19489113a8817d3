package farm.gantry.edge;

import farm.gantry.edge.link.Credentials;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The agent as it runs in a farm: a process of its own, which can be killed. */
record ChildAgent(Process process) implements AutoCloseable {

    /** {@code crashAt} is the step at which it dies, or empty. */
    static ChildAgent start(FakeApi api, Path data, String crashAt) throws IOException {
        new Credentials(api.address(), "agent1", "store1", FakeApi.TOKEN).keepIn(data);
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:+UseCompactObjectHeaders",
                "-Xmx256m",
                "-cp",
                classPath,
                "-Dgantry.crashAt=" + crashAt,
                "farm.gantry.edge.Agent",
                "run",
                "--data",
                data.toString(),
                "--status-port",
                "0",
                "--grace-seconds",
                "2"));
        return new ChildAgent(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(data.resolve("out.log").toFile())
                .start());
    }

    boolean dies() throws InterruptedException {
        return process.waitFor(20, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
