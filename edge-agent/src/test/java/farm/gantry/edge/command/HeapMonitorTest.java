package farm.gantry.edge.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests what the agent does when its heap is full. */
final class HeapMonitorTest {
    private static final Duration START = Duration.ofHours(1);

    private final AtomicInteger percent = new AtomicInteger();
    private final AtomicLong collectionMillis = new AtomicLong();
    private final AtomicInteger exits = new AtomicInteger();
    private final HeapMonitor monitor = new HeapMonitor(percent::get, collectionMillis::get, exits::incrementAndGet);

    private void check(int minute, int heap, long millis) {
        percent.set(heap);
        collectionMillis.addAndGet(millis);
        monitor.check(4000, START.plusMinutes(minute));
    }

    @Test
    void fullHeapIsReportedEachMinuteAndAnAgentThatOnlyCollectsEnds() {
        check(0, 50, 0);
        check(1, 89, 45_000);
        assertThat(exits).as("busy with collections, but not full").hasValue(0);
        check(2, 95, 20_000);
        monitor.check(4000, START.plusMinutes(2).plusSeconds(30));
        assertThat(exits).as("full, but not busy").hasValue(0);
        check(3, 95, 40_000);
        assertThat(exits).hasValue(1);
    }

    @Test
    void percentageOfThisProcessIsKnown() {
        System.gc(); // the percentage is that after a collection
        assertThat(HeapMonitor.percentUsed()).isBetween(0, HeapMonitor.FULL_PERCENT);
        assertThat(HeapMonitor.text(93, 4000))
                .startsWith("the agent's memory is 93 % full with 4000 printers; use a machine");
    }
}
