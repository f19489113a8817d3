package farm.gantry.edge;

import farm.gantry.Id;
import farm.gantry.edge.simulator.Pace;
import farm.gantry.edge.simulator.Simulator;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an agent costs: printing simulated printers, each telling its state four times a second, and the agent's share
 * of a core and its memory, as Linux counts them. After {@code mvn -pl edge-agent -am package}, in {@code edge-agent}:
 * {@code java -cp 'target/test-classes:target/classes:target/lib/*' farm.gantry.edge.Benchmark [printers] [seconds]}
 */
final class Benchmark {
    private static final int WARM_UP_SECONDS = 45;
    private static final double TICKS_PER_SECOND = 100;

    private Benchmark() {}

    public static void main(String[] arguments) throws Exception {
        int printers = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 50;
        int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 40;
        Path data = Files.createTempDirectory("benchmark");
        try (FakeApi api = new FakeApi()) {
            List<PrinterConfig> configs = new ArrayList<>();
            for (int i = 0; i < printers; i++) {
                Simulator simulator = new Simulator(0, new Pace(1, 3_600.0), null);
                configs.add(FakeApi.firmwareK("k" + i, simulator.port(), null));
            }
            api.serve(configs.toArray(PrinterConfig[]::new));
            try (ChildAgent agent = ChildAgent.start(api, data, "")) {
                measure(api, agent, configs, seconds);
            }
        }
        System.exit(0);
    }

    private static void measure(FakeApi api, ChildAgent agent, List<PrinterConfig> configs, int seconds)
            throws IOException {
        for (PrinterConfig config : configs) {
            String device = config.deviceId();
            Patience.until(device + " is idle", () -> "idle".equals(api.status(device)));
            api.command(device, api.print(Id.next(), 1, PrintFile.cube()));
        }
        pass(WARM_UP_SECONDS);
        for (PrinterConfig config : configs) {
            Patience.until(config.deviceId() + " prints", () -> "printing".equals(api.status(config.deviceId())));
        }
        long pid = agent.process().pid();
        double before = ticks(pid);
        int requests = api.requests().size();
        pass(seconds);
        double share = (ticks(pid) - before) / TICKS_PER_SECOND / seconds;
        double exchanges = (api.requests().size() - requests) / (double) seconds;
        System.out.printf(
                "%d printers at 4 Hz for %d s: %.1f %% of a core, %d MB resident, %.1f exchanges/s%n",
                configs.size(), seconds, 100 * share, residentMegabytes(pid), exchanges);
    }

    private static void pass(int seconds) {
        LockSupport.parkNanos(Duration.ofSeconds(seconds).toNanos());
    }

    /** User and system time, fields 14 and 15 of the process's line. */
    private static double ticks(long pid) throws IOException {
        String line = Files.readString(Path.of("/proc", String.valueOf(pid), "stat"));
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
        return Double.parseDouble(fields[11]) + Double.parseDouble(fields[12]);
    }

    private static long residentMegabytes(long pid) throws IOException {
        String status = Files.readString(Path.of("/proc", String.valueOf(pid), "status"));
        Matcher resident = Pattern.compile("VmRSS:\\s+(\\d+) kB").matcher(status);
        return resident.find() ? Long.parseLong(resident.group(1)) / 1024 : -1;
    }
}
