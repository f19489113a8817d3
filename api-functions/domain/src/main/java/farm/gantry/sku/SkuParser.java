package farm.gantry.sku;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Finds the SKU and the option values that a market's text for an item means. A SKU of exactly that text comes first. Else the
 * text is a SKU and then suffixes of values, of each option one at most and the longest that leads to the text's end;
 * between them one separator may stand that belongs to none. Letters count as they are written.
 */
public final class SkuParser {
    private static final String SEPARATORS = "-_./ ";

    private final Map<String, SuffixedSku> skus;

    /** A SKU and the suffixes that may follow it, in the order of its options. */
    public record SuffixedSku(String id, String sku, List<Suffix> suffixes) {}

    public record Suffix(String optionId, String optionValueId, String text) {}

    /** {@code skus} hold all whose text one of the texts begins with. */
    public SkuParser(Collection<SuffixedSku> skus) {
        this.skus = skus.stream().collect(Collectors.toUnmodifiableMap(SuffixedSku::sku, Function.identity()));
    }

    public SkuMatch parse(String text) {
        SuffixedSku exact = skus.get(text);
        if (exact != null) {
            return new SkuMatch.Resolved(exact.id(), List.of());
        }
        List<SkuMatch.Resolved> readings = new ArrayList<>();
        for (int end = 1; end < text.length(); end++) {
            SuffixedSku sku = skus.get(text.substring(0, end));
            if (sku != null) {
                readings.addAll(new Suffixes(sku, text).readFrom(end));
            }
        }
        return switch (readings.size()) {
            case 0 -> new SkuMatch.NotFound();
            case 1 -> readings.getFirst();
            default -> new SkuMatch.Ambiguous(readings.get(0), readings.get(1));
        };
    }

    /** The suffixes behind one SKU in one text. A set of options is the sum of {@code 1 << option}. */
    private static final class Suffixes {
        /** A place from which no suffixes of other options lead to the text's end. */
        private record DeadEnd(int place, long options) {}

        private final SuffixedSku sku;
        private final String text;
        private final List<String> options;
        private final Map<Integer, NavigableMap<Integer, List<Suffix>>> next = new HashMap<>();
        private final Set<DeadEnd> deadEnds = new HashSet<>();

        Suffixes(SuffixedSku sku, String text) {
            this.sku = sku;
            this.text = text;
            this.options =
                    sku.suffixes().stream().map(Suffix::optionId).distinct().toList();
        }

        List<SkuMatch.Resolved> readFrom(int place) {
            return read(place, 0).stream()
                    .map(values -> new SkuMatch.Resolved(
                            sku.id(),
                            sku.suffixes().stream()
                                    .map(Suffix::optionValueId)
                                    .filter(values::contains)
                                    .distinct()
                                    .toList()))
                    .toList();
        }

        /** The sets of values, at most two, by which the text is read to its end. */
        private Set<Set<String>> read(int place, long chosen) {
            if (place == text.length()) {
                return Set.of(Set.of());
            } else if (deadEnds.contains(new DeadEnd(place, chosen))) {
                return Set.of();
            }
            for (List<Suffix> ofOneLength :
                    next.computeIfAbsent(place, this::suffixesAt).values()) {
                Set<Set<String>> readings = ofOneLength.stream()
                        .filter(suffix -> (chosen & bit(suffix)) == 0)
                        .flatMap(suffix -> read(end(place, suffix), chosen | bit(suffix)).stream()
                                .map(rest -> with(rest, suffix.optionValueId())))
                        .distinct()
                        .limit(2)
                        .collect(Collectors.toCollection(LinkedHashSet::new));
                if (!readings.isEmpty()) {
                    return readings;
                }
            }
            deadEnds.add(new DeadEnd(place, chosen));
            return Set.of();
        }

        private static Set<String> with(Set<String> values, String value) {
            Set<String> more = new HashSet<>(values);
            more.add(value);
            return more;
        }

        /** The suffixes that stand at a place, by where they end, the longest first. */
        private NavigableMap<Integer, List<Suffix>> suffixesAt(int place) {
            NavigableMap<Integer, List<Suffix>> suffixes = new TreeMap<>(Comparator.reverseOrder());
            for (Suffix suffix : sku.suffixes()) {
                int end = end(place, suffix);
                if (end > 0) {
                    suffixes.computeIfAbsent(end, _ -> new ArrayList<>()).add(suffix);
                }
            }
            return suffixes;
        }

        private long bit(Suffix suffix) {
            return 1L << options.indexOf(suffix.optionId());
        }

        /** Where a suffix ends that stands at the place, or one separator behind it; 0 if it does not. */
        private int end(int place, Suffix suffix) {
            if (text.startsWith(suffix.text(), place)) {
                return place + suffix.text().length();
            }
            boolean separated = SEPARATORS.indexOf(text.charAt(place)) >= 0;
            return separated && text.startsWith(suffix.text(), place + 1)
                    ? place + 1 + suffix.text().length()
                    : 0;
        }
    }
}
