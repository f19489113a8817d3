package farm.gantry.edge;

import farm.gantry.Id;
import farm.gantry.edge.file.LayerIndex;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.provider.Providers;
import farm.gantry.edge.provider.RecordingListener;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.simulator.printer.SimulationSpeed;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Uploads a large file to a printer of each make in a JVM with one carrier thread, and prints for how many milliseconds
 * another virtual thread was blocked.
 */
final class LargeFileProgram {
    private static final SimulationSpeed SLOW = new SimulationSpeed(0.25, 600.0);
    private static final int LINES = 500_000;
    private static final Duration TICK = Duration.ofMillis(5);

    private LargeFileProgram() {}

    /**
     * Measures how long a virtual thread waits for its carrier. Time in which the carrier itself got no processor does
     * not count.
     */
    private static final class Ticker {
        private final AtomicLong longest = new AtomicLong();
        private final Thread thread = Thread.ofVirtual().start(this::run);

        private void run() {
            while (!Thread.currentThread().isInterrupted()) {
                long before = System.nanoTime();
                long used = carriersNanos();
                try {
                    Thread.sleep(TICK);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                long late = System.nanoTime() - before - TICK.toNanos();
                longest.accumulateAndGet(Math.min(late, carriersNanos() - used), Math::max);
            }
        }

        /** Returns the processor time of the carrier threads. */
        private static long carriersNanos() {
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                    .filter(thread -> thread != null && thread.getThreadName().startsWith("ForkJoinPool-1-worker"))
                    .mapToLong(thread -> threads.getThreadCpuTime(thread.getThreadId()))
                    .sum();
        }

        /** Ends the measurement and returns the longest wait. */
        long milliseconds() throws InterruptedException {
            thread.interrupt();
            thread.join();
            return Duration.ofNanos(longest.get()).toMillis();
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        Path file = gcode(folder);
        Path small = Files.write(folder.resolve("small.gcode"), PrintFile.cube().content());
        String sha256 = PrintFile.sha256(Files.readAllBytes(file));
        report("layers", () -> LayerIndex.read(file));
        for (Printer.Provider make : Printer.Provider.values()) {
            RecordingListener recording = new RecordingListener();
            try (PrinterFixture fixture = PrinterFixture.of(make, SLOW, Id.next());
                    PrinterConnection connection = Providers.of(fixture.printer())
                            .withDataFolder(folder.resolve(make.name()))
                            .connect(fixture.printer(), PrinterFixture.HOST, recording)) {
                recording.await(Status.idle);
                // Loads the classes before the measurement.
                connection.upload(small, PrintFile.cube().sha256(), "small.gcode");
                report(make.name(), () -> connection.upload(file, sha256, "large.gcode"));
            }
        }
    }

    /** Reports the shorter of two waits: a single pause may come from the JVM, while a fault shows each time. */
    private static void report(String name, Work work) throws InterruptedException {
        System.out.println(name + " " + Math.min(waited(work), waited(work)));
    }

    private static long waited(Work work) throws InterruptedException {
        Ticker ticker = new Ticker();
        Thread working = Thread.ofVirtual().start(() -> {
            try {
                work.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        working.join();
        return ticker.milliseconds();
    }

    /** Writes random G-code, which is slow to compress. */
    private static Path gcode(Path folder) throws IOException {
        Path file = folder.resolve("large.gcode");
        Random random = new Random(1);
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (int line = 0; line < LINES; line++) {
                out.write(String.format(
                        Locale.ROOT,
                        "G1 X%.3f Y%.3f E%.5f\n",
                        200 * random.nextDouble(),
                        200 * random.nextDouble(),
                        random.nextDouble()));
            }
        }
        return file;
    }
}
