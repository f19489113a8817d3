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
 * Parses a marketplace's text for an item into a SKU and option values. A SKU with exactly that text takes precedence. Otherwise the text
 * must be a SKU followed by suffixes of values: at most one per option, the longest one that leads to the end of the text; a single
 * separator may stand between them. Case is significant.
 */
public final class SkuParser {
    private static final String SEPARATORS = "-_./ ";

    private final Map<String, SuffixedSku> skus;

    /** A SKU and the suffixes that may follow it, in the order of its options. */
    public record SuffixedSku(String id, String sku, List<Suffix> suffixes) {}

    public record Suffix(String optionId, String optionValueId, String text) {}

    /** Creates a parser; {@code skus} must contain all SKUs that one of the texts begins with. */
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

    /** Parses the suffixes after one SKU in one text. A set of options is a bit mask of {@code 1 << option}. */
    private static final class Suffixes {
        /** A position, with the options used before it, from which the end of the text cannot be reached. */
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

        /** Returns the sets of values, at most two, that the rest of the text can stand for. */
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

        /** Returns the suffixes at a position by their ends, longest first. */
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

        /** Returns the end of a suffix at the position, optionally after one separator; 0 if it is not there. */
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
