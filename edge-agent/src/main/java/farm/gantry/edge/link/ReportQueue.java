package farm.gantry.edge.link;

import farm.gantry.edge.printer.PrinterReporter;
import farm.gantry.printer.PrinterState;
import farm.gantry.wire.LinkRequest.Ack;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** The queue of acks and state reports for the API. It wakes the sender when an entry is added. */
public final class ReportQueue implements PrinterReporter {
    private final StateReports reports = new StateReports();
    private final BlockingQueue<Ack> acks = new LinkedBlockingQueue<>();
    private final Semaphore bell = new Semaphore(0);
    private final LongAdder receivedStatuses = new LongAdder();

    @Override
    public void statusReceived() {
        receivedStatuses.increment();
    }

    /** Returns how many statuses were received from printers. */
    public long receivedStatuses() {
        return receivedStatuses.sum();
    }

    @Override
    public void stateChanged(String deviceId, PrinterState state) {
        if (reports.put(deviceId, state)) {
            bell.release();
        }
    }

    @Override
    public void eventsRecorded() {
        bell.release();
    }

    void ack(Ack ack) {
        acks.add(ack);
        bell.release();
    }

    void signal() {
        bell.release();
    }

    StateReports reports() {
        return reports;
    }

    List<Ack> acks() {
        return List.copyOf(acks);
    }

    void removeAcks(List<Ack> arrived) {
        acks.removeAll(arrived);
    }

    /** Waits for a signal, or until the timeout, after which non-urgent reports are due. */
    void await(Duration timeout) throws InterruptedException {
        if (bell.tryAcquire(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
            bell.drainPermits();
        }
    }
}
