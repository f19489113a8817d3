package farm.gantry.edge;

import farm.gantry.Id;
import farm.gantry.edge.file.Layers;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.provider.Providers;
import farm.gantry.edge.provider.RecordingListener;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.simulator.SimulationSpeed;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Brings a large file to a printer of each make, in a JVM with one carrier thread for all virtual threads, and prints how long another
 * virtual thread waited for the carrier meanwhile, in milliseconds, less what the machine made a thread of its own wait.
 */
final class LargeFileProgram {
    private static final SimulationSpeed SLOW = new SimulationSpeed(0.25, 600.0);
    private static final int LINES = 500_000;
    private static final Duration TICK = Duration.ofMillis(5);
    private static final int MAX_RUNS = 3;
    private static final int GOOD_WAIT_MILLIS = 100;

    private LargeFileProgram() {}

    /** Measures how late a thread wakes up. */
    private static final class Ticker implements AutoCloseable {
        private final AtomicLong latest = new AtomicLong();
        private final Thread thread;

        Ticker(Thread.Builder builder) {
            this.thread = builder.start(this::run);
        }

        private void run() {
            while (!Thread.currentThread().isInterrupted()) {
                long before = System.nanoTime();
                try {
                    Thread.sleep(TICK);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                latest.accumulateAndGet(System.nanoTime() - before - TICK.toNanos(), Math::max);
            }
        }

        /** Ends the measurement. */
        long milliseconds() throws InterruptedException {
            thread.interrupt();
            thread.join();
            return Duration.ofNanos(latest.get()).toMillis();
        }

        @Override
        public void close() {
            thread.interrupt();
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
        report("layers", () -> Layers.of(file));
        for (Printer.Provider make : Printer.Provider.values()) {
            RecordingListener recording = new RecordingListener();
            try (PrinterFixture fixture = PrinterFixture.of(make, SLOW, Id.next());
                    Connection connection = Providers.of(fixture.printer())
                            .keeping(folder.resolve(make.name()))
                            .connect(fixture.printer(), PrinterFixture.HOST, recording)) {
                recording.await(Status.idle);
                connection.upload(small, PrintFile.cube().sha256(), "small.gcode"); // The classes are loaded once.
                report(make.name(), () -> connection.upload(file, sha256, "large.gcode"));
            }
        }
    }

    /** Prints the least wait of up to three runs: other programs delay single runs, work on the carrier delays each. */
    private static void report(String name, Work work) throws InterruptedException {
        long wait = Long.MAX_VALUE;
        for (int run = 0; run < MAX_RUNS && wait > GOOD_WAIT_MILLIS; run++) {
            wait = Math.min(wait, wait(work));
        }
        System.out.println(name + " " + wait);
    }

    private static long wait(Work work) throws InterruptedException {
        try (Ticker carrier = new Ticker(Thread.ofVirtual());
                Ticker machine = new Ticker(Thread.ofPlatform().daemon())) {
            Thread working = Thread.ofVirtual().start(() -> {
                try {
                    work.run();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            working.join();
            return Math.max(0, carrier.milliseconds() - machine.milliseconds());
        }
    }

    /** G-code that takes its time to compress. */
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
