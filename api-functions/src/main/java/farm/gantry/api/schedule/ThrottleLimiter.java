package farm.gantry.api.schedule;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.printer.readiness.PrinterStateRows;
import farm.gantry.api.query.ListQuery;
import farm.gantry.job.PrintJob;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState;
import farm.gantry.printer.PrinterThrottleGroup;
import farm.gantry.schedule.Candidate;
import farm.gantry.schedule.Throttle;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides which starts are allowed by the limits of throttle groups: a start holds a slot of its group until its printer is
 * warm.
 */
@Singleton
final class ThrottleLimiter {
    private final Table<PrinterThrottleGroup> groups;
    private final ThrottleHoldRows holds;
    private final PrinterStateRows states;

    ThrottleLimiter(Tables tables, ThrottleHoldRows holds, PrinterStateRows states) {
        this.groups = tables.of(PrinterThrottleGroup.class);
        this.holds = holds;
        this.states = states;
    }

    /** The store's groups by their ids, and group id → its holds. */
    record ThrottleState(Map<String, PrinterThrottleGroup> groups, Map<String, List<Throttle.Hold>> holds) {

        /** Returns when the next hold expires by time alone; null when none does. */
        @Nullable
        Instant nextExpiry(Instant now) {
            return holds.entrySet().stream()
                    .flatMap(inGroup -> inGroup.getValue().stream()
                            .map(hold ->
                                    Throttle.nextTimeout(Objects.requireNonNull(groups.get(inGroup.getKey())), hold, now)))
                    .min(Comparator.naturalOrder())
                    .orElse(null);
        }
    }

    /** Releases the holds of starts that are over, or whose printers are warm enough; those that are left. */
    ThrottleState releaseFinished(Tx tx, Instant now) {
        holds.releaseFinished(tx);
        Map<String, List<Throttle.Hold>> held = holds.all(tx);
        Map<String, PrinterThrottleGroup> all = groups.find(tx, ListQuery.all(groups.columns())).stream()
                .collect(Collectors.toMap(PrinterThrottleGroup::id, Function.identity()));
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
        return new ThrottleState(all, held);
    }

    /**
     * Returns those of the jobs that may start now, in the given order, longest waiting first; each job of an enabled group
     * takes a hold.
     */
    List<PrintJob> admit(Tx tx, List<PrintJob> jobs, Map<String, Candidate> printers, ThrottleState held, Instant now) {
        Map<String, List<PrintJob>> waiting = new LinkedHashMap<>();
        Set<String> starting = new HashSet<>();
        for (PrintJob job : jobs) {
            String groupId = printerOf(printers, job).throttleGroupId();
            if (groupId == null) {
                starting.add(job.id());
            } else {
                waiting.computeIfAbsent(groupId, _ -> new ArrayList<>()).add(job);
            }
        }
        waiting.forEach((groupId, inGroup) -> {
            PrinterThrottleGroup group = held.groups().get(groupId);
            if (group == null) {
                return; // it was made since this round began: the next one knows it
            }
            int taken = held.holds().getOrDefault(groupId, List.of()).size();
            for (PrintJob job : Throttle.admit(group, taken, inGroup)) {
                starting.add(job.id());
                if (group.enabled()) {
                    Throttle.Hold hold = new Throttle.Hold(
                            job.id(),
                            job.attempt(),
                            printerOf(printers, job).id(),
                            now,
                            job.firstLayerBedTemperature(),
                            job.firstLayerNozzleTemperature());
                    holds.take(tx, groupId, hold);
                    held.holds()
                            .computeIfAbsent(groupId, _ -> new ArrayList<>())
                            .add(hold);
                }
            }
        });
        return jobs.stream().filter(job -> starting.contains(job.id())).toList();
    }

    /** Returns the printer that the job is assigned to. */
    static Printer printerOf(Map<String, Candidate> printers, PrintJob job) {
        return Objects.requireNonNull(printers.get(Objects.requireNonNull(job.assignedPrinterId())))
                .printer();
    }
}
