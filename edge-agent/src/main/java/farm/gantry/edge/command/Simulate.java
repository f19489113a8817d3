package farm.gantry.edge.command;

import farm.gantry.edge.simulator.BambuSimulator;
import farm.gantry.edge.simulator.Pace;
import farm.gantry.edge.simulator.PrusaLinkSimulator;
import farm.gantry.edge.simulator.PrusaLinkSimulator.Generation;
import farm.gantry.edge.simulator.Simulator;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Simulated printers of one make on consecutive ports, until it is stopped. */
public record Simulate(
        Make make, int count, int port, Pace pace, @Nullable String apiKey) {
    private static final String PASSWORD = "maker";
    private static final String ACCESS_CODE = "12345678";

    /** What can be simulated. */
    public enum Make {
        firmwareK,
        vendorA,
        vendorP
    }

    public int run(PrintWriter out, PrintWriter err) throws InterruptedException {
        for (int index = 0; index < count; index++) {
            try {
                out.println("http://127.0.0.1:" + open(port == 0 ? 0 : port + index));
            } catch (RuntimeException e) {
                err.println("Port " + (port + index) + " cannot be used: " + e.getMessage());
                return 1;
            }
        }
        out.flush();
        new CountDownLatch(1).await();
        return 0;
    }

    private int open(int free) {
        return switch (make) {
            case firmwareK -> new Simulator(free, pace, apiKey).port();
            case vendorA ->
                new BambuSimulator(free, pace, "SIMULATED" + free, Objects.requireNonNullElse(apiKey, ACCESS_CODE))
                        .port();
            case vendorP ->
                new PrusaLinkSimulator(free, pace, Generation.firmware, Objects.requireNonNullElse(apiKey, PASSWORD))
                        .port();
        };
    }
}
