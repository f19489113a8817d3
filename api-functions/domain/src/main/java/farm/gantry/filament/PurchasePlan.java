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

/** Calculates the filament to buy: the needs of the queue and of the coming days, less the stock. */
public final class PurchasePlan {
    private final JobMatcher matching;
    private final Map<PlannedSpool, Double> stock;
    private final List<PlannedSpool> known;

    /**
     * Creates a plan. {@code stock} maps each filament to the grams in stock, {@code variants} are all filaments that the store knows; none
     * of them has a spool id or grams.
     */
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

    /** A line of the plan: the grams of a filament that the queue needs, that are used per day, that are in stock, and that are missing. */
    public record Line(
            PlannedSpool roll, double queueGrams, double gramsPerDay, double stockGrams, double lackingGrams) {}

    /**
     * Returns a line for each filament that is needed or in stock, largest shortage first. {@code reserved} is what running jobs will still
     * use, {@code usedPerDay} the average of the last weeks.
     */
    public List<Line> lines(
            List<LoadPlan.SpoolNeed> queue,
            Map<PlannedSpool, Double> reserved,
            Map<PlannedSpool, Double> usedPerDay,
            int days) {
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
     * Returns the grams that the queue needs of each filament. Each need is assigned to the best-matching filament with enough stock; among
     * equal matches, to the one with the most stock. If none has enough, it is assigned to the best match. Needs that few filaments match
     * are assigned first.
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
                            .flatMap(rank -> findLargestStock(rank, grams, needed).stream())
                            .findFirst()
                            .orElse(ranks.getFirst().getFirst());
                    needed.merge(charged, grams, Double::sum);
                });
        return needed;
    }

    /** Returns the filament with the most stock left, if that is enough. */
    private Optional<PlannedSpool> findLargestStock(
            List<PlannedSpool> rolls, double grams, Map<PlannedSpool, Double> needed) {
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

    /**
     * Returns the filaments that match the requested materials, grouped by how well they match, best first; all filaments if none are
     * requested.
     */
    private List<List<PlannedSpool>> matchingFilaments(List<Assignment> wishes) {
        if (wishes.isEmpty()) {
            return List.of(known.isEmpty() ? List.of(PlannedSpool.ANY) : known);
        }
        SortedMap<Integer, List<PlannedSpool>> ranks = new TreeMap<>();
        known.forEach(roll -> roll.matchRank(matching, wishes)
                .ifPresent(rank ->
                        ranks.computeIfAbsent(rank, _ -> new ArrayList<>()).add(roll)));
        return ranks.isEmpty()
                ? List.of(List.of(PlannedSpool.virtualSpool(matching, wishes)))
                : List.copyOf(ranks.values());
    }
}
