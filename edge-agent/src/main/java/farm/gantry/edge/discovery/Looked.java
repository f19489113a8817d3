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

/** What was found in several ways at once; {@code faults} say why some could not be gone. */
public record Looked(List<Found> found, Set<String> faults) {

    public static Looked in(List<Discovery> ways, Duration patience) throws InterruptedException {
        List<Found> found = new ArrayList<>();
        Set<String> faults = new TreeSet<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<List<Found>>> looks = ways.stream()
                    .<Callable<List<Found>>>map(way -> () -> way.look(patience))
                    .toList();
            for (Future<List<Found>> look : threads.invokeAll(looks)) {
                try {
                    found.addAll(look.get());
                } catch (ExecutionException e) {
                    Throwable cause = e.getCause();
                    faults.add(String.valueOf((cause == null ? e : cause).getMessage()));
                }
            }
        }
        return new Looked(found, faults);
    }
}
