package farm.gantry.edge.discovery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The printers found by several discoveries at once; {@code faults} says why some of them failed. */
public record DiscoveryResult(List<DiscoveredPrinter> found, Set<String> faults) {

    public static DiscoveryResult discover(List<Discovery> ways, Duration timeout) throws InterruptedException {
        List<DiscoveredPrinter> found = new ArrayList<>();
        Set<String> faults = new TreeSet<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<List<DiscoveredPrinter>>> looks = ways.stream()
                    .<Callable<List<DiscoveredPrinter>>>map(way -> () -> way.findPrinters(timeout))
                    .toList();
            for (Future<List<DiscoveredPrinter>> look : threads.invokeAll(looks)) {
                try {
                    found.addAll(look.get());
                } catch (ExecutionException e) {
                    Throwable cause = e.getCause();
                    faults.add(String.valueOf((cause == null ? e : cause).getMessage()));
                }
            }
        }
        return new DiscoveryResult(found, faults);
    }
}
