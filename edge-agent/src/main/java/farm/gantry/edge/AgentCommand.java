package farm.gantry.edge;

import farm.gantry.edge.camera.Ffmpeg;
import farm.gantry.edge.command.DiscoverCommand;
import farm.gantry.edge.command.DoctorCommand;
import farm.gantry.edge.command.HealthCommand;
import farm.gantry.edge.command.LogsCommand;
import farm.gantry.edge.command.PairCommand;
import farm.gantry.edge.command.PrintersCommand;
import farm.gantry.edge.command.RunCommand;
import farm.gantry.edge.command.RunOptionsFile;
import farm.gantry.edge.command.VersionCommand;
import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.log.SecretMask;
import farm.gantry.edge.provider.Providers;
import farm.gantry.wire.BrokerAddress;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/** The agent's command line. */
@Command(
        name = "gantry-agent",
        versionProvider = VersionCommand.class,
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        description = "Connects the printers on this network to Gantry.",
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:success", "1:failed; the error output says why", "2:wrong usage"})
public final class AgentCommand {
    private static final String DATA = "The agent's folder: token, journal, print files (default: ${DEFAULT-VALUE}).";
    private static final String FFMPEG = "The program that extracts images from camera video, which need not be"
            + " installed (default: ${DEFAULT-VALUE}).";
    private static final String JSON = "Answer in JSON.";
    private static final String JSON_LINES = "Print JSON, one object per line.";
    private static final String HOME = "${env:GANTRY_DATA:-${sys:user.home}/.gantry-agent}";

    private final CommandLine commandLine = new CommandLine(CommandSpec.forAnnotatedObject(this));

    private AgentCommand() {
        commandLine.setExecutionExceptionHandler((fault, failed, _) -> {
            Throwable cause =
                    Stream.iterate(fault, Objects::nonNull, Throwable::getCause).reduce(fault, (_, deeper) -> deeper);
            failed.getErr().println(SecretMask.mask(failed.getCommandName() + " failed: " + cause));
            return CommandLine.ExitCode.SOFTWARE;
        });
    }

    public static void main(String[] arguments) {
        if (List.of(arguments).contains("run")) {
            Thread.ofPlatform().daemon().name("start").start(RunCommand::loadSlowClasses);
        }
        System.exit(execute(commandLine(), RunOptionsFile.of(System.getenv()), arguments));
    }

    /** Returns the command line with all commands and their options. */
    public static CommandLine commandLine() {
        return new AgentCommand().commandLine;
    }

    static int execute(CommandLine line, RunOptionsFile settings, String... arguments) {
        try {
            settings.applyTo(line);
            return line.execute(arguments);
        } catch (ParameterException e) {
            line.getErr().println(e.getMessage());
            return CommandLine.ExitCode.USAGE;
        } catch (IOException e) {
            line.getErr().println("Cannot read " + settings.file() + ": " + e.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    @Command(name = "pair", description = "Pairs this agent with a store, using a code from the console.")
    int pair(
            @Option(names = "--api", required = true, description = "The address of the API.") String api,
            @Option(names = "--code", required = true, description = "The pairing code, as ABCD-1234.") String code,
            @Option(names = "--name", description = "The agent's name in the store (default: this machine's name).")
                    @Nullable
                    String name,
            @Option(names = "--data", defaultValue = HOME, description = DATA) Path data,
            @Option(names = "--json", description = JSON) boolean json)
            throws InterruptedException {
        return new PairCommand(api, code, Objects.requireNonNullElseGet(name, PairCommand::machineName), data, json)
                .run(out(), err());
    }

    @Command(
            name = "run",
            description = "Serves the printers until stopped.",
            footer = {
                "",
                "Options may also be in a file, as status-port=7433: the one that GANTRY_CONFIG names, or",
                "/etc/gantry-agent/agent.properties, or agent.properties in the data folder. The command line takes precedence.",
                "The log goes to the error output and to logs/ in the data folder, ten files of 5 MB;",
                "GANTRY_LOG=DEBUG tells more."
            })
    int run(
            @Option(names = "--data", defaultValue = HOME, description = DATA) Path data,
            @Option(
                            names = "--status-port",
                            defaultValue = "7433",
                            description = "Port of the status page, on this machine only (default: ${DEFAULT-VALUE}).")
                    int statusPort,
            @Option(
                            names = "--cache-megabytes",
                            defaultValue = "10240",
                            description = "Size limit of the cache of print files (default: ${DEFAULT-VALUE}).")
                    long cacheMegabytes,
            @Option(
                            names = "--grace-seconds",
                            defaultValue = "30",
                            description = "How long a reachable printer may not show a print before the print"
                                    + " is given up (default: ${DEFAULT-VALUE}); longer for providers whose printers"
                                    + " show a new print late.")
                    int graceSeconds,
            @Option(names = "--ffmpeg", defaultValue = Ffmpeg.NAME, description = FFMPEG) String ffmpeg,
            @Option(
                            names = "--camera-hosts",
                            split = ",",
                            description =
                                    "Hosts whose cameras may be asked if a printer reports them, besides the printer's own"
                                            + " host, as 192.168.1.9,cameras.local.")
                    @Nullable
                    List<String> cameraHosts,
            @Option(
                            names = "--broker",
                            description =
                                    "An MQTT broker through which to reach the API, as mqtts://host:8883; without it the agent"
                                            + " connects directly to the API. Files always come from the API.")
                    @Nullable
                    URI broker)
            throws InterruptedException {
        BrokerAddress address;
        try {
            address = broker == null
                    ? null
                    : BrokerAddress.parse("--broker", broker.getScheme(), broker.getHost(), broker.getPort());
        } catch (IllegalArgumentException e) {
            err().println(e.getMessage());
            return CommandLine.ExitCode.USAGE;
        }
        return new RunCommand(
                        data,
                        statusPort,
                        Duration.ofSeconds(graceSeconds),
                        cacheMegabytes << 20,
                        ffmpeg,
                        cameraHosts == null ? Set.of() : Set.copyOf(cameraHosts),
                        address)
                .run(out(), err());
    }

    @Command(name = "printers", description = "Lists the printers that this agent serves, with their status.")
    int printers(
            @Option(names = "--data", defaultValue = HOME, description = DATA) Path data,
            @Option(names = "--json", description = JSON) boolean json)
            throws InterruptedException {
        return new PrintersCommand(data, json).run(out(), err());
    }

    @Command(
            name = "discover",
            description = "Discovers printers on this network, of every provider that announces itself.")
    int discover(
            @Option(
                            names = "--seconds",
                            defaultValue = "5",
                            description = "How long to wait for answers (default: ${DEFAULT-VALUE}).")
                    int seconds,
            @Option(names = "--json", description = JSON) boolean json)
            throws InterruptedException {
        List<Discovery> ways = Providers.ALL.stream()
                .flatMap(provider -> provider.discoveries().stream())
                .toList();
        return new DiscoverCommand(ways, Duration.ofSeconds(seconds), json).run(out(), err());
    }

    @Command(name = "doctor", description = "Checks the agent's requirements, and says how to fix each problem.")
    int doctor(
            @Option(names = "--data", defaultValue = HOME, description = DATA) Path data,
            @Option(names = "--ffmpeg", defaultValue = Ffmpeg.NAME, description = FFMPEG) String ffmpeg,
            @Option(names = "--json", description = JSON) boolean json)
            throws InterruptedException {
        return new DoctorCommand(data, new Ffmpeg(ffmpeg), json).run(out(), err());
    }

    @Command(name = "health", description = "Says whether the agent runs, for the health check of a container.")
    int health(@Option(names = "--data", defaultValue = HOME, description = DATA) Path data)
            throws InterruptedException {
        return new HealthCommand(data).run(out(), err());
    }

    @Command(name = "logs", description = "Shows the agent's log.")
    int logs(
            @Option(names = "--data", defaultValue = HOME, description = DATA) Path data,
            @Option(
                            names = "--lines",
                            defaultValue = "100",
                            description = "Number of lines (default: ${DEFAULT-VALUE}).")
                    int lines,
            @Option(
                            names = {"-f", "--follow"},
                            description = "Print new lines as they are written.")
                    boolean follow,
            @Option(names = "--json", description = JSON_LINES) boolean json)
            throws InterruptedException {
        return new LogsCommand(data, lines, follow, json).run(out(), err());
    }

    @Command(name = "version", description = "Prints the version of the agent and of Java.")
    int version(@Option(names = "--json", description = JSON) boolean json) {
        return new VersionCommand(json).run(out(), err());
    }

    private PrintWriter out() {
        return commandLine.getOut();
    }

    private PrintWriter err() {
        return commandLine.getErr();
    }
}
