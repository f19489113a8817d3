package farm.gantry.schedule;

import farm.gantry.job.JobStatus;
import farm.gantry.job.JobStatus.Move;
import farm.gantry.printer.PrinterThrottleGroup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The farm's records in memory, moved by the rules of the domain and nothing else. */
final class SimulatedCloud {
    final Map<String, Job> jobs = new TreeMap<>();
    final Map<String, Bed> beds = new TreeMap<>();
    final Map<String, Throttle.Hold> holds = new LinkedHashMap<>();
    final List<Order> orders = new ArrayList<>();
    private final PrinterThrottleGroup group;

    SimulatedCloud(PrinterThrottleGroup group) {
        this.group = group;
    }

    /** A print that is to start, or to stop. */
    record Order(int number, String printer, String job, int attempt, boolean cancels) {}

    static final class Job {
        JobStatus status = JobStatus.Pending;
        int attempt;

        @Nullable
        String printer;

        Instant readySince = Instant.EPOCH;

        boolean go(Move move) {
            return status.after(move).map(next -> status = next).isPresent();
        }
    }

    static final class Bed {
        boolean ready = true;
        boolean throttled;
        long lastPrinted;

        @Nullable
        String job;
    }

    /** One round: waiting jobs get free printers, and who is let start is told to. */
    void round(Instant now) {
        place(now);
        holds.values().removeIf(hold -> {
            Job job = jobs.getOrDefault(hold.jobId(), new Job());
            return job.attempt != hold.attempt()
                    || !job.status.isAtPrinter()
                    || Throttle.isReleased(group, hold, null, now);
        });
        List<String> waiting = new ArrayList<>();
        jobs.entrySet().stream()
                .filter(job -> job.getValue().status == JobStatus.READY_FOR_PRINTER)
                .sorted(Comparator.comparing(job -> job.getValue().readySince))
                .forEach(job -> {
                    if (bedOf(job.getValue()).throttled) {
                        waiting.add(job.getKey());
                    } else {
                        send(job.getKey());
                    }
                });
        for (String id : Throttle.starts(group, holds.size(), waiting)) {
            Job job = jobs.getOrDefault(id, new Job());
            holds.put(id, new Throttle.Hold(id, job.attempt, String.valueOf(job.printer), now, null, null));
            send(id);
        }
    }

    private void place(Instant now) {
        List<Candidate> printers = new ArrayList<>();
        beds.forEach((id, bed) -> {
            if (bed.ready && bed.job == null) {
                printers.add(Shop.printer(id, bed.lastPrinted));
            }
        });
        Placing placing = new Placing(Shop.RULES, printers);
        jobs.forEach((id, job) -> {
            if (job.status == JobStatus.Pending) {
                placing.place(new Placing.Waiting(id, job.attempt, Shop.anything()))
                        .ifPresent(placement -> {
                            job.go(Move.ASSIGN);
                            job.go(Move.MAKE_READY);
                            job.attempt++;
                            job.printer = placement.printer().printer().id();
                            job.readySince = now;
                            bedOf(job).job = id;
                        });
            }
        });
    }

    private void send(String id) {
        Job job = jobs.getOrDefault(id, new Job());
        job.go(Move.SEND);
        orders.add(new Order(orders.size(), String.valueOf(job.printer), id, job.attempt, false));
    }

    private Bed bedOf(Job job) {
        return beds.getOrDefault(String.valueOf(job.printer), new Bed());
    }

    /** What an agent tells of an attempt; only the one that is at its printer counts. */
    void hear(String printer, String id, int attempt, Move move) {
        Job job = jobs.getOrDefault(id, new Job());
        boolean ends = move == Move.COMPLETE || move == Move.FAIL || move == Move.CANCEL;
        Bed bed = beds.getOrDefault(printer, new Bed());
        boolean isBackHere = job.status.isActive() && printer.equals(job.printer) && job.attempt != attempt;
        if (ends && id.equals(bed.job) && !isBackHere) {
            bed.job = null;
            bed.ready = false;
            bed.lastPrinted++;
        }
        if (job.attempt == attempt && job.status.isAtPrinter()) {
            job.go(move);
        }
    }

    void cancel(String id) {
        Job job = jobs.getOrDefault(id, new Job());
        JobStatus before = job.status;
        if (job.go(Move.CANCEL)) {
            if (before.isAtPrinter()) {
                orders.add(new Order(orders.size(), String.valueOf(job.printer), id, job.attempt, true));
            } else if (before.isActive()) {
                bedOf(job).job = null;
            }
        }
    }

    void retry(String id) {
        jobs.getOrDefault(id, new Job()).go(Move.RETRY);
    }

    /** All records as they are, to go back to when a crash undoes what was not kept. */
    SimulatedCloud copy() {
        SimulatedCloud copy = new SimulatedCloud(group);
        jobs.forEach((id, job) -> {
            Job same = new Job();
            same.status = job.status;
            same.attempt = job.attempt;
            same.printer = job.printer;
            same.readySince = job.readySince;
            copy.jobs.put(id, same);
        });
        beds.forEach((id, bed) -> {
            Bed same = new Bed();
            same.ready = bed.ready;
            same.throttled = bed.throttled;
            same.lastPrinted = bed.lastPrinted;
            same.job = bed.job;
            copy.beds.put(id, same);
        });
        copy.holds.putAll(new HashMap<>(holds));
        copy.orders.addAll(orders);
        return copy;
    }
}
