package farm.gantry.edge;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.command.RunOptionsFile;
import farm.gantry.json.Json;
import farm.gantry.version.ProductVersion;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Runs the agent's command line in the process of the test. */
class AgentCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final Path settings;

    AgentCommandTest(@TempDir Path folder) {
        this.settings = folder.resolve("agent.properties");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pair", "run", "printers", "discover", "doctor", "health", "logs", "version"})
    void everyCommandDocumentsItsExitCodes(String command) {
        assertThat(execute(command, "--help")).isZero();
        assertThat(out.toString()).contains("gantry-agent " + command, "Exit codes:", "2   wrong usage");
    }

    @Test
    void wrongUsageExitsWithCodeTwoAndExplainsTheError() {
        assertThat(execute("run", "--colour", "red")).isEqualTo(2);
        assertThat(execute("pair", "--api", "not an address", "--code", "ABCD-1234"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("'--colour'").contains("--api must be an address");
    }

    @Test
    void versionCommandPrintsTheBuildVersion() throws IOException {
        assertThat(execute("version")).isZero();
        assertThat(execute("version", "--json")).isZero();
        assertThat(execute("run", "--version")).isZero();
        String[] lines = out.toString().split("\n", -1);
        assertThat(lines[0]).startsWith("gantry-agent ").contains("Java " + Runtime.version());
        Map<String, Object> answer = Json.tree(lines[1]);
        assertThat(answer).containsEntry("java", Runtime.version().toString());
        assertThat(answer).containsEntry("version", ProductVersion.CURRENT.text());
        assertThat(lines[2]).isEqualTo("gantry-agent " + ProductVersion.CURRENT);
    }

    @Test
    void logsCommandPrintsEachLineAsJson(@TempDir Path data) throws IOException {
        Path log = Files.createDirectories(data.resolve("logs")).resolve("agent.log");
        Files.writeString(log, "old\na \"quoted\" line\n\tat somewhere\n");
        assertThat(execute("logs", "--data", data.toString(), "--lines", "2", "--json"))
                .isZero();
        assertThat(execute("logs", "--data", data.toString(), "--lines", "1")).isZero();
        List<String> lines = out.toString().lines().toList();
        assertThat(lines).hasSize(3).last().isEqualTo("\tat somewhere");
        assertThat(Json.tree(lines.getFirst())).isEqualTo(Map.of("line", "a \"quoted\" line"));
        assertThat(Json.tree(lines.get(1))).isEqualTo(Map.of("line", "\tat somewhere"));
    }

    @Test
    void commandLineOptionOverridesTheSettingsFile() throws IOException {
        Files.writeString(settings, "data=/from/the/file\n");
        assertThat(execute("logs")).isEqualTo(1);
        assertThat(execute("logs", "--data", "/from/the/line")).isEqualTo(1);
        assertThat(err.toString()).contains("no log /from/the/file/logs").contains("no log /from/the/line/logs");
    }

    @Test
    void invalidOptionInTheSettingsFileIsRejected() throws IOException {
        Files.writeString(settings, "colour=red\n");
        assertThat(execute("logs")).isEqualTo(2);
        Files.writeString(settings, "status-port=red\n");
        assertThat(execute("run", "--data", "/nowhere")).isEqualTo(2);
        assertThat(err.toString()).contains("unknown option colour").contains("'--status-port'");
    }

    @Test
    void brokerWithUnknownSchemeIsRejected() throws IOException {
        Files.writeString(settings, "broker=ssl://broker.example:8883\n");
        assertThat(execute("run", "--data", "/nowhere")).isEqualTo(2);
        assertThat(err.toString()).contains("--broker must be mqtts://HOST:PORT");
    }

    private int execute(String... arguments) {
        CommandLine line =
                AgentCommand.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return AgentCommand.execute(line, new RunOptionsFile(settings), arguments);
    }
}
