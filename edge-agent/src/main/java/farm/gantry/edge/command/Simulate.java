package farm.gantry.edge.command;

import farm.gantry.edge.simulator.AnycubicSimulator;
import farm.gantry.edge.simulator.BambuSimulator;
import farm.gantry.edge.simulator.ElegooSimulator;
import farm.gantry.edge.simulator.OctoPrintSimulator;
import farm.gantry.edge.simulator.Pace;
import farm.gantry.edge.simulator.PrusaLinkSimulator;
import farm.gantry.edge.simulator.PrusaLinkSimulator.Generation;
import farm.gantry.edge.simulator.SdcpSimulator;
import farm.gantry.edge.simulator.Simulator;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Simulated printers of one make on consecutive ports, until it is stopped. */
public record Simulate(
        Make make, int count, int port, Pace pace, @Nullable String apiKey) {
    private static final String HTTP = "http://127.0.0.1:";
    private static final String PASSWORD = "maker";
    private static final String KEY = "octopus";
    private static final String ACCESS_CODE = "12345678";

    /** What can be simulated. */
    public enum Make {
        firmwareK(1),
        sdcp(1),
        /** Its file server is at the port after its broker's, its camera at the next. */
        vendorA(3),
        vendorB(1),
        vendorP(1),
        /** Its file server is at the port after its broker's. */
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

    public int run(PrintWriter out, PrintWriter err) throws InterruptedException {
        for (int index = 0; index < count; index++) {
            try {
                out.println(open(index, port == 0 ? 0 : port + index * make.ports()));
            } catch (RuntimeException e) {
                err.println("Port " + (port + index) + " cannot be used: " + e.getMessage());
                return 1;
            }
        }
        out.flush();
        new CountDownLatch(1).await();
        return 0;
    }

    /** Where it is, and what else must be known of it. */
    private String open(int index, int free) {
        return switch (make) {
            case firmwareK -> HTTP + new Simulator(free, pace, apiKey).port();
            case sdcp -> {
                String mainboard = "simulated" + (index + 1);
                yield "ws://127.0.0.1:" + new SdcpSimulator(free, pace, mainboard).port() + " " + mainboard;
            }
            case vendorA -> {
                String serial = "SIMULATED" + (index + 1);
                String code = Objects.requireNonNullElse(apiKey, ACCESS_CODE);
                yield "mqtts://127.0.0.1:" + new BambuSimulator(free, pace, serial, code).port() + " " + serial;
            }
            case vendorB -> HTTP + new OctoPrintSimulator(free, pace, Objects.requireNonNullElse(apiKey, KEY)).port();
            case anycubic -> HTTP + new AnycubicSimulator(free, pace).port();
            case elegoo -> {
                String serial = "SIMULATED" + (index + 1);
                String code = Objects.requireNonNullElse(apiKey, ACCESS_CODE);
                yield "mqtt://127.0.0.1:" + new ElegooSimulator(free, pace, serial, code).port() + " " + serial;
            }
            case vendorP ->
                HTTP
                        + new PrusaLinkSimulator(
                                        free, pace, Generation.firmware, Objects.requireNonNullElse(apiKey, PASSWORD))
                                .port();
        };
    }
}
