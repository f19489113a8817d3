package farm.gantry.api.queue;

import farm.gantry.CrashPoint;
import farm.gantry.StoreId;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.api.queue.QueueMessageRows.ReceivedMessage;
import farm.gantry.ingest.worker.DeadLetter;
import farm.gantry.ingest.worker.ReportBuffer;
import farm.gantry.ingest.worker.Worker;
import farm.gantry.part.Processing;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.SliceRequest;
import farm.gantry.wire.SliceResult;
import farm.gantry.wire.StageReport;
import io.micronaut.core.type.Argument;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * A worker that consumes the queues, except while its files' disk is full: reads parts and slices for jobs,
 * independently.
 */
public final class QueuedWorker {
    /** Interval of checks for lost signals. */
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(5);

    private static final Duration LATE_REPORTS = Duration.ofMillis(100);
    private static final Argument<IngestRequest> INGEST = Argument.of(IngestRequest.class);
    private static final Argument<SliceRequest> SLICE = Argument.of(SliceRequest.class);

    private final Worker worker;
    private final BooleanSupplier hasRoom;
    private final JsonCodec json;
    private final IngestReportHandler reports;
    private final SliceResultHandler slices;
    private final Set<ReportBuffer> running = ConcurrentHashMap.newKeySet();

    public QueuedWorker(
            Worker worker,
            BooleanSupplier hasRoom,
            JsonCodec json,
            IngestReportHandler reports,
            SliceResultHandler slices) {
        this.worker = worker;
        this.hasRoom = hasRoom;
        this.json = json;
        this.reports = reports;
        this.slices = slices;
    }

    /** Starts {@code readers} readers per lane; with the heavy lane it also slices, one job at a time. */
    public List<WorkLoop> start(QueueConsumer consumer, Set<IngestLane> lanes, int readers, Signal signal) {
        List<WorkLoop> loops = new ArrayList<>();
        loops.add(WorkLoop.start(
                "late-reports", new Signal(), LATE_REPORTS, () -> running.forEach(ReportBuffer::flushDue)));
        for (IngestLane lane : lanes) {
            for (int reader = 0; reader < readers; reader++) {
                loops.add(consumer.start(lane.queue(), signal, CHECK_INTERVAL, hasRoom, this::ingest));
            }
        }
        if (lanes.contains(IngestLane.HEAVY)) {
            loops.add(consumer.start(QueueNames.SLICE, signal, CHECK_INTERVAL, hasRoom, this::slice));
        }
        return loops;
    }

    /** Starts the readers, and a loop that gives them a signal when one of their queues has messages. */
    public List<WorkLoop> startPolling(QueueConsumer consumer, Set<IngestLane> lanes, int readers, Duration every) {
        Signal arrived = new Signal();
        List<String> queues =
                new ArrayList<>(lanes.stream().map(IngestLane::queue).toList());
        if (lanes.contains(IngestLane.HEAVY)) {
            queues.add(QueueNames.SLICE);
        }
        List<WorkLoop> loops = start(consumer, lanes, readers, arrived);
        loops.add(WorkLoop.start("queue-poll", new Signal(), every, () -> consumer.poll(queues, arrived)));
        return loops;
    }

    private void ingest(ReceivedMessage message) {
        IngestRequest request = json.read(message.body(), INGEST);
        if (!reports.isWanted(request)) {
            return;
        }
        if (DeadLetter.isExhausted(message.receives())) {
            reports.apply(List.of(DeadLetter.toReport(request)));
            return;
        }
        ReportBuffer run = new ReportBuffer(reports::apply);
        running.add(run);
        try {
            worker.ingest(request, report -> onReport(run, report));
        } finally {
            running.remove(run);
            run.flush();
        }
    }

    private static void onReport(ReportBuffer run, StageReport report) {
        run.add(report);
        if (report.stage().status() == Processing.StageStatus.running) {
            CrashPoint.reached(
                    report.stage().key().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        }
    }

    private void slice(ReceivedMessage message) {
        SliceRequest request = json.read(message.body(), SLICE);
        StoreId store = new StoreId(request.storeId());
        if (!slices.isWanted(store, request)) {
            return; // a redelivered request of a waiting slice; its job may have ended
        }
        SliceResult answer =
                DeadLetter.isExhausted(message.receives()) ? DeadLetter.toSliceAnswer(request) : worker.slice(request);
        slices.apply(store, answer);
    }
}
