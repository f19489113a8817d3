package farm.gantry.ingest.worker;

import farm.gantry.wire.StageReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Buffers the reports of one run, so that those made within a short time are sent together. */
public final class ReportBuffer {
    private static final long MAX_DELAY_NANOS = Duration.ofMillis(200).toNanos();

    private final Consumer<List<StageReport>> next;
    private final List<BufferedReport> buffer = new ArrayList<>();

    public ReportBuffer(Consumer<List<StageReport>> next) {
        this.next = next;
    }

    private record BufferedReport(StageReport report, long since) {}

    public synchronized void add(StageReport report) {
        buffer.add(new BufferedReport(report, System.nanoTime()));
        flushDue();
    }

    public synchronized void flushDue() {
        if (!buffer.isEmpty() && System.nanoTime() - buffer.getFirst().since() >= MAX_DELAY_NANOS) {
            flush();
        }
    }

    /** Reports that cannot be sent stay in the buffer. */
    public synchronized void flush() {
        if (!buffer.isEmpty()) {
            next.accept(buffer.stream().map(BufferedReport::report).toList());
            buffer.clear();
        }
    }
}
