package farm.gantry.api.main.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.api.monitoring.MonitoringServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Tests the commands of an installed server; {@code infra/server/check} installs the real package. */
final class GantryCommandTest {
    private static final Path PACKAGE = Path.of("../infra/server");

    @TempDir
    Path folder;

    private final StringWriter errors = new StringWriter();
    private final CommandLine line = GantryCommand.commandLine().setErr(new PrintWriter(errors, true));
    private Path file = Path.of("gantry.properties");

    @BeforeEach
    void nameFile() {
        file = folder.resolve("gantry.properties");
    }

    @Test
    void settingsFromTheFilePrecedeCommandLineArguments() throws IOException {
        Files.writeString(file, "port=1234\ngantry.public-url=https://farm.example\n");
        List<String> arguments = new ServerSettingsFile(file).apply(line, List.of("serve", "--host", "0.0.0.0"));
        assertThat(arguments)
                .containsExactly("serve", "--set", "gantry.public-url=https://farm.example", "--host", "0.0.0.0");
        CommandLine.ParseResult serve =
                line.parseArgs(arguments.toArray(String[]::new)).subcommand();
        assertThat(serve.commandSpec().findOption("--port").<Integer>getValue()).isEqualTo(1234);
        assertThat(serve.commandSpec().findOption("--host").<String>getValue()).isEqualTo("0.0.0.0");
    }

    @Test
    void commandWithoutSettingsReadsOnlyOptionsFromTheFile() throws IOException {
        Files.writeString(file, "data=/var/lib/gantry\ngantry.public-url=https://farm.example\n");
        List<String> arguments = new ServerSettingsFile(file).apply(line, List.of("restore", "farm.zip"));
        assertThat(arguments).containsExactly("restore", "farm.zip");
        CommandLine.ParseResult restore = line.parseArgs("restore", "farm.zip").subcommand();
        assertThat(restore.commandSpec().findOption("--data").<Path>getValue()).isEqualTo(Path.of("/var/lib/gantry"));
    }

    @ParameterizedTest
    @CsvSource({"gantry.files.folder,/srv/files", "gantry.aws.bucket,farm-files"})
    void backupStopsForFilesOutsideTheDataFolder(String setting, String value) throws IOException {
        Files.writeString(file, "data=" + folder + "\n" + setting + "=" + value + "\n");
        assertThat(GantryCommand.execute(line, new ServerSettingsFile(file), List.of("backup")))
                .isEqualTo(1);
        assertThat(errors.toString())
                .isEqualTo("backup: " + setting + " stores files outside of " + folder + ", and the archive would lack"
                        + " them: copy them yourself, and run this again with --allow-missing-files\n");
        errors.getBuffer().setLength(0);
        GantryCommand.execute(line, new ServerSettingsFile(file), List.of("backup", "--allow-missing-files"));
        assertThat(errors.toString()).isEqualTo("backup: there is no farm in " + folder + "\n");
    }

    @Test
    void backupAcceptsTheFilesOfTheDataFolder() throws IOException {
        Files.writeString(file, "data=" + folder + "\ngantry.files.folder=" + folder.resolve("files") + "\n");
        GantryCommand.execute(line, new ServerSettingsFile(file), List.of("backup"));
        assertThat(errors.toString()).isEqualTo("backup: there is no farm in " + folder + "\n");
    }

    @Test
    void unknownKeyInTheSettingsFileIsRejected() throws IOException {
        Files.writeString(file, "prot=1234\n");
        assertThatThrownBy(() -> new ServerSettingsFile(file).apply(line, List.of("serve")))
                .hasMessage(file + ": prot is neither a setting (gantry.…) nor an option of a command");
    }

    @Test
    void unknownSettingExitsWithTheStatusForInvalidSettings() throws IOException {
        Files.writeString(file, "gantry.rate-limit.per-minut=1\ndata=" + folder.resolve("data") + "\n");
        int status = GantryCommand.execute(line, new ServerSettingsFile(file), List.of("serve"));
        assertThat(errors.toString())
                .startsWith("serve: there is no setting gantry.rate-limit.per-minut; the most similar one is");
        assertThat(status).isEqualTo(2);
        assertThat(folder.resolve("data")).doesNotExist();
    }

    @Test
    void packagedSettingsFileHasOnlyKnownKeys() throws IOException {
        String properties = Files.readString(PACKAGE.resolve("deb/gantry.properties"));
        Files.writeString(file, properties.replaceAll("(?m)^#(?=[a-z])", ""));
        List<String> arguments = new ServerSettingsFile(file).apply(line, List.of("serve"));
        assertThat(arguments).contains("gantry.trusted-proxies=127.0.0.1");
    }

