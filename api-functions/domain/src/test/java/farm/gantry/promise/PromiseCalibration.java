package farm.gantry.promise;

import farm.gantry.store.WorkingHours;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Holds promises against what then happens in simulated farms whose truth the planner does not know, and prints the share that is kept
 * by {@code promisedAt} and by {@code promisedBy} in percent (50 and 90 are wanted), and the mean absolute error of {@code promisedAt}
 * in minutes. {@code infra/local/measure promises} runs it; arguments are the days of each farm and the number of seeds.
 */
final class PromiseCalibration {
    private static final WorkingHours LUNCH = hours("12:00", "13:00");
    private static final WorkingHours NO_LUNCH = hours();

    private PromiseCalibration() {}

    /** Monday to Saturday from 8 to 18, but for the time between the two; two people clear a bed in five minutes. */
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
        cases.put("assumptions true", new UnknownFarm.Truth(5, 0, 0, 0, 0, UnknownFarm.Remainder.EXACT, LUNCH, LUNCH));
        cases.put("clearing 8 % slower, ±40 %", truth(0, 0, UnknownFarm.Remainder.EXACT));
        cases.put("printer tells progress", truth(0.08, 0, UnknownFarm.Remainder.PROGRESS));
        cases.put("Klipper", truth(0.08, 0, UnknownFarm.Remainder.COUNTDOWN));
        cases.put("Klipper, 4 min of heating", truth(0.08, 240, UnknownFarm.Remainder.COUNTDOWN));
        cases.put("printer tells nothing", truth(0.08, 0, UnknownFarm.Remainder.NOTHING));
        cases.put(
                "unknown lunch break",
                new UnknownFarm.Truth(5, 0.4, 0.08, 0.04, 0, UnknownFarm.Remainder.EXACT, NO_LUNCH, LUNCH));
        return cases;
    }

    public static void main(String[] arguments) {
        int days = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20;
        int seeds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3;
        System.out.printf(
                "%-28s%-24s%-24s%-24s%-24s%-24s%n",
                "case", "jobs when queued", "half of the print", "orders of 1 to 3", "of 4 to 20", "of 21 to 200");
        cases().forEach((name, truth) -> {
            List<UnknownFarm> farms = new ArrayList<>();
            for (int seed = 1; seed <= seeds; seed++) {
                farms.add(new UnknownFarm(truth, seed).run(days));
            }
            List<UnknownFarm.Outcome> orders =
                    farms.stream().flatMap(farm -> farm.orders().stream()).toList();
            System.out.printf(
                    "%-28s%-24s%-24s%-24s%-24s%-24s%n",
                    name,
                    kept(farms.stream().flatMap(farm -> farm.jobs().stream()).toList(), _ -> true),
                    kept(farms.stream().flatMap(farm -> farm.halfway().stream()).toList(), _ -> true),
                    kept(orders, order -> order.jobs() <= 3),
                    kept(orders, order -> order.jobs() > 3 && order.jobs() <= 20),
                    kept(orders, order -> order.jobs() > 20));
        });
    }

    private static String kept(List<UnknownFarm.Outcome> all, Predicate<UnknownFarm.Outcome> isCounted) {
        List<UnknownFarm.Outcome> outcomes = all.stream().filter(isCounted).toList();
        double likely = share(outcomes, outcome -> outcome.ended() <= outcome.likely());
        double latest = share(outcomes, outcome -> outcome.ended() <= outcome.latest());
        double error = outcomes.stream()
                .mapToDouble(outcome -> Math.abs(outcome.ended() - outcome.likely()) / 60.0)
                .average()
                .orElse(0);
        return "%.1f / %.1f (%.0f) n=%d".formatted(likely, latest, error, outcomes.size());
    }

    private static double share(List<UnknownFarm.Outcome> outcomes, Predicate<UnknownFarm.Outcome> isKept) {
        return outcomes.isEmpty() ? 0 : 100.0 * outcomes.stream().filter(isKept).count() / outcomes.size();
    }
}
