package farm.gantry.local;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** The counts of a chaos run, and the faults that it found. */
final class ChaosReport {
    private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();

    void count(String what) {
        add(what, 1);
    }

    void add(String what, int more) {
        counts.computeIfAbsent(what, _ -> new AtomicInteger()).addAndGet(more);
    }

    void addFault(String fault) {
        if (!faults.contains(fault)) {
            faults.add(fault);
            System.out.println("FAULT " + fault);
        }
    }

    List<String> faults() {
        return List.copyOf(faults);
    }

    /** Returns a row for each count. */
    String table() {
        StringBuilder table = new StringBuilder();
        new TreeMap<>(counts).forEach((what, count) -> table.append("%8d  %s%n".formatted(count.get(), what)));
        return table.append("%8d  faults%n".formatted(faults.size())).toString();
    }
}