    @Test
    void healthCommandExitsWithOneUntilTheServerIsReady() throws IOException {
        AtomicReference<Optional<String>> reason = new AtomicReference<>(Optional.of("starting"));
        MonitoringServer.MonitoringSource source = new MonitoringServer.MonitoringSource() {
            @Override
            public Optional<String> whyNotReady() {
                return Objects.requireNonNull(reason.get());
            }

            @Override
            public Optional<String> metrics() {
                return Optional.empty();
            }
        };
        try (MonitoringServer server =
                MonitoringServer.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), source)) {
            Files.writeString(
                    file,
                    "port=1\ngantry.monitoring.host=0.0.0.0\ngantry.monitoring.port="
                            + server.server().getAddress().getPort() + "\n");
            assertThat(GantryCommand.execute(line, new ServerSettingsFile(file), List.of("health")))
                    .isEqualTo(1);
            reason.set(Optional.empty());
            assertThat(GantryCommand.execute(line, new ServerSettingsFile(file), List.of("health")))
                    .isZero();
        }
        assertThat(GantryCommand.execute(line, new ServerSettingsFile(file), List.of("health")))
                .isEqualTo(1);
        assertThat(errors.toString()).contains("health: no server answers at http://0.0.0.0:");
    }

    @Test
    void manualAndCompletionNameEveryCommand() throws IOException {
        List<CommandLine> commands = new ArrayList<>();
        addCommands(line, commands);
        assertThat(commands).hasSizeGreaterThan(15);
        String page = CommandManual.page(line);
        for (CommandLine command : commands) {
            String name = command.getCommandSpec().qualifiedName();
            assertThat(page).contains(".SS \"" + name.replace("-", "\\-") + "\"\n");
            assertThat(complete(name.substring(0, name.length() - 1))).contains(command.getCommandName());
        }
        assertThat(page)
                .startsWith(".TH GANTRY 1 ")
                .contains("\n.B \\-\\-port <port>\nport of the API (default: 8080)\n")
                .doesNotContain("${", "@|");
    }

    private static void addCommands(CommandLine parent, List<CommandLine> commands) {
        for (CommandLine command : parent.getSubcommands().values()) {
            commands.add(command);
            addCommands(command, commands);
        }
    }

    /** Returns the words that Bash offers for an incomplete command. */
    private List<String> complete(String words) throws IOException {
        Path script = folder.resolve("gantry.bash");
        if (!Files.exists(script)) {
            Files.writeString(script, CommandManual.completion(line));
        }
        String command = ". " + script + "; COMP_WORDS=(" + words + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1));"
                + " _complete_gantry; echo ${COMPREPLY[@]}";
        Process process = new ProcessBuilder("bash", "-c", command)
                .redirectError(ProcessBuilder.Redirect.DISCARD) // compopt fails outside a completion
                .start();
        return List.of(new String(process.getInputStream().readAllBytes(), UTF_8)
                .strip()
                .split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"gantry", "gantry-worker"})
    void imageStartsTheCommand(String image) throws IOException {
        assertThat(Files.readString(Path.of("../infra/containers/" + image + ".Containerfile"))
                        .lines())
                .filteredOn(line -> line.contains("\"-cp\""))
                .isNotEmpty()
                .allMatch(line -> line.contains("\"" + GantryCommand.class.getName() + "\""));
    }

    @Test
    void settingsOfTheImageAreKnown() throws IOException {
        List<String> arguments =
                new ServerSettingsFile(Path.of("../infra/containers/gantry.properties")).apply(line, List.of("serve"));
        assertThat(arguments).contains("gantry.monitoring.host=0.0.0.0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "package",
                "check",
                "launcher",
                "deb/gantry",
                "deb/postinst",
                "deb/prerm",
                "deb/postrm",
                "../version",
                "../reproduce",
                "../bill-of-materials",
                "../containers/build",
                "../containers/check"
            })
    void packagedScriptHasValidSyntax(String script) throws IOException {
        Path path = PACKAGE.resolve(script);
        boolean isBash = Files.readString(path).startsWith("#!/usr/bin/env bash");
        Process process = new ProcessBuilder(isBash ? "bash" : "sh", "-n", path.toString())
                .redirectErrorStream(true)
                .start();
        assertThat(process.getInputStream().readAllBytes()).asString().isEmpty();
        assertThat(path).isExecutable();
    }
}
