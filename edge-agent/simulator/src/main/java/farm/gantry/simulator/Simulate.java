package farm.gantry.simulator;

import farm.gantry.json.Json;
import farm.gantry.simulator.PrusaLinkSimulator.Generation;
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

/** Runs simulated printers of one make on consecutive ports, until it is stopped. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        description = "Runs printers that are not there, for demos and tests.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:fine", "1:a port cannot be used; the error output says which", "2:wrong usage"})
public final class Simulate implements Callable<Integer> {
    private static final String HTTP = "http://127.0.0.1:";
    private static final String PASSWORD = "maker";
    private static final String KEY = "octopus";
    private static final String ACCESS_CODE = "12345678";

    /** What can be simulated. */
    public enum Make {
        firmwareK(1),
        sdcp(1),
        /** Its file server is at the port after its broker's, its camera at the next, its film at the one after. */
        vendorA(4),
        vendorB(1),
        vendorP(1),
        /** Its file server and its camera are at the port after its broker's. */
        elegoo(2),
        /** Its broker is at any port, which it tells. */
        anycubic(1);

        private final int ports;

        Make(int ports) {
            this.ports = ports;
        }

        private int ports() {
            return ports;
        }
    }

    /** A printer that runs; the id is null where its address says all. */
    private record Running(
            Runnable closing, String address, @Nullable String id) {}

    @Serdeable
    record Told(Make make, String address, @Nullable String id) {}

    @Option(
            names = "--make",
            defaultValue = "firmwareK",
            description = "One of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private volatile Make make = Make.firmwareK;

    @Option(names = "--count", defaultValue = "1", description = "How many (default: ${DEFAULT-VALUE}).")
    private volatile int count;

    @Option(
            names = "--port",
            defaultValue = "7125",
            description = "HttpListener of the first; the others follow (default: ${DEFAULT-VALUE}).")
    private volatile int port;

    @Option(
            names = "--speed",
            defaultValue = "1",
            description = "How many times faster than life (default: ${DEFAULT-VALUE}).")
    private volatile double speed;

    @Option(names = "--print-seconds", description = "Length of any print, instead of what its file says.")
    private volatile @Nullable Double printSeconds;

    @Option(
            names = "--api-key",
            description = "Turn away whoever comes without this key, access code or password"
                    + " (vendorA: 12345678, vendorB: octopus, vendorP: maker).")
    private volatile @Nullable String apiKey;

    @Option(names = "--json", description = "Answer in JSON, one object a line.")
    private volatile boolean json;

    private final CommandLine line = new CommandLine(this);

    private Simulate() {}

    public static void main(String[] arguments) {
        System.exit(line().execute(arguments));
    }

    static CommandLine line() {
        return new Simulate().line;
    }

    @Override
    public Integer call() throws InterruptedException {
        SimulationSpeed pace = new SimulationSpeed(speed, printSeconds);
        List<Running> running = new ArrayList<>();
        try {
            for (int index = 0; index < count; index++) {
                int first = port == 0 ? 0 : port + index * make.ports();
                try {
                    running.add(open(index, first, pace));
                } catch (Exception e) { // Netty throws what is checked without saying so.
                    line.getErr().println("HttpListener " + first + " cannot be used: " + e.getMessage());
                    return CommandLine.ExitCode.SOFTWARE;
                }
                line.getOut().println(line(running.getLast()));
            }
            line.getOut().flush();
            new CountDownLatch(1).await();
            return CommandLine.ExitCode.OK;
        } finally {
            running.forEach(printer -> printer.closing().run());
        }
    }

    private String line(Running printer) {
        if (json) {
            return Json.write(new Told(make, printer.address(), printer.id()));
        }
        return printer.id() == null ? printer.address() : printer.address() + " " + printer.id();
    }

    private Running open(int index, int free, SimulationSpeed pace) {
        return switch (make) {
            case firmwareK -> {
                MoonrakerSimulator printer = new MoonrakerSimulator(free, pace, apiKey);
                yield new Running(printer::close, HTTP + printer.port(), null);
            }
            case sdcp -> {
                String mainboard = "simulated" + (index + 1);
                SdcpSimulator printer = new SdcpSimulator(free, pace, mainboard);
                yield new Running(printer::close, "ws://127.0.0.1:" + printer.port(), mainboard);
            }
            case vendorA -> {
                String serial = "SIMULATED" + (index + 1);
                BambuSimulator printer = new BambuSimulator(free, pace, serial, keyOr(ACCESS_CODE));
                yield new Running(printer::close, "mqtts://127.0.0.1:" + printer.port(), serial);
            }
            case vendorB -> {
                OctoPrintSimulator printer = new OctoPrintSimulator(free, pace, keyOr(KEY));
                yield new Running(printer::close, HTTP + printer.port(), null);
            }
            case vendorP -> {
                PrusaLinkSimulator printer = new PrusaLinkSimulator(free, pace, Generation.firmware, keyOr(PASSWORD));
                yield new Running(printer::close, HTTP + printer.port(), null);
            }
            case elegoo -> {
                String serial = "SIMULATED" + (index + 1);
                ElegooSimulator printer = new ElegooSimulator(free, pace, serial, keyOr(ACCESS_CODE));
                yield new Running(printer::close, "mqtt://127.0.0.1:" + printer.port(), serial);
            }
            case anycubic -> {
                AnycubicSimulator printer = new AnycubicSimulator(free, pace);
                yield new Running(printer::close, HTTP + printer.port(), null);
            }
        };
    }

    private String keyOr(String usual) {
        return Objects.requireNonNullElse(apiKey, usual);
    }
}
