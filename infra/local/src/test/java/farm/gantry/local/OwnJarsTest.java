package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import farm.gantry.api.main.postgres.FreePorts;
import farm.gantry.api.main.process.ChildProcess;
import farm.gantry.edge.AgentCommand;
import farm.gantry.simulator.SimulateCommand;
import farm.gantry.version.ProductVersion;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the class path of each process, because the beans of other programs would slow down its start. */
class OwnJarsTest {
    @TempDir
    Path folder;

    @Test
    void agentClassPathHasOnlyItsOwnJars() throws Exception {
        Files.writeString(
                folder.resolve("agent.json"),
                "{\"api\":\"http://127.0.0.1:9\",\"agentId\":\"none\",\"storeId\":\"none\",\"token\":\"none\"}");
        List<String> arguments = List.of("run", "--data", folder.toString(), "--status-port", "0");
        assertThat(jars(AgentCommand.class, arguments, "Running as agent"))
                .contains(jar("edge-agent"), jar("domain"))
                .noneMatch(jar -> jar.matches("(api-functions|micronaut-data|simulator).*"));
    }

    @Test
    void simulatorClassPathHasOnlyItsOwnJars() throws Exception {
        List<String> arguments = List.of("--count", "1", "--port", Integer.toString(FreePorts.choose()));
        assertThat(jars(SimulateCommand.class, arguments, "http://"))
                .contains(jar("simulator"), jar("domain"))
                .noneMatch(jar -> jar.matches("(api-functions|micronaut-data|edge-agent).*"));
    }

    private static String jar(String module) {
        return module + "-" + ProductVersion.CURRENT + ".jar";
    }

    private List<String> jars(Class<?> main, List<String> arguments, String started)
            throws IOException, InterruptedException {
        String source = main.getProtectionDomain().getCodeSource().getLocation().getPath();
        assumeThat(source).as("modules are built as jars").endsWith(".jar");
        try (ChildProcess child =
                ChildProcess.start("child", folder, ChildProcess.SMALL_JVM_OPTIONS, main.getName(), arguments)) {
            child.awaitLine(started);
            Path command = Path.of("/proc", Long.toString(child.handle().pid()), "cmdline");
            assumeThat(command).as("the system shows what its processes run").exists();
            List<String> words = List.of(Files.readString(command).split("\0", -1));
            return Arrays.stream(words.get(words.indexOf("-cp") + 1).split(File.pathSeparator, -1))
                    .map(jar -> String.valueOf(Path.of(jar).getFileName()))
                    .toList();
        }
    }
}
