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

/** Limits how many printers of a throttle group heat up at the same time. */
public final class Throttle {
    private Throttle() {}

    /** A start that occupies a place of its group since a time. The temperatures are those of the file's first layer, in °C. */
    public record Hold(
            String jobId,
            int attempt,
            String printerId,
            Instant since,
            @Nullable Double bedTemperature,
            @Nullable Double nozzleTemperature) {}

    /**
     * Returns whether the start no longer occupies its place: its timeout has passed, or its printer meets every condition of the group.
     */
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

    /** Returns the next time at which the hold may be released without a change of temperature. */
    public static Instant nextTimeout(PrinterThrottleGroup group, Hold hold, Instant now) {
        Instant timeout = timeout(group, hold);
        PrinterThrottleGroup.Elapsed duration = group.releaseConditions().duration();
        Instant elapsed = duration == null ? timeout : hold.since().plusSeconds(duration.seconds());
        return elapsed.isAfter(now) && elapsed.isBefore(timeout) ? elapsed : timeout;
    }

    private static Instant timeout(PrinterThrottleGroup group, Hold hold) {
        return hold.since().plus(Duration.ofSeconds(group.fallbackTimeoutSeconds()));
    }

    /**
     * Returns whether the printer meets a temperature condition. False until it has begun the print, because it may still be warm from the
     * previous one.
     */
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

    /** Returns the waiting jobs, longest waiting first, that may start in addition to the current holds. */
    public static <W> List<W> admit(PrinterThrottleGroup group, int held, List<W> waiting) {
        return group.enabled()
                ? waiting.stream()
                        .limit(Math.max(0, group.maxConcurrentStarts() - held))
                        .toList()
                : waiting;
    }
}
