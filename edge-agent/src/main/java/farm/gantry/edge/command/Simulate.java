package farm.gantry.edge.command;

import farm.gantry.edge.json.Json;
import farm.gantry.edge.simulator.AnycubicSimulator;
import farm.gantry.edge.simulator.BambuSimulator;
import farm.gantry.edge.simulator.ElegooSimulator;
import farm.gantry.edge.simulator.OctoPrintSimulator;
import farm.gantry.edge.simulator.Pace;
import farm.gantry.edge.simulator.PrusaLinkSimulator;
import farm.gantry.edge.simulator.PrusaLinkSimulator.Generation;
import farm.gantry.edge.simulator.SdcpSimulator;
import farm.gantry.edge.simulator.Simulator;
import io.micronaut.serde.annotation.Serdeable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Simulated printers of one make on consecutive ports, until it is stopped. */
public record Simulate(
        Make make, int count, int port, Pace pace, @Nullable String apiKey, boolean json) {
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

    public int run(PrintWriter out, PrintWriter err) throws InterruptedException {
        List<Running> running = new ArrayList<>();
        try {
            for (int index = 0; index < count; index++) {
                int first = port == 0 ? 0 : port + index * make.ports();
                try {
                    running.add(open(index, first));
                } catch (Exception e) { // Netty throws what is checked without saying so.
                    err.println("Port " + first + " cannot be used: " + e.getMessage());
                    return 1;
                }
                out.println(line(running.getLast()));
            }
            out.flush();
            new CountDownLatch(1).await();
            return 0;
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

    private Running open(int index, int free) {
        return switch (make) {
            case firmwareK -> {
                Simulator printer = new Simulator(free, pace, apiKey);
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
