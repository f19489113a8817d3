package farm.gantry.edge;

import farm.gantry.edge.command.Doctor;
import farm.gantry.edge.command.Pair;
import farm.gantry.edge.command.Printers;
import farm.gantry.edge.command.Run;
import farm.gantry.edge.command.Simulate;
import farm.gantry.edge.simulator.Pace;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The agent's command line. */
@Command(
        name = "gantry-agent",
        version = "gantry-agent 0.1",
        mixinStandardHelpOptions = true,
        description = "Connects the printers of this network to Gantry.")
public final class Agent {
    private static final String DATA = "The agent's folder: token, journal, print files (default: ${DEFAULT-VALUE}).";
    private static final String HOME = "${env:GANTRY_DATA:-${sys:user.home}/.gantry-agent}";

    private final CommandLine line = new CommandLine(CommandSpec.forAnnotatedObject(this));

    private Agent() {}

    public static void main(String[] arguments) {
        System.exit(new Agent().line.execute(arguments));
    }

    @Command(
            name = "pair",
            mixinStandardHelpOptions = true,
            description = "Gives this agent to a store, with the code made there.")
    int pair(
            @Option(names = "--api", required = true, description = "The address of the API.") String api,
            @Option(names = "--code", required = true, description = "The pairing code, as ABCD-1234.") String code,
            @Option(names = "--name", defaultValue = "${env:HOSTNAME:-agent}", description = "What to call it there.")
                    String name,
            @Option(names = "--data", defaultValue = HOME, description = DATA) Path data)
            throws InterruptedException {
        return new Pair(api, code, name, data).run(out(), err());
    }

    @Command(name = "run", mixinStandardHelpOptions = true, description = "Serves the printers until stopped.")
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
                            description = "Room for print files (default: ${DEFAULT-VALUE}).")
                    long cacheMegabytes,
            @Option(
                            names = "--grace-seconds",
                            defaultValue = "30",
                            description = "How long a print may be out of sight on a printer that is in sight, before"
                                    + " it is given up (default: ${DEFAULT-VALUE}).")
                    int graceSeconds)
            throws InterruptedException {
        return new Run(data, statusPort, Duration.ofSeconds(graceSeconds), cacheMegabytes << 20).run(out(), err());
    }

    @Command(
            name = "printers",
            mixinStandardHelpOptions = true,
            description = "Lists the printers this agent serves, and what they do.")
    int printers(@Option(names = "--data", defaultValue = HOME, description = DATA) Path data)
            throws InterruptedException {
        return new Printers(data).run(out(), err());
    }

    @Command(name = "doctor", mixinStandardHelpOptions = true, description = "Checks everything the agent needs.")
    int doctor(@Option(names = "--data", defaultValue = HOME, description = DATA) Path data)
            throws InterruptedException {
        return new Doctor(data).run(out(), err());
    }

    @Command(
            name = "simulate",
            mixinStandardHelpOptions = true,
            description = "Runs printers that are not there, for demos and tests.")
    int simulate(
            @Option(
                            names = "--make",
                            defaultValue = "firmwareK",
                            description = "One of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
                    Simulate.Make make,
            @Option(names = "--count", defaultValue = "1", description = "How many (default: ${DEFAULT-VALUE}).")
                    int count,
            @Option(
                            names = "--port",
                            defaultValue = "7125",
                            description = "Port of the first; the others follow (default: ${DEFAULT-VALUE}).")
                    int port,
            @Option(
                            names = "--speed",
                            defaultValue = "1",
                            description = "How many times faster than life (default: ${DEFAULT-VALUE}).")
                    double speed,
            @Option(names = "--print-seconds", description = "Length of any print, instead of what its file says.")
                    @Nullable
                    Double printSeconds,
            @Option(
                            names = "--api-key",
                            description = "Turn away whoever comes without this key, access code or password"
                                    + " (vendorA: 12345678, vendorB: octopus, vendorP: maker).")
                    @Nullable
                    String apiKey)
            throws InterruptedException {
        return new Simulate(make, count, port, new Pace(speed, printSeconds), apiKey).run(out(), err());
    }

    private PrintWriter out() {
        return line.getOut();
    }

    private PrintWriter err() {
        return line.getErr();
    }
}
