package farm.gantry.ingest.worker;

import farm.gantry.wire.StageReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The reports of one run. Those that come close upon each other are handed on together: nobody could see them apart. */
public final class ReportBuffer {
    private static final long TOGETHER = Duration.ofMillis(200).toNanos();

    private final Consumer<List<StageReport>> next;
    private final List<Waiting> waiting = new ArrayList<>();

    public ReportBuffer(Consumer<List<StageReport>> next) {
        this.next = next;
    }

    private record Waiting(StageReport report, long since) {}

    public synchronized void add(StageReport report) {
        waiting.add(new Waiting(report, System.nanoTime()));
        handOnOld();
    }

    public synchronized void handOnOld() {
        if (!waiting.isEmpty() && System.nanoTime() - waiting.getFirst().since() >= TOGETHER) {
            handOn();
        }
    }

    /** What cannot be handed on is kept for the next time. */
    public synchronized void handOn() {
        if (!waiting.isEmpty()) {
            next.accept(waiting.stream().map(Waiting::report).toList());
            waiting.clear();
        }
    }
}
