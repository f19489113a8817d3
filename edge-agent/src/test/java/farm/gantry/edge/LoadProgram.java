package farm.gantry.edge;

import farm.gantry.Id;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterMetadata;
import farm.gantry.simulator.printer.SimulationSpeed;
import farm.gantry.wire.LinkRequest.Kind;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Measures one agent that serves many printing simulators: processor time, memory, latency of changes, traffic, and
 * recovery after a power cut. Run by {@code infra/local/measure agent}, on Linux with {@code ss}; arguments: printers,
 * seconds, samples.
 */
final class LoadProgram implements AutoCloseable {
    /** The number of printers of each make in a hundred. */
    private static final Map<Printer.Provider, Integer> MIX = Map.of(
            Printer.Provider.firmwareK, 30,
            Printer.Provider.vendorA, 25,
            Printer.Provider.vendorP, 15,
            Printer.Provider.vendorB, 10,
            Printer.Provider.sdcp, 10,
            Printer.Provider.ELEGOO_MQTT, 5,
            Printer.Provider.anycubic, 5);

    private static final SimulationSpeed REAL_SPEED = new SimulationSpeed(1, 7_200.0);
    private static final double TICKS_PER_SECOND = 100;
    private static final int SAMPLES = 200;
    private static final int POWER_CUT = 200;
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    /** A print of two hours at real speed stays in its first layer, which some makes report as preparation. */
    private static final Set<String> STARTED = Set.of("preparing", "printing");

    private static final Pattern RECEIVED = Pattern.compile("bytes_received:(\\d+)");
    private static final Pattern SENT = Pattern.compile("bytes_sent:(\\d+)");

    private final FakeApi api = new FakeApi();
    private final List<String> devices = new ArrayList<>();
    private final List<PrinterFixture> fixtures;
    private final ChildAgent agent;
    private final long pid;

    private LoadProgram(int printers) throws IOException {
        List<Printer.Provider> makes = new ArrayList<>();
        MIX.forEach((make, share) -> makes.addAll(Collections.nCopies(share, make)));
        Collections.shuffle(makes, new Random(1));
        for (int i = 0; i < printers; i++) {
            devices.add("d" + i);
        }
        this.fixtures = devices.parallelStream()
                .map(device -> PrinterFixture.of(
                        makes.get(Integer.parseInt(device.substring(1)) % makes.size()), REAL_SPEED, device))
                .toList();
        api.serve(fixtures.stream()
                .map(fixture -> withDefaultPollInterval(fixture.printer()))
                .toArray(PrinterConfig[]::new));
        this.agent = ChildAgent.startPackaged(api, Files.createTempDirectory("load"));
        this.pid = agent.process().pid();
    }

    /** Returns the printer with its default poll interval instead of that of the tests. */
    private static PrinterConfig withDefaultPollInterval(PrinterConfig config) {
        PrinterMetadata metadata = switch (config.metadata()) {
            case PrinterMetadata.VendorP p ->
                new PrinterMetadata.VendorP(p.nozzleDiameter(), p.password(), null, p.host(), p.port());
            case PrinterMetadata.VendorB b ->
                new PrinterMetadata.VendorB(b.apiKey(), b.host(), b.port(), b.nozzleDiameter(), null, b.useHttps());
            case null, default -> config.metadata();
        };
        return new PrinterConfig(
                config.printerId(), config.deviceId(), config.name(), config.provider(), metadata, null, null);
    }

    public static void main(String[] arguments) throws Exception {
        int printers = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1000;
        int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 120;
        int samples = arguments.length > 2 ? Integer.parseInt(arguments[2]) : SAMPLES;
        try (LoadProgram farm = new LoadProgram(printers)) {
            farm.run(seconds, samples);
        }
        System.exit(0);
    }

    private void run(int seconds, int samples) throws IOException, InterruptedException {
        say("%d printers are idle after %.1f s", devices.size(), await(all(Set.of("idle"))));
        List<String> jobs = devices.stream().map(device -> Id.next()).toList();
        for (int i = 0; i < devices.size(); i++) {
            api.command(devices.get(i), api.print(jobs.get(i), 1, PrintFile.cube()));
        }
        say("all print after %.1f s", await(all(STARTED)));
        LockSupport.parkNanos(Duration.ofSeconds(seconds / 4).toNanos());
        cost(seconds);
        visibility(jobs, samples);
        powerCut();
    }

