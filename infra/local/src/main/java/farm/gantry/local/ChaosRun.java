package farm.gantry.local;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Kills the processes of a farm at random under load, and finally compares the acknowledged changes with the stored
 * ones.
 */
@Command(
        name = "infra/local/chaos",
        mixinStandardHelpOptions = true,
        description = "Starts a farm of its own with simulated printers, loads it, and kills its processes at random:"
                + " API, agent, worker, a PostgreSQL backend, PostgreSQL. Fails when anything acknowledged is lost or"
                + " doubled, a print begins twice or on an occupied bed, or a job is stuck.")
final class ChaosRun implements Callable<Integer> {
    private static final int PRINTERS = 3;
    private static final Duration SETTLE_TIMEOUT = Duration.ofMinutes(10);
    private static final long LOOK_MILLIS = 500;

    @Option(names = "--minutes", defaultValue = "1", description = "duration of the kills (${DEFAULT-VALUE})")
    double minutes = 1;

    @Option(names = "--every", defaultValue = "20", description = "seconds between two kills (${DEFAULT-VALUE})")
    int every = 20;

    @Option(names = "--seed", description = "repeats the kills and the load of an earlier run (random by default)")
    long seed = new Random().nextInt(1_000_000);

    private final ChaosReport log = new ChaosReport();

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new ChaosRun()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        System.out.println("seed " + seed);
        List<String> faults = run();
        System.out.print(log.table());
        return faults.isEmpty() ? 0 : 1;
    }

    /** Runs it and returns the faults. */
    List<String> run() throws IOException, InterruptedException {
        Map<String, String> settings = Map.of(
                "gantry.agents.long-poll-timeout", "2s",
                "gantry.agents.offline-timeout", "6s",
                "gantry.agents.offline-check-interval", "1s",
                "gantry.worker.prestart", "true",
                "gantry.webhooks.allow-insecure-local-receivers-for-development", "true");
        List<ChaosPrinter> printers = new ArrayList<>();
        try (Farm farm = Farm.start(settings);
                ChaosWebhookReceiver receiver = new ChaosWebhookReceiver(farm, log)) {
            for (int i = 1; i <= PRINTERS; i++) {
                printers.add(new ChaosPrinter(farm, "printer " + i, log));
            }
            AtomicBoolean isOver = new AtomicBoolean();
            Thread person = Thread.ofVirtual().start(() -> attendPrinters(printers, isOver));
            ChaosLoad load = new ChaosLoad(farm, log, seed);
            load.start();
            ChaosProcessKiller kills = new ChaosProcessKiller(farm, new Random(seed), log);
            long end =
                    System.nanoTime() + (long) (minutes * Duration.ofMinutes(1).toNanos());
            while (System.nanoTime() < end) {
                TimeUnit.SECONDS.sleep(every);
                kills.killOne();
            }
            load.stop();
            ChaosCheck check = new ChaosCheck(farm, load, log);
            awaitQuiet(check, receiver);
            isOver.set(true);
            person.join();
            check.checkAll(printers);
            receiver.checkEvents();
            return log.faults();
        } finally {
            printers.forEach(ChaosPrinter::close);
        }
    }

    private void attendPrinters(List<ChaosPrinter> printers, AtomicBoolean isOver) {
        while (!isOver.get()) {
            for (ChaosPrinter printer : printers) {
                try {
                    printer.attend();
                } catch (IOException | RuntimeException e) {
                    log.addFault("a printer cannot be read: " + e);
                }
            }
            try {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static void awaitQuiet(ChaosCheck check, ChaosWebhookReceiver receiver) throws InterruptedException {
        long end = System.nanoTime() + SETTLE_TIMEOUT.toNanos();
        while (System.nanoTime() < end) {
            try {
                if (check.isQuiet() && receiver.isQuiet()) {
                    return;
                }
            } catch (IOException e) {
                System.out.println("waiting for all jobs to end: " + e.getMessage());
            }
            TimeUnit.MILLISECONDS.sleep(4 * LOOK_MILLIS);
        }
    }
}
