package farm.gantry.schedule;

import farm.gantry.job.JobStatus;
import farm.gantry.job.JobStatus.Transition;
import farm.gantry.printer.PrinterState;
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

/** The farm's records in memory, changed only by the rules of the domain. */
final class SimulatedCloud {
    final Map<String, Job> jobs = new TreeMap<>();
    final Map<String, Machine> machines = new TreeMap<>();
    long ackSequence = -1;
    final Map<String, Throttle.Hold> holds = new LinkedHashMap<>();
    final List<Order> orders = new ArrayList<>();
    private final PrinterThrottleGroup group;

    SimulatedCloud(PrinterThrottleGroup group) {
        this.group = group;
    }

    /** A command for an agent; {@code ackSequence} is the sequence of the agent's last event applied before it was decided. */
    record Order(int number, String printer, String job, int attempt, Kind kind, long ackSequence) {
        enum Kind {
            PRINT,
            CANCEL,
            CLEAR
        }
    }

    /** The kinds of an agent's events: a transition of a job, a foreign print on the bed, a bed cleared by a macro. */
    enum EventKind {
        START,
        COMPLETE,
        FAIL,
        CANCEL,
        REFUSED,
        USED,
        CLEARED
    }

    static final class Job {
        JobStatus status = JobStatus.Pending;
        int attempt;

        @Nullable
        String printer;

        Instant readySince = Instant.EPOCH;

        boolean go(Transition move) {
            return status.after(move).map(next -> status = next).isPresent();
        }
    }

    /** A printer as the farm knows it; {@code seen} is its last report. */
    static final class Machine {
        boolean continuous;
        boolean clearing;
        boolean throttled;
        long lastPrinted;
        PrinterState seen = state(PrinterState.Status.idle, 0);
        BedState bed = BedState.cleared(seen, Instant.EPOCH);

        @Nullable
        String job;
    }

