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

/** The queue of what the API must be told, with a signal for new entries. */
public final class ReportQueue implements PrinterReporter {
    private final StateReports reports = new StateReports();
    private final BlockingQueue<Ack> acks = new LinkedBlockingQueue<>();
    private final Semaphore bell = new Semaphore(0);
    private final LongAdder receivedStatuses = new LongAdder();

    @Override
    public void statusReceived() {
        receivedStatuses.increment();
    }

    /** Returns how many statuses printers have sent. */
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

    /** Returns on a signal, or after the timeout, when non-urgent reports are due. */
    void await(Duration timeout) throws InterruptedException {
        if (bell.tryAcquire(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
            bell.drainPermits();
        }
    }
}
