package farm.gantry.filament;

import farm.gantry.material.Assignment;
import farm.gantry.schedule.JobMatcher;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The filament to buy: the needs of the queue and of the coming days that exceed the stock. */
public final class PurchasePlan {
    private final JobMatcher matching;
    private final Map<PlannedSpool, Double> stock;
    private final List<PlannedSpool> known;

    /** {@code stock} is filament → the grams left of it, {@code variants} all that the store knows; no roll has an id or grams. */
    public PurchasePlan(JobMatcher matching, Map<PlannedSpool, Double> stock, List<PlannedSpool> variants) {
        this.matching = matching;
        this.stock = stock;
        this.known = Stream.concat(
                        stock.entrySet().stream()
                                .sorted(Map.Entry.<PlannedSpool, Double>comparingByValue()
                                        .reversed())
                                .map(Map.Entry::getKey),
                        variants.stream())
                .distinct()
                .toList();
    }

    /** A filament: what the queue takes of it, what is used a day, what there is, and what that lacks. */
    public record Line(PlannedSpool roll, double queueGrams, double gramsPerDay, double stockGrams, double lackingGrams) {}

    /**
     * A line for each filament that is needed or there, what lacks most first. {@code reserved} is what jobs under way will
     * take, {@code usedPerDay} the average of the last weeks.
     */
    public List<Line> lines(
            List<LoadPlan.SpoolNeed> queue, Map<PlannedSpool, Double> reserved, Map<PlannedSpool, Double> usedPerDay, int days) {
        Map<PlannedSpool, Double> needed = neededGrams(queue, reserved);
        Map<PlannedSpool, Line> lines = new LinkedHashMap<>();
        Stream.of(needed, usedPerDay, stock)
                .flatMap(each -> each.keySet().stream())
                .forEach(roll -> lines.computeIfAbsent(roll, _ -> {
                    double ofQueue = needed.getOrDefault(roll, 0.0);
                    double aDay = usedPerDay.getOrDefault(roll, 0.0);
                    double there = stock.getOrDefault(roll, 0.0);
                    return new Line(roll, ofQueue, aDay, there, Math.max(0, ofQueue + aDay * days - there));
                }));
        return lines.values().stream()
                .sorted(Comparator.comparingDouble(Line::lackingGrams).reversed())
                .toList();
    }

    /**
     * Returns the grams that the queue takes of each filament. A need is charged to the filament that meets its wishes best and has
     * enough left for it, of those the one of which there is most. Where none has enough, it is charged to the best of all. Needs that
     * few filaments meet choose first.
     */
    private Map<PlannedSpool, Double> neededGrams(List<LoadPlan.SpoolNeed> queue, Map<PlannedSpool, Double> reserved) {
        Map<PlannedSpool, Double> needed = new HashMap<>(reserved);
        Map<List<Assignment>, List<List<PlannedSpool>>> meeting = new HashMap<>();
        queue.forEach(need -> meeting.computeIfAbsent(need.wishes(), this::matchingFilaments));
        queue.stream()
                .filter(need -> need.grams() != null && need.grams() > 0)
                .sorted(Comparator.comparingInt(need -> meeting.getOrDefault(need.wishes(), List.of()).stream()
                        .mapToInt(List::size)
                        .sum()))
                .forEach(need -> {
                    double grams = need.grams() == null ? 0 : need.grams();
                    List<List<PlannedSpool>> ranks = meeting.getOrDefault(need.wishes(), List.of());
                    PlannedSpool charged = ranks.stream()
                            .flatMap(rank -> mostStocked(rank, grams, needed).stream())
                            .findFirst()
                            .orElse(ranks.getFirst().getFirst());
                    needed.merge(charged, grams, Double::sum);
                });
        return needed;
    }

    /** Returns the filament of which most is left, if that is enough. */
    private Optional<PlannedSpool> mostStocked(List<PlannedSpool> rolls, double grams, Map<PlannedSpool, Double> needed) {
        PlannedSpool most = null;
        double maxLeft = grams;
        for (PlannedSpool roll : rolls) {
            double left = stock.getOrDefault(roll, 0.0) - needed.getOrDefault(roll, 0.0);
            if (left > maxLeft || (left == maxLeft && most == null)) {
                most = roll;
                maxLeft = left;
            }
        }
        return Optional.ofNullable(most);
    }

    /** The filaments that meet the wishes, those that meet them as well together, the best first; any where nothing is wished. */
    private List<List<PlannedSpool>> matchingFilaments(List<Assignment> wishes) {
        if (wishes.isEmpty()) {
            return List.of(known.isEmpty() ? List.of(PlannedSpool.ANY) : known);
        }
        SortedMap<Integer, List<PlannedSpool>> ranks = new TreeMap<>();
        known.forEach(roll -> roll.matchRank(matching, wishes)
                .ifPresent(rank ->
                        ranks.computeIfAbsent(rank, _ -> new ArrayList<>()).add(roll)));
        return ranks.isEmpty() ? List.of(List.of(PlannedSpool.virtualSpool(matching, wishes))) : List.copyOf(ranks.values());
    }
}
