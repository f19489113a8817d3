package farm.gantry.edge.provider;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.printer.PrinterStatus;
import farm.gantry.edge.printer.Provider;
import farm.gantry.printer.PrinterState.Status;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Keeps what a provider reported. */
public final class RecordingListener implements Provider.Listener {
    private final List<Status> statuses = new CopyOnWriteArrayList<>();
    private final List<PrinterStatus> ends = new CopyOnWriteArrayList<>();
    private final AtomicInteger losses = new AtomicInteger();
    private final AtomicInteger gaps = new AtomicInteger();
    private volatile @Nullable PrinterStatus last;
    private volatile @Nullable PrinterStatus first;
    private volatile String reason = "";

    @Override
    public void saw(PrinterStatus reading, boolean afterGap) {
        if (afterGap) {
            gaps.incrementAndGet();
        }
        if (first == null) {
            first = reading;
        }
        last = reading;
        if (reading.ending() != null) {
            ends.add(reading);
        }
        statuses.add(reading.status());
    }

    /** The readings in which a print has ended. */
    List<PrinterStatus> ends() {
        return ends;
    }

    @Override
    public void lost(String reason) {
        last = null;
        this.reason = reason;
        losses.incrementAndGet();
    }

    /** Waits until the status was reported at any time. */
    public void await(Status status) {
        Eventually.until(
                "it is " + status, () -> statuses.contains(status), () -> statuses + " " + last + " " + reason);
    }

    /** Waits until a print was reported: a polled printer may be printing by the time of the next poll. */
    void awaitPrint() {
        Eventually.until(
                "it prints",
                () -> statuses.contains(Status.preparing) || statuses.contains(Status.printing),
                () -> statuses + " " + last + " " + reason);
    }

    public PrinterStatus last() {
        return Objects.requireNonNull(last, "nothing was seen");
    }

    /** Returns the first status. */
    public PrinterStatus first() {
        return Objects.requireNonNull(first, "nothing was seen");
    }

    public boolean isSeen() {
        return last != null;
    }

    /** Whether it is in sight, and so; it may be lost at any time. */
    public boolean shows(Predicate<PrinterStatus> what) {
        PrinterStatus seen = last;
        return seen != null && what.test(seen);
    }

    /** Why it was lost last. */
    public String reason() {
        return reason;
    }

    public int losses() {
        return losses.get();
    }

    /** How often it was seen. */
    int looks() {
        return statuses.size();
    }

    public int gaps() {
        return gaps.get();
    }
}
