package farm.gantry.api.schedule;

import farm.gantry.RecordBuilder;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.store.CommandRows;
import farm.gantry.api.store.FailureRows;
import farm.gantry.api.store.PrinterConditionRows;
import farm.gantry.api.store.PrinterStateRows;
import farm.gantry.api.store.SchedulerRows;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.ThrottleHolds;
import farm.gantry.api.store.Tx;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState;
import farm.gantry.printer.PrinterThrottleGroup;
import farm.gantry.schedule.Candidate;
import farm.gantry.schedule.Matching;
import farm.gantry.schedule.PrinterCondition;
import farm.gantry.schedule.Requirement;
import farm.gantry.schedule.Throttle;
import farm.gantry.store.StoreSettings;
import farm.gantry.wire.Command;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Sends ready jobs to their printers, longest waiting first, within the limits of throttle groups. */
@Singleton
final class PrintStarter {
    private final Table<PrintJob> jobs;
    private final Candidates candidates;
    private final PrinterConditionRows conditions;
    private final Table<PrinterThrottleGroup> groups;
    private final ThrottleHolds holds;
    private final PrinterStateRows states;
    private final JobTransitions transitions;
    private final PrinterReadiness readiness;
    private final CommandRows commands;
    private final FailureRows rows;
    private final SchedulerRows queue;

    PrintStarter(
            Tables tables,
            Candidates candidates,
            PrinterConditionRows conditions,
            ThrottleHolds holds,
            PrinterStateRows states,
            JobTransitions transitions,
            PrinterReadiness readiness,
            CommandRows commands,
            FailureRows rows,
            SchedulerRows queue) {
        this.jobs = tables.of(PrintJob.class);
        this.candidates = candidates;
        this.conditions = conditions;
        this.groups = tables.of(PrinterThrottleGroup.class);
        this.holds = holds;
        this.states = states;
        this.transitions = transitions;
        this.readiness = readiness;
        this.commands = commands;
        this.rows = rows;
        this.queue = queue;
    }

    /** The jobs that were sent to their printers; {@code next} is when to look again although nothing happens. */
    record Started(Set<String> jobIds, @Nullable Instant next) {}

    /**
     * Starts jobs, none while the queue is paused. The agents' event sequences are read before the beds, so that events in between invalidate a start.
     * Their builds are left to the caller.
     */
    Started start(Tx tx, StoreSettings settings, Instant now) {
        holds.releaseFinished(tx);
        Map<String, Long> heard = conditions.ackSequences(tx);
        List<PrintJob> ready = settings.queuePausedAt() == null ? ready(tx) : List.of();
        Map<String, List<Throttle.Hold>> held = holds.all(tx);
        if (ready.isEmpty() && held.isEmpty()) {
            return new Started(Set.of(), null);
        }
        Map<String, PrinterThrottleGroup> all = groups.find(tx, ListQuery.all(groups.columns())).stream()
                .collect(Collectors.toMap(PrinterThrottleGroup::id, Function.identity()));
        release(tx, all, held, now);
        Map<String, Candidate> printersById = candidates.lock(
                tx,
                ready.stream()
                        .flatMap(job -> Stream.ofNullable(job.assignedPrinterId()))
                        .toList(),
                now);
        List<PrintJob> fit = putBackUnfit(tx, settings, ready, printersById);
        List<PrintJob> starting = admitted(tx, fit, printersById, all, held, now);
        return new Started(send(tx, starting, printersById, heard), next(all, held, now));
    }

    /** The jobs ready to start, locked, longest waiting first. */
    private List<PrintJob> ready(Tx tx) {
        return jobs.lockAll(tx, queue.readyJobs(tx)).values().stream()
                .filter(job -> job.status() == JobStatus.READY_FOR_PRINTER)
                .sorted(Comparator.comparing(
                                PrintJob::assignmentCompletedAt, Comparator.nullsFirst(Comparator.naturalOrder()))
                        .thenComparingInt(PrintJob::priority)
                        .thenComparingLong(PrintJob::queueOrder)
                        .thenComparing(PrintJob::id))
                .toList();
    }

    /** Releases holds of printers that are warm enough. */
    private void release(
            Tx tx, Map<String, PrinterThrottleGroup> all, Map<String, List<Throttle.Hold>> held, Instant now) {
        Map<String, PrinterState> seen = states.find(
                tx,
                held.values().stream()
                        .flatMap(List::stream)
                        .map(Throttle.Hold::printerId)
                        .toList());
        List<String> released = new ArrayList<>();
        held.forEach((groupId, inGroup) -> {
            PrinterThrottleGroup group = Objects.requireNonNull(all.get(groupId));
            inGroup.removeIf(hold -> {
                boolean isOver = Throttle.isReleased(group, hold, seen.get(hold.printerId()), now);
                if (isOver) {
                    released.add(hold.jobId());
                }
                return isOver;
            });
        });
        if (!released.isEmpty()) {
            holds.release(tx, released);
        }
    }

