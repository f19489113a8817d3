package farm.gantry.api.main.command;

import farm.gantry.api.main.BackupCommand;
import farm.gantry.api.main.support.SupportBundle;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code support-bundle}: writes a redacted zip about the server on this machine, for an issue. */
@Command(
        name = "support-bundle",
        mixinStandardHelpOptions = true,
        description =
                "Writes a zip to attach to an issue: version, settings, checks, metrics, sizes of tables, and logs."
                        + " Secrets, addresses, ids and content are left out.")
public final class SupportBundleCommand implements Callable<Integer> {
    private static final String STANDARD_INPUT = "-";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private final MachineOptions server = new MachineOptions();

    @Option(
            names = "--log",
            description =
                    "log to include, - for standard input; may be repeated (default: the logs in the data folder)")
    List<Path> logs = List.of();

    @Option(
            names = "--to",
            description = "path of the zip to write (default: gantry-support-DATE-TIME.zip in the folder for temporary"
                    + " files)")
    @Nullable
    Path to;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new SupportBundleCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path folder = server.data.toAbsolutePath().normalize();
        server.data = BackupCommand.apiFolder(folder);
        SupportBundle bundle = new SupportBundle(server.data, server.serverSettings());
        bundle.addFindings(server.check());
        bundle.addDatabase();
        try {
            bundle.addMetrics(MonitoringRequest.metrics(server.port, server.settings)
                    .send()
                    .body());
        } catch (IOException e) {
            bundle.addMetrics("# none: the server does not respond");
        }
        for (Path log : logsIn(folder.resolve("logs"))) {
            bundle.addLog(log);
        }
        for (Path log : logs) {
            if (log.toString().equals(STANDARD_INPUT)) {
                bundle.addLog("server", System.in);
            } else {
                bundle.addLog(log);
            }
        }
        Path archive = to != null ? to : defaultArchive();
        PrintWriter out = spec.commandLine().getOut();
        out.println("Wrote " + archive + " with " + String.join(", ", bundle.write(archive)));
        out.println("Read it before you attach it to an issue: names of people are not recognized.");
        return 0;
    }

    private static Path defaultArchive() {
        String time =
                DateTimeFormatter.ofPattern("yyyy-MM-dd-HHmmss").format(LocalDateTime.now(ZoneId.systemDefault()));
        return Path.of(System.getProperty("java.io.tmpdir"), "gantry-support-" + time + ".zip");
    }

    private static List<Path> logsIn(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .toList();
        }
    }
}
