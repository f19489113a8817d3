package farm.gantry.simulator;

import farm.gantry.json.Json;
import farm.gantry.simulator.anycubic.AnycubicSimulator;
import farm.gantry.simulator.bambu.BambuSimulator;
import farm.gantry.simulator.elegoo.ElegooSimulator;
import farm.gantry.simulator.klipper.MoonrakerSimulator;
import farm.gantry.simulator.network.PrinterSimulator;
import farm.gantry.simulator.octoprint.OctoPrintSimulator;
import farm.gantry.simulator.printer.SimulationSpeed;
import farm.gantry.simulator.prusalink.PrusaLinkSimulator;
import farm.gantry.simulator.prusalink.PrusaLinkSimulator.Generation;
import farm.gantry.simulator.sdcp.SdcpSimulator;
import io.micronaut.serde.annotation.Serdeable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command that runs simulated printers of one provider on consecutive ports until it is stopped. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        description = "Runs simulated printers, for demos and tests.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:success", "1:a port is unavailable; the error output says which", "2:wrong usage"})
public final class SimulateCommand implements Callable<Integer> {
    private static final String PASSWORD = "maker";
    private static final String KEY = "octopus";
    private static final String ACCESS_CODE = "12345678";

    /** The providers that can be simulated. */
    public enum SimulatedProvider {
        firmwareK(1),
        sdcp(1),
        /** Broker, file server, camera and video stream have consecutive ports. */
        vendorA(4),
        vendorB(1),
        vendorP(1),
        /** The file server, also of the camera, has the port after the broker's. */
        elegoo(2),
        /** Its broker has any free port, which the printer announces. */
        anycubic(1);

        private final int ports;

        SimulatedProvider(int ports) {
            this.ports = ports;
        }

        private int ports() {
            return ports;
        }
    }

    /** A running simulator. {@code id} is the device id to register, null if the address identifies the printer. */
    private record RunningSimulator(
            PrinterSimulator printer,
            String scheme,
            @Nullable String id) {
        String address() {
            return scheme + "://127.0.0.1:" + printer.port();
        }
    }

    @Serdeable
    record StartedPrinter(
            SimulatedProvider make,
            String address,
            @Nullable String id) {}

    @Option(
            names = "--make",
            defaultValue = "firmwareK",
            description = "One of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private volatile SimulatedProvider make = SimulatedProvider.firmwareK;

    @Option(names = "--count", defaultValue = "1", description = "Number of printers (default: ${DEFAULT-VALUE}).")
    private volatile int count;

    @Option(
            names = "--port",
            defaultValue = "7125",
            description = "Port of the first; the others follow (default: ${DEFAULT-VALUE}).")
    private volatile int port;

    @Option(
            names = "--speed",
            defaultValue = "1",
            description = "Speed relative to real time (default: ${DEFAULT-VALUE}).")
    private volatile double speed;

    @Option(names = "--print-seconds", description = "Duration of every print, instead of the file's estimate.")
    private volatile @Nullable Double printSeconds;

    @Option(
            names = "--api-key",
            description = "Refuse clients without this key, access code or password"
                    + " (vendorA: 12345678, vendorB: octopus, vendorP: maker).")
    private volatile @Nullable String apiKey;

    @Option(names = "--json", description = "Print JSON, one object per line.")
    private volatile boolean json;

    private final CommandLine line = new CommandLine(this);

    private SimulateCommand() {}

    public static void main(String[] arguments) {
        System.setProperty("slf4j.internal.verbosity", "ERROR"); // It has no log of its own, and no need to say so.
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new SimulateCommand().line;
    }

    @Override
    public Integer call() throws InterruptedException {
        SimulationSpeed simulationSpeed = new SimulationSpeed(speed, printSeconds);
        List<RunningSimulator> running = new ArrayList<>();
        try {
            for (int index = 0; index < count; index++) {
                int first = port == 0 ? 0 : port + index * make.ports();
                try {
                    running.add(open(index, first, simulationSpeed));
                } catch (Exception e) { // Netty throws undeclared checked exceptions.
                    line.getErr().println("Port " + first + " cannot be used: " + e.getMessage());
                    return CommandLine.ExitCode.SOFTWARE;
                }
                line.getOut().println(describe(running.getLast()));
            }
            line.getOut().flush();
            new CountDownLatch(1).await();
            return CommandLine.ExitCode.OK;
        } finally {
            running.forEach(started -> started.printer().close());
        }
    }

    private String describe(RunningSimulator printer) {
        if (json) {
            return Json.write(new StartedPrinter(make, printer.address(), printer.id()));
        }
        return printer.id() == null ? printer.address() : printer.address() + " " + printer.id();
    }

    private RunningSimulator open(int index, int first, SimulationSpeed simulationSpeed) {
        String serial = "SIMULATED" + (index + 1);
        String mainboard = "simulated" + (index + 1);
        return switch (make) {
            case firmwareK ->
                new RunningSimulator(new MoonrakerSimulator(first, simulationSpeed, apiKey), "http", null);
            case sdcp -> new RunningSimulator(new SdcpSimulator(first, simulationSpeed, mainboard), "ws", mainboard);
            case vendorA ->
                new RunningSimulator(
                        new BambuSimulator(first, simulationSpeed, serial, configuredKeyOr(ACCESS_CODE)),
                        "mqtts",
                        serial);
            case vendorB ->
                new RunningSimulator(
                        new OctoPrintSimulator(first, simulationSpeed, configuredKeyOr(KEY)), "http", null);
            case vendorP ->
                new RunningSimulator(
                        new PrusaLinkSimulator(first, simulationSpeed, Generation.FIRMWARE, configuredKeyOr(PASSWORD)),
                        "http",
                        null);
            case elegoo ->
                new RunningSimulator(
                        new ElegooSimulator(first, simulationSpeed, serial, configuredKeyOr(ACCESS_CODE)),
                        "mqtt",
                        serial);
            case anycubic -> new RunningSimulator(new AnycubicSimulator(first, simulationSpeed), "http", null);
        };
    }

    private String configuredKeyOr(String usual) {
        return Objects.requireNonNullElse(apiKey, usual);
    }
}