    /** When the next hold is due by time alone. */
    private static @Nullable Instant next(
            Map<String, PrinterThrottleGroup> all, Map<String, List<Throttle.Hold>> held, Instant now) {
        return held.entrySet().stream()
                .flatMap(inGroup -> inGroup.getValue().stream()
                        .map(hold -> Throttle.wake(Objects.requireNonNull(all.get(inGroup.getKey())), hold, now)))
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /**
     * Returns jobs to the queue whose printers can no longer start them, or are of another kind or hold other filament than
     * when they got them, and those of parts on hold.
     */
    private List<PrintJob> putBackUnfit(
            Tx tx, StoreSettings settings, List<PrintJob> ready, Map<String, Candidate> printersById) {
        if (ready.isEmpty()) {
            return List.of();
        }
        List<PrintJob> fit = new ArrayList<>();
        Set<String> held = rows.heldParts(tx);
        Matching matching = candidates.matching(tx, settings);
        Map<String, Requirement> requirements =
                queue.requirements(tx, ready.stream().map(PrintJob::id).toList());
        Set<String> misloaded = candidates.misloaded(tx, matching, requirements, ready);
        for (PrintJob job : ready) {
            Candidate printer = job.assignedPrinterId() == null ? null : printersById.get(job.assignedPrinterId());
            if (printer != null
                    && mayStart(printer, job.id())
                    && matching.suitsMachine(Objects.requireNonNull(requirements.get(job.id())), printer)
                    && !misloaded.contains(job.id())
                    && !held.contains(job.partId())) {
                fit.add(job);
            } else {
                transitions.toQueue(tx, job, JobStatus.Move.UNASSIGN);
                if (printer != null) {
                    readiness.unassign(tx, printer.printer().id(), job.id());
                }
            }
        }
        return fit;
    }

    /** Whether a job that is assigned to the printer may be sent to it. */
    private static boolean mayStart(Candidate candidate, String jobId) {
        Printer printer = candidate.printer();
        PrinterCondition condition = candidate.condition();
        return jobId.equals(printer.printingJobId())
                && printer.isOnline()
                && printer.proxyClientId() != null
                && condition.isFit()
                && !condition.isBusy()
                && WithdrawnStarts.isInService(candidate);
    }

    /** Those that may start now; each of a group that is enabled takes a hold. */
    private List<PrintJob> admitted(
            Tx tx,
            List<PrintJob> fit,
            Map<String, Candidate> printersById,
            Map<String, PrinterThrottleGroup> all,
            Map<String, List<Throttle.Hold>> held,
            Instant now) {
        Map<String, List<PrintJob>> waiting = new LinkedHashMap<>();
        Set<PrintJob> starting = new HashSet<>();
        for (PrintJob job : fit) {
            String groupId = printer(printersById, job).throttleGroupId();
            if (groupId == null) {
                starting.add(job);
            } else {
                waiting.computeIfAbsent(groupId, _ -> new ArrayList<>()).add(job);
            }
        }
        waiting.forEach((groupId, inGroup) -> {
            PrinterThrottleGroup group = Objects.requireNonNull(all.get(groupId));
            int taken = held.getOrDefault(groupId, List.of()).size();
            for (PrintJob job : Throttle.starts(group, taken, inGroup)) {
                starting.add(job);
                if (group.enabled()) {
                    Throttle.Hold hold = new Throttle.Hold(
                            job.id(),
                            job.attempt(),
                            printer(printersById, job).id(),
                            now,
                            job.firstLayerBedTemperature(),
                            job.firstLayerNozzleTemperature());
                    holds.take(tx, groupId, hold);
                    held.computeIfAbsent(groupId, _ -> new ArrayList<>()).add(hold);
                }
            }
        });
        return fit.stream().filter(starting::contains).toList();
    }

    private static Printer printer(Map<String, Candidate> printersById, PrintJob job) {
        return Objects.requireNonNull(printersById.get(Objects.requireNonNull(job.assignedPrinterId())))
                .printer();
    }

    private Set<String> send(
            Tx tx, List<PrintJob> starting, Map<String, Candidate> printersById, Map<String, Long> heard) {
        Map<String, Map<String, ?>> changes = new HashMap<>();
        starting.forEach(job -> changes.put(job.id(), Map.of()));
        Set<String> sent = transitions.moveAll(tx, JobStatus.READY_FOR_PRINTER, List.of(JobStatus.Move.SEND), changes);
        List<CommandRows.Order> orders = starting.stream()
                .filter(job -> sent.contains(job.id()))
                .map(job -> order(job, printer(printersById, job), heard))
                .toList();
        if (!orders.isEmpty()) {
            commands.addAll(tx, orders, Scheduler.START_LIFE);
        }
        return sent;
    }

    /** Has the file's URI; the signed URL is made when the agent fetches the command. */
    private static CommandRows.Order order(PrintJob job, Printer printer, Map<String, Long> heard) {
        String agentId = Objects.requireNonNull(printer.proxyClientId());
        PrintJob.FileToPrint file = job.filesToPrint().getFirst();
        PrintJob.@Nullable Plate plate =
                job.extensions() == null ? null : job.extensions().threeMf();
        return new CommandRows.Order(
                agentId,
                printer.id(),
                RecordBuilder.of(Command.Print.class)
                        .with("jobId", job.id())
                        .with("attempt", job.attempt())
                        .with("fileName", file.name())
                        .with("url", file.uri())
                        .with("size", file.size())
                        .with("sha256", file.sha256())
                        .with("plateId", plate == null ? null : plate.plateId())
                        .with("plateEntry", plate == null ? null : plate.gcodeFile())
                        .with("taskId", job.taskId())
                        .with("options", printer.providerConfig())
                        .with("materialMapping", job.materialMapping())
                        .with("skipObjects", plate == null ? null : plate.skipObjects())
                        .with("heardSequence", heard.get(agentId))
                        .build());
    }
}
