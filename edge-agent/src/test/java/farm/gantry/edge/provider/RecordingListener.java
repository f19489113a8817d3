package farm.gantry.edge.provider;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.printer.PrinterState.Status;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Records the reports of a provider. */
public final class RecordingListener implements Provider.Listener {
    private final List<Status> statuses = new CopyOnWriteArrayList<>();
    private final List<PrinterStatus> ends = new CopyOnWriteArrayList<>();
    private final AtomicInteger losses = new AtomicInteger();
    private final AtomicInteger gaps = new AtomicInteger();
    private volatile @Nullable PrinterStatus last;
    private volatile @Nullable PrinterStatus first;
    private volatile String reason = "";

    @Override
    public void onStatus(PrinterStatus reading, boolean afterGap) {
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

    /** Returns the statuses that report the end of a print. */
    List<PrinterStatus> ends() {
        return ends;
    }

    @Override
    public void onDisconnect(String reason) {
        last = null;
        this.reason = reason;
        losses.incrementAndGet();
    }

    /** Waits until this status has been reported at least once. */
    public void await(Status status) {
        Eventually.until(
                "it is " + status, () -> statuses.contains(status), () -> statuses + " " + last + " " + reason);
    }

    /** Waits until a print is reported as preparing or printing; a poll may miss the preparation. */
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

    /** Returns whether the printer is reachable and its last status matches. */
    public boolean shows(Predicate<PrinterStatus> what) {
        PrinterStatus seen = last;
        return seen != null && what.test(seen);
    }

    /** Returns the reason of the last disconnect. */
    public String reason() {
        return reason;
    }

    public int losses() {
        return losses.get();
    }

    /** Returns the number of reported statuses. */
    int statusCount() {
        return statuses.size();
    }

    public int gaps() {
        return gaps.get();
    }
}
