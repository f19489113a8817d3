package farm.gantry.edge.command;

import farm.gantry.edge.simulator.Pace;
import farm.gantry.edge.simulator.Simulator;
import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Simulated Klipper printers on consecutive ports, until it is stopped. */
public record Simulate(
        int count, int port, Pace pace, @Nullable String apiKey) {

    public int run(PrintWriter out, PrintWriter err) throws InterruptedException {
        for (int index = 0; index < count; index++) {
            try {
                Simulator simulator = new Simulator(port == 0 ? 0 : port + index, pace, apiKey);
                out.println("http://127.0.0.1:" + simulator.port());
            } catch (RuntimeException e) {
                err.println("Port " + (port + index) + " cannot be used: " + e.getMessage());
                return 1;
            }
        }
        out.flush();
        new CountDownLatch(1).await();
        return 0;
    }
}