    /** Runs one scheduling round: assigns waiting jobs to free printers and sends start commands within the throttle limits. */
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
                    if (machineOf(job.getValue()).throttled) {
                        waiting.add(job.getKey());
                    } else {
                        send(job.getKey());
                    }
                });
        for (String id : Throttle.admit(group, holds.size(), waiting)) {
            Job job = jobs.getOrDefault(id, new Job());
            holds.put(id, new Throttle.Hold(id, job.attempt, String.valueOf(job.printer), now, null, null));
            send(id);
        }
    }

    private void place(Instant now) {
        List<Candidate> printers = new ArrayList<>();
        machines.forEach((id, machine) -> {
            if (machine.job == null && isFree(machine)) {
                printers.add(SchedulingFixtures.printer(id, machine.lastPrinted));
            }
        });
        PlacementPlanner placing = new PlacementPlanner(SchedulingFixtures.RULES, printers);
        jobs.forEach((id, job) -> {
            if (job.status == JobStatus.Pending) {
                placing.place(new PlacementPlanner.WaitingJob(id, job.attempt, SchedulingFixtures.anything()))
                        .ifPresent(placement -> {
                            job.go(Transition.ASSIGN);
                            job.go(Transition.MAKE_READY);
                            job.attempt++;
                            job.printer = placement.printer().printer().id();
                            job.readySince = now;
                            machineOf(job).job = id;
                        });
            }
        });
    }

    private static boolean isFree(Machine machine) {
        return machine.seen.status().isHealthy()
                && !machine.seen.status().isBusy()
                && !machine.clearing
                && machine.bed.isFree(machine.continuous);
    }

    /** Sends the start command, or unassigns the job when its printer is no longer suitable. */
    private void send(String id) {
        Job job = jobs.getOrDefault(id, new Job());
        Machine machine = machineOf(job);
        if (isFree(machine)) {
            job.go(Transition.SEND);
            order(String.valueOf(job.printer), id, job.attempt, Order.Kind.PRINT, ackSequence);
        } else {
            job.go(Transition.UNASSIGN);
            machine.job = null;
        }
    }

    private void order(String printer, String job, int attempt, Order.Kind kind, long ackSequence) {
        orders.add(new Order(orders.size(), printer, job, attempt, kind, ackSequence));
    }

    private Machine machineOf(Job job) {
        return machines.getOrDefault(String.valueOf(job.printer), new Machine());
    }

    /** Applies an agent's event about an attempt; an event of any attempt but the printer's current one is ignored. */
    void apply(long sequence, String printer, String id, int attempt, EventKind kind) {
        ackSequence = sequence;
        Machine machine = machines.getOrDefault(printer, new Machine());
        Job job = jobs.getOrDefault(id, new Job());
        boolean isCurrent = job.attempt == attempt && job.status.isAtPrinter();
        switch (kind) {
            case START -> {
                machine.bed = BedState.USED;
                if (isCurrent) {
                    job.go(Transition.START);
                }
            }
            case COMPLETE -> over(machine, printer, id, attempt, Transition.COMPLETE, isCurrent);
            case FAIL -> over(machine, printer, id, attempt, Transition.FAIL, isCurrent);
            case CANCEL -> over(machine, printer, id, attempt, Transition.CANCEL, isCurrent);
            case REFUSED -> {
                if (isCurrent) {
                    job.go(Transition.RETURN);
                }
                if (id.equals(machine.job) && !isBackHere(job, printer, attempt)) {
                    machine.job = null;
                }
            }
            case USED -> {
                machine.bed = BedState.USED;
                stop(machine);
            }
            case CLEARED -> {
                if (machine.clearing) {
                    machine.bed = BedState.cleared(machine.seen, Instant.EPOCH);
                }
                machine.clearing = false;
            }
        }
    }

    private static void stop(Machine machine) {
        machine.continuous = false;
        machine.clearing = false;
    }

    private static boolean isBackHere(Job job, String printer, int attempt) {
        return job.status.isActive() && printer.equals(job.printer) && job.attempt != attempt;
    }

    private void over(Machine machine, String printer, String id, int attempt, Transition move, boolean isCurrent) {
        Job job = jobs.getOrDefault(id, new Job());
        if (id.equals(machine.job) && !isBackHere(job, printer, attempt)) {
            machine.job = null;
            machine.bed = BedState.USED;
            machine.lastPrinted++;
            if (machine.continuous && move == Transition.COMPLETE) {
                machine.clearing = true;
                order(printer, id, attempt, Order.Kind.CLEAR, ackSequence);
            } else {
                stop(machine);
            }
        }
        if (isCurrent) {
            job.go(move);
        }
    }

    /** Applies the printer's current status, which may be ahead of the events its agent has sent. */
    void report(String printer, PrinterState state, @Nullable String printing) {
        Machine machine = machines.getOrDefault(printer, new Machine());
        machine.seen = state;
        boolean isForeign = state.isPrinting() && !String.valueOf(printing).equals(machine.job);
        machine.bed = machine.bed.afterPrinterState(state, isForeign, Instant.EPOCH);
        if (isForeign) {
            stop(machine);
        }
    }

    /** Confirms that the bed is clear, and returns whether the confirmation was accepted. */
    boolean confirm(String printer) {
        Machine machine = machines.getOrDefault(printer, new Machine());
        boolean isAtWork = machine.job != null && isAtPrinter(machine.job);
        if (isAtWork || BedState.findRefusal(machine.seen) != null) {
            return false;
        }
        machine.bed = BedState.cleared(machine.seen, Instant.EPOCH);
        return true;
    }

    private boolean isAtPrinter(String id) {
        JobStatus status = jobs.getOrDefault(id, new Job()).status;
        return status.isAtPrinter() || !status.isActive();
    }

    /** Turns continuous printing on or off. */
    void goOn(String printer, boolean on) {
        Machine machine = machines.getOrDefault(printer, new Machine());
        machine.continuous = on;
        machine.clearing &= on;
    }

    /** Marks all printers as unreachable. */
    void lose() {
        machines.values().forEach(machine -> machine.seen = machine.seen.asOffline());
    }

    static PrinterState state(PrinterState.Status status, int prints) {
        return new PrinterState(
                PrinterState.Connection.online,
                null,
                status,
                null,
                Map.of(),
                List.of(),
                List.of(),
                String.valueOf(prints),
                Instant.EPOCH);
    }

    void cancel(String id) {
        Job job = jobs.getOrDefault(id, new Job());
        JobStatus before = job.status;
        if (job.go(Transition.CANCEL)) {
            if (before.isAtPrinter()) {
                order(String.valueOf(job.printer), id, job.attempt, Order.Kind.CANCEL, ackSequence);
            } else if (before.isActive()) {
                machineOf(job).job = null;
            }
        }
    }

    void retry(String id) {
        jobs.getOrDefault(id, new Job()).go(Transition.RETRY);
    }

    /** Returns a copy of all records, to which a crash reverts. */
    SimulatedCloud copy() {
        SimulatedCloud copy = new SimulatedCloud(group);
        copy.ackSequence = ackSequence;
        jobs.forEach((id, job) -> {
            Job same = new Job();
            same.status = job.status;
            same.attempt = job.attempt;
            same.printer = job.printer;
            same.readySince = job.readySince;
            copy.jobs.put(id, same);
        });
        machines.forEach((id, machine) -> {
            Machine same = new Machine();
            same.bed = machine.bed;
            same.continuous = machine.continuous;
            same.clearing = machine.clearing;
            same.throttled = machine.throttled;
            same.lastPrinted = machine.lastPrinted;
            same.seen = machine.seen;
            same.job = machine.job;
            copy.machines.put(id, same);
        });
        copy.holds.putAll(new HashMap<>(holds));
        copy.orders.addAll(orders);
        return copy;
    }
}
