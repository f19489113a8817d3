package farm.gantry.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import farm.gantry.edge.command.RunOptionsFile;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Checks the files of the agent's package; {@code infra/agent/check} builds, installs, runs and removes it. */
class PackageTest {
    private static final Path PACKAGE = Path.of("../infra/agent");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "package",
                "check",
                "launcher",
                "prepare",
                "deb/gantry-agent",
                "deb/postinst",
                "deb/prerm",
                "deb/postrm"
            })
    void packageScriptIsExecutableAndParses(String script) throws Exception {
        Path path = PACKAGE.resolve(script);
        boolean bash = Files.readString(path).startsWith("#!/usr/bin/env bash");
        assertThat(output(bash ? "bash" : "sh", "-n", path.toString())).isEmpty();
        assertThat(path).isExecutable();
    }

    @Test
    void systemdUnitIsValidAndSandboxed(@TempDir Path folder) throws Exception {
        assumeTrue(isInstalled("systemd-analyze"), "no systemd-analyze is here to look at the unit");
        Path unit = folder.resolve("gantry-agent.service");
        Files.writeString(
                unit,
                Files.readString(PACKAGE.resolve("deb/gantry-agent.service"))
                        .replaceFirst("ExecStart=.*", "ExecStart=/bin/true"));
        assertThat(output("systemd-analyze", "verify", unit.toString())).isEmpty();
        assertThat(output("systemd-analyze", "security", "--offline=yes", "--no-pager", unit.toString()))
                .containsPattern("Overall exposure level for gantry-agent.service: [0-2]\\.\\d OK");
    }

    @Test
    void packagedSettingsAreAcceptedByTheAgent(@TempDir Path folder) throws IOException {
        Path settings = folder.resolve("agent.properties");
        Files.writeString(
                settings,
                Files.readString(PACKAGE.resolve("deb/agent.properties"))
                        .replace("/var/lib/gantry-agent", folder.toString())
                        .replaceAll("(?m)^#(?=[a-z])", ""));
        StringWriter err = new StringWriter();
        CommandLine line = AgentCommand.commandLine().setErr(new PrintWriter(err, true));
        assertThat(AgentCommand.execute(line, new RunOptionsFile(settings), "run"))
                .isEqualTo(1);
        assertThat(err.toString()).startsWith("Not paired: no agent.json in " + folder);
    }

    private static String output(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static boolean isInstalled(String program) {
        return Stream.of(System.getenv("PATH").split(Pattern.quote(File.pathSeparator), -1))
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }
}
