package farm.gantry.builds;

import farm.gantry.material.Assignment;
import farm.gantry.part.Part;
import farm.gantry.part.SlicingEstimate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The materials chosen for the filaments of a part, by filament index. */
final class MaterialChoices {
    private MaterialChoices() {}

    /**
     * Returns the first choice made for each filament: {@code options} before {@code ofPart}. A filament without a choice is
     * printed with anything; one that the part skips needs none.
     */
    static Map<String, List<Assignment>> merge(
            Part part,
            Map<String, List<Assignment>> options,
            Map<String, List<Assignment>> ofPart,
            String path,
            FaultSink faults) {
        Set<Integer> filaments = filamentIndices(part);
        options.keySet().stream()
                .filter(index -> !filaments.contains(Integer.valueOf(index)))
                .forEach(index -> {
                    String at = path + "." + index;
                    faults.add(at, "not_found", at + ": the part has no filament " + index);
                });
        Set<Integer> skipped = skippedFilaments(part);
        Map<String, List<Assignment>> chosen = new TreeMap<>();
        for (Integer index : filaments) {
            String key = index.toString();
            List<Assignment> choice = options.getOrDefault(key, ofPart.getOrDefault(key, List.of()));
            if (!skipped.contains(index) && !choice.isEmpty()) {
                chosen.put(key, choice);
            }
        }
        return chosen;
    }

    /** The index of the filament of a part that is printed with one; those that it skips do not count. */
    static Optional<String> onlyFilament(Part part) {
        Set<Integer> filaments = new TreeSet<>(filamentIndices(part));
        filaments.removeAll(skippedFilaments(part));
        return filaments.size() == 1 ? Optional.of(filaments.iterator().next().toString()) : Optional.empty();
    }

    private static Set<Integer> skippedFilaments(Part part) {
        return materials(part)
                .filter(material -> Objects.equals(material.skip(), true))
                .map(Part.PartMaterial::index)
                .collect(Collectors.toSet());
    }

    private static Stream<Part.PartMaterial> materials(Part part) {
        return Stream.ofNullable(part.materials()).flatMap(List::stream);
    }

    /** A file that says nothing of its filaments has one. */
    private static Set<Integer> filamentIndices(Part part) {
        Set<Integer> indices = new TreeSet<>();
        materials(part).map(Part.PartMaterial::index).forEach(indices::add);
        Optional.ofNullable(part.slicingEstimate())
                .ifPresent(estimate -> estimate.materials().stream()
                        .map(SlicingEstimate.Material::index)
                        .forEach(indices::add));
        return indices.isEmpty() ? Set.of(0) : indices;
    }

    /** Returns the choices for the filaments that a plate uses; null where there are none. */
    static @Nullable Map<String, List<Assignment>> ofPlate(Map<String, List<Assignment>> chosen, PlatePlan plate) {
        List<Integer> used = plate.estimate().filaments();
        Map<String, List<Assignment>> ofSheet = new TreeMap<>(chosen);
        if (used != null) {
            ofSheet.keySet().removeIf(index -> !used.contains(Integer.valueOf(index)));
        }
        return ofSheet.isEmpty() ? null : ofSheet;
    }
}
