package farm.gantry.schedule;

import farm.gantry.printer.PrinterState;
import farm.gantry.printer.PrinterThrottleGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Printers of a group that may not all heat up at once: who holds a place still, and who gets the next. */
public final class Throttle {
    private Throttle() {}

    /**
     * A start that holds a place of its group since then; the temperatures are those of the file's first layer, in °C.
     */
    public record Hold(
            String jobId,
            int attempt,
            String printerId,
            Instant since,
            @Nullable Double bedTemperature,
            @Nullable Double nozzleTemperature) {}

    /** Returns whether the start has had its time, or its printer is as warm as every condition of the group asks. */
    public static boolean isReleased(PrinterThrottleGroup group, Hold hold, @Nullable PrinterState state, Instant now) {
        PrinterThrottleGroup.ReleaseConditions until = group.releaseConditions();
        if (!now.isBefore(timeout(group, hold))) {
            return true;
        }
        boolean saysNothing = until.bed() == null && until.nozzle() == null && until.duration() == null;
        return !saysNothing
                && (until.duration() == null
                        || !now.isBefore(
                                hold.since().plusSeconds(until.duration().seconds())))
                && (until.bed() == null
                        || isWarm(until.bed(), "bed", hold.bedTemperature(), group.temperatureToleranceC(), state))
                && (until.nozzle() == null
                        || isWarm(
                                until.nozzle(),
                                "nozzle",
                                hold.nozzleTemperature(),
                                group.temperatureToleranceC(),
                                state));
    }

    /** The next time at which the clock alone may release the hold. */
    public static Instant nextTimeout(PrinterThrottleGroup group, Hold hold, Instant now) {
        Instant timeout = timeout(group, hold);
        PrinterThrottleGroup.Elapsed duration = group.releaseConditions().duration();
        Instant elapsed = duration == null ? timeout : hold.since().plusSeconds(duration.seconds());
        return elapsed.isAfter(now) && elapsed.isBefore(timeout) ? elapsed : timeout;
    }

    private static Instant timeout(PrinterThrottleGroup group, Hold hold) {
        return hold.since().plus(Duration.ofSeconds(group.fallbackTimeoutSeconds()));
    }

    /** A printer that has not begun is not warm for this start, whatever the last one left. */
    private static boolean isWarm(
            PrinterThrottleGroup.Heated condition,
            String heater,
            @Nullable Double firstLayer,
            double tolerance,
            @Nullable PrinterState state) {
        if (state == null || !state.status().isBusy()) {
            return false;
        }
        List<PrinterState.Temperature> heaters = state.temperatures().entrySet().stream()
                .filter(each -> each.getKey().matches(heater + "[0-9]*"))
                .flatMap(each -> Stream.of(each.getValue()))
                .toList();
        Double percent = condition.percent();
        return switch (condition.mode()) {
            case PERCENT_OF_TARGET -> {
                List<PrinterState.Temperature> heated =
                        heaters.stream().filter(each -> each.target() > 0).toList();
                yield percent != null
                        && !heated.isEmpty()
                        && heated.stream().allMatch(each -> each.actual() + tolerance >= each.target() * percent / 100);
            }
            case FIXED_TEMP -> isReached(heaters, condition.temperatureC(), tolerance);
            case FIRST_LAYER_TEMP -> isReached(heaters, firstLayer, tolerance);
        };
    }

    private static boolean isReached(
            List<PrinterState.Temperature> heaters, @Nullable Double wanted, double tolerance) {
        Optional<PrinterState.Temperature> warmest =
                heaters.stream().max(Comparator.comparingDouble(PrinterState.Temperature::actual));
        return wanted != null && warmest.isPresent() && warmest.get().actual() + tolerance >= wanted;
    }

    /** Returns those of the waiting jobs, longest waiting first, that may start beside the current holds. */
    public static <W> List<W> admit(PrinterThrottleGroup group, int held, List<W> waiting) {
        return group.enabled()
                ? waiting.stream()
                        .limit(Math.max(0, group.maxConcurrentStarts() - held))
                        .toList()
                : waiting;
    }
}
