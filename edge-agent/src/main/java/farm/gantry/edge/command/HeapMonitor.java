package farm.gantry.edge.command;

import farm.gantry.edge.time.Uptime;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.Comparator;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns once a minute while the heap is nearly full after collections. Ends the agent if it does little but collect, so
 * that the service manager starts it again: such an agent would seem connected and serve no printer.
 */
final class HeapMonitor {
    /** The percentage from which the heap is nearly full. */
    static final int FULL_PERCENT = 90;

    private static final Logger LOG = LoggerFactory.getLogger(HeapMonitor.class);
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final IntSupplier percent;
    private final LongSupplier collectionMillis;
    private final Runnable exit;
    private volatile Duration checkedAt = Duration.ZERO;
    private volatile long checkedMillis;

    /**
     * Creates a monitor.
     *
     * @param percent percentage of the heap that was used after the last collection
     * @param collectionMillis milliseconds that all collections have taken
     * @param exit ends the agent
     */
    HeapMonitor(IntSupplier percent, LongSupplier collectionMillis, Runnable exit) {
        this.percent = percent;
        this.collectionMillis = collectionMillis;
        this.exit = exit;
    }

    /** Returns the monitor of this process. */
    static HeapMonitor ofProcess() {
        return new HeapMonitor(
                HeapMonitor::percentUsed,
                () -> ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                        .sum(),
                () -> Runtime.getRuntime().halt(3));
    }

    /** Returns the percentage of the old generation that was used after its last collection; 0 if there was none. */
    static int percentUsed() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null)
                .map(MemoryPoolMXBean::getCollectionUsage)
                .max(Comparator.comparingLong(MemoryUsage::getMax))
                .filter(usage -> usage.getMax() > 0)
                .map(usage -> (int) (100 * usage.getUsed() / usage.getMax()))
                .orElse(0);
    }

    /** Checks the heap if a minute has passed since the last time. */
    void check(int printers) {
        check(printers, Uptime.now());
    }

    void check(int printers, Duration now) {
        Duration passed = now.minus(checkedAt);
        if (passed.compareTo(INTERVAL) < 0) {
            return;
        }
        long collected = collectionMillis.getAsLong();
        boolean isCollectingOnly = 2 * (collected - checkedMillis) > passed.toMillis();
        checkedAt = now;
        checkedMillis = collected;
        int used = percent.getAsInt();
        if (used >= FULL_PERCENT) {
            LOG.warn("{}", text(used, printers));
            if (isCollectingOnly) {
                LOG.error("The agent ends, because it has done little but free memory for a minute");
                exit.run();
            }
        }
    }

    /** Returns what is wrong and what to do about it. */
    static String text(int percent, int printers) {
        return "the agent's memory is %d %% full with %d printers; ".formatted(percent, printers)
                + "use a machine with more memory, or serve some of the printers by a second agent";
    }
}
