package farm.gantry.filament;

import farm.gantry.schedule.Matching;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** What is to be bought: what the queue and the days to come need beyond what is there. */
public final class BuyPlan {
    private final Matching matching;
    private final Map<Roll, Double> stock;
    private final List<Roll> known;

    /** {@code stock} is filament → the grams left of it, {@code variants} all that the store knows; no roll has an id or grams. */
    public BuyPlan(Matching matching, Map<Roll, Double> stock, List<Roll> variants) {
        this.matching = matching;
        this.stock = stock;
        this.known = Stream.concat(
                        stock.entrySet().stream()
                                .sorted(Map.Entry.<Roll, Double>comparingByValue()
                                        .reversed())
                                .map(Map.Entry::getKey),
                        variants.stream())
                .distinct()
                .toList();
    }

    /** A filament: what the queue takes of it, what is used a day, what there is, and what that lacks. */
    public record Line(Roll roll, double queueGrams, double gramsPerDay, double stockGrams, double lackingGrams) {}

    /**
     * A line for each filament that is needed or there, what lacks most first. {@code reserved} is what jobs under way will
     * take, {@code usedPerDay} the average of the last weeks.
     */
    public List<Line> lines(
            List<LoadPlan.Need> queue, Map<Roll, Double> reserved, Map<Roll, Double> usedPerDay, int days) {
        Map<Roll, Double> needed = new HashMap<>(reserved);
        Map<List<?>, Roll> chosen = new HashMap<>();
        queue.stream()
                .filter(need -> need.grams() != null && need.grams() > 0)
                .forEach(need -> needed.merge(
                        chosen.computeIfAbsent(need.wishes(), _ -> of(need)),
                        need.grams() == null ? 0 : need.grams(),
                        Double::sum));
        Map<Roll, Line> lines = new LinkedHashMap<>();
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

    /** The filament that meets the wishes best, of those the one of which most is left; any will do where nothing is wished. */
    private Roll of(LoadPlan.Need need) {
        if (need.wishes().isEmpty()) {
            return known.isEmpty() ? Roll.ANY : known.getFirst();
        }
        Roll best = null;
        int bestRank = Integer.MAX_VALUE;
        for (Roll roll : known) {
            OptionalInt rank = roll.rank(matching, need.wishes());
            if (rank.orElse(Integer.MAX_VALUE) < bestRank) {
                best = roll;
                bestRank = rank.orElse(Integer.MAX_VALUE);
            }
        }
        return best == null ? Roll.of(matching, need.wishes()) : best;
    }
}
