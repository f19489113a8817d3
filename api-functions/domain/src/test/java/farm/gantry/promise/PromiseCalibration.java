package farm.gantry.promise;

import farm.gantry.store.WorkingHours;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Compares promises with the outcomes in simulated farms whose true durations the planner does not know. It prints the
 * percentage of jobs that end by {@code promisedAt} and by {@code promisedBy} (the goals are 50 and 90) with standard
 * errors, and the mean absolute error of {@code promisedAt} in minutes. The jobs of a farm depend on each other, so the
 * standard errors are over farms. {@code infra/local/measure promises} runs it; arguments are the days of each farm,
 * the number of seeds and a part of the cases' names.
 */
final class PromiseCalibration {
    private static final WorkingHours LUNCH = hours("12:00", "13:00");
    private static final WorkingHours NO_LUNCH = hours();

    private PromiseCalibration() {}

    /**
     * Returns working hours from Monday to Saturday, 8 to 18, without the lunch break; two people clear a bed in five
     * minutes.
     */
    private static WorkingHours hours(String... lunch) {
        List<WorkingHours.Shift> shifts = new ArrayList<>();
        for (WorkingHours.Day day : EnumSet.range(WorkingHours.Day.monday, WorkingHours.Day.saturday)) {
            List<String> times = Stream.of(Stream.of("08:00"), Stream.of(lunch), Stream.of("18:00"))
                    .flatMap(each -> each)
                    .toList();
            for (int i = 0; i < times.size(); i += 2) {
                shifts.add(new WorkingHours.Shift(day, times.get(i), times.get(i + 1)));
            }
        }
        return new WorkingHours(shifts, List.of(), 5, 5, 2);
    }

    private static UnknownFarm.Truth truth(double printers, int heating, UnknownFarm.Remainder remainder) {
        return new UnknownFarm.Truth(5, 0.4, printers, 0.04, heating, remainder, LUNCH, LUNCH);
    }

    private static Map<String, UnknownFarm.Truth> cases() {
        Map<String, UnknownFarm.Truth> cases = new LinkedHashMap<>();
        cases.put("assumptions true", new UnknownFarm.Truth(5, 0, 0, 0, 0, UnknownFarm.Remainder.CLOSE, LUNCH, LUNCH));
        cases.put("failures alone", new UnknownFarm.Truth(5, 0, 0, 0.04, 0, UnknownFarm.Remainder.CLOSE, LUNCH, LUNCH));
        cases.put(
                "slower clearing alone",
                new UnknownFarm.Truth(5, 0.4, 0, 0, 0, UnknownFarm.Remainder.CLOSE, LUNCH, LUNCH));
        cases.put("clearing 8 % slower, ±40 %", truth(0, 0, UnknownFarm.Remainder.CLOSE));
        cases.put("printer tells progress", truth(0.08, 0, UnknownFarm.Remainder.PROGRESS));
        cases.put("Klipper", truth(0.08, 0, UnknownFarm.Remainder.COUNTDOWN));
        cases.put("Klipper, 4 min of heating", truth(0.08, 240, UnknownFarm.Remainder.COUNTDOWN));
        cases.put("printer tells nothing", truth(0.08, 0, UnknownFarm.Remainder.NOTHING));
        cases.put(
                "unknown lunch break",
                new UnknownFarm.Truth(5, 0.4, 0.08, 0.04, 0, UnknownFarm.Remainder.CLOSE, NO_LUNCH, LUNCH));
        return cases;
    }

    public static void main(String[] arguments) {
        int days = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20;
        int seeds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3;
        String only = arguments.length > 2 ? arguments[2] : "";
        String row = "%-28s" + "%-30s".repeat(5) + "%n";
        System.out.printf(
                row, "case", "jobs when queued", "half of the print", "orders of 1 to 3", "of 4 to 20", "of 21 to 200");
        cases().forEach((name, truth) -> {
            if (name.contains(only)) {
                List<UnknownFarm> farms = IntStream.rangeClosed(1, seeds)
                        .mapToObj(seed -> new UnknownFarm(truth, seed).run(days))
                        .toList();
                System.out.printf(
                        row,
                        name,
                        kept(farms, UnknownFarm::jobs, _ -> true),
                        kept(farms, UnknownFarm::halfway, _ -> true),
                        kept(farms, UnknownFarm::orders, order -> order.jobs() <= 3),
                        kept(farms, UnknownFarm::orders, order -> order.jobs() > 3 && order.jobs() <= 20),
                        kept(farms, UnknownFarm::orders, order -> order.jobs() > 20));
            }
        });
    }

    private static String kept(
            List<UnknownFarm> farms,
            Function<UnknownFarm, List<UnknownFarm.Outcome>> outcomes,
            Predicate<UnknownFarm.Outcome> isCounted) {
        List<List<UnknownFarm.Outcome>> counted = farms.stream()
                .map(farm -> outcomes.apply(farm).stream().filter(isCounted).toList())
                .toList();
        double error = counted.stream()
                .flatMap(List::stream)
                .mapToDouble(outcome -> Math.abs(outcome.ended() - outcome.likely()) / 60.0)
                .average()
                .orElse(0);
        return "%s / %s (%.0f)"
                .formatted(
                        share(counted, outcome -> outcome.ended() <= outcome.likely()),
                        share(counted, outcome -> outcome.ended() <= outcome.latest()),
                        error);
    }

    /** Returns the share of all outcomes, with its standard error as that of a ratio of sums over farms. */
    private static String share(List<List<UnknownFarm.Outcome>> farms, Predicate<UnknownFarm.Outcome> isKept) {
        double all = farms.stream().mapToInt(List::size).sum();
        double kept = farms.stream().mapToLong(farm -> count(farm, isKept)).sum();
        double share = kept / all;
        double squares = farms.stream()
                .mapToDouble(farm -> count(farm, isKept) - share * farm.size())
                .map(difference -> difference * difference)
                .sum();
        return "%.1f±%.1f"
                .formatted(100 * share, 100 * Math.sqrt(squares * farms.size() / Math.max(1, farms.size() - 1)) / all);
    }

    private static long count(List<UnknownFarm.Outcome> farm, Predicate<UnknownFarm.Outcome> isKept) {
        return farm.stream().filter(isKept).count();
    }
}