    private void cost(int seconds) throws IOException, InterruptedException {
        double before = ticks();
        long received = bytes(RECEIVED, false);
        long sent = bytes(SENT, true);
        LockSupport.parkNanos(Duration.ofSeconds(seconds).toNanos());
        double share = (ticks() - before) / TICKS_PER_SECOND / seconds;
        double perHour = 3600.0 / seconds / devices.size() / 1000;
        double up = (bytes(SENT, true) - sent) * perHour;
        double down = (bytes(RECEIVED, false) - received) * perHour;
        say("for %d s: %.1f %% of a core, %d MB resident", seconds, 100 * share, residentMegabytes());
        say("a printer and hour: %.0f kB to the API, %.0f kB from the printer, %.1f to 1", up, down, down / up);
    }

    /** Measures the time from a pause at the printer to its report at the API. */
    private void visibility(List<String> jobs, int samples) {
        Random chance = new Random(2);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < devices.size(); i++) {
            order.add(i);
        }
        Collections.shuffle(order, chance);
        List<Integer> sampled = order.subList(0, Math.min(samples, devices.size()));
        double[] seen = new double[sampled.size()];
        for (int i = 0; i < seen.length; i++) {
            int printer = sampled.get(i);
            fixtures.get(printer).log().fail("filament-runout");
            seen[i] = await(() -> "paused".equals(api.status(devices.get(printer))));
        }
        Arrays.sort(seen);
        say(
                "a pause is known at the API after %.2f s at the median, %.2f s at the 99th percentile, %.2f s at most",
                seen[seen.length / 2], seen[(int) (seen.length * 0.99)], seen[seen.length - 1]);
        await(() -> sampled.stream().allMatch(i -> api.kinds(jobs.get(i)).contains(Kind.jobPaused)));
        long starts = jobs.stream()
                .filter(job -> Collections.frequency(api.kinds(job), Kind.jobStarted) == 1)
                .count();
        long pauses = jobs.stream()
                .filter(job -> Collections.frequency(api.kinds(job), Kind.jobPaused) == 1)
                .count();
        say("%d of %d starts and %d of %d pauses were told once", starts, jobs.size(), pauses, sampled.size());
    }

    private void powerCut() {
        List<Integer> cut = new ArrayList<>();
        for (int i = 0; i < Math.min(POWER_CUT, devices.size()); i++) {
            cut.add(i);
        }
        cut.parallelStream().forEach(i -> fixtures.get(i).log().fail("reboot"));
        say(
                "%d printers that lost power are back after %.1f s",
                cut.size(),
                await(() -> cut.stream()
                        .allMatch(i -> List.of("idle", "failed", "finished")
                                .contains(String.valueOf(api.status(devices.get(i)))))));
    }

    private BooleanSupplier all(Set<String> statuses) {
        return () -> devices.stream().allMatch(device -> statuses.contains(String.valueOf(api.status(device))));
    }

    /** Waits until the condition holds and returns the seconds. */
    private double await(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > TIMEOUT.toNanos()) {
                throw new IllegalStateException("waited in vain; the printers are "
                        + devices.stream()
                                .collect(Collectors.groupingBy(
                                        device -> String.valueOf(api.status(device)), Collectors.counting())));
            }
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
        return (System.nanoTime() - start) / 1e9;
    }

    /** Returns the bytes that the agent's open connections have carried, those to the API or all others. */
    private long bytes(Pattern counter, boolean toApi) throws IOException, InterruptedException {
        Process ss = new ProcessBuilder("ss", "-tinpHO", "state", "established").start();
        String lines = new String(ss.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        ss.waitFor();
        String apiPort = api.address().substring(api.address().lastIndexOf(':'));
        return lines.lines()
                .filter(line -> line.contains("pid=" + pid + ","))
                .filter(line -> line.strip().split("\\s+", -1)[3].endsWith(apiPort) == toApi)
                .map(counter::matcher)
                .filter(Matcher::find)
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .sum();
    }

    /** Returns user and system time: fields 14 and 15 of {@code /proc/PID/stat}. */
    private double ticks() throws IOException {
        String line = Files.readString(Path.of("/proc", String.valueOf(pid), "stat"));
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
        return Double.parseDouble(fields[11]) + Double.parseDouble(fields[12]);
    }

    private long residentMegabytes() throws IOException {
        String status = Files.readString(Path.of("/proc", String.valueOf(pid), "status"));
        Matcher resident = Pattern.compile("VmRSS:\\s+(\\d+) kB").matcher(status);
        return resident.find() ? Long.parseLong(resident.group(1)) / 1024 : -1;
    }

    private static void say(String format, Object... values) {
        System.out.printf(format + "%n", values);
    }

    @Override
    public void close() throws IOException {
        agent.close();
        fixtures.forEach(PrinterFixture::close);
        api.close();
    }
}
