package farm.gantry.schedule;

import farm.gantry.job.PrintJob;
import farm.gantry.material.Assignment;
import farm.gantry.part.Part;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds a place for each filament of a job: the very variant before its material, that before its type, that before a
 * member of a group. Each filament gets a place of its own as long as there are enough; then those that ask for the same
 * share one. A filament that is used and of which the job says nothing takes what is left, best of the type the file was made for. Of places
 * that fit alike, the spool that suffices with the least left on it goes first, so that spools are used up.
 */
final class MaterialMatcher {
    private static final int NOT = Integer.MAX_VALUE;

    private final Map<String, Set<String>> groups;
    private final List<SlotFilament> loaded;
    private final LoadedSpools spools;
    private final Map<SlotFilament, Integer> takenBy = new HashMap<>();
    private final Map<Integer, List<SlotFilament>> choices = new HashMap<>();

    /** {@code groups} is group → its variants. */
    MaterialMatcher(Map<String, Set<String>> groups, Candidate printer) {
        this.groups = groups;
        this.loaded = printer.filaments();
        this.spools = printer.spools();
    }

    /** Returns how well the filament matches the requested materials: lower is better; empty when it matches none. */
    static OptionalInt rank(Map<String, Set<String>> groups, List<Assignment> wishes, SlotFilament filament) {
        int rank = wishes.stream()
                .mapToInt(wish -> rank(groups, wish, filament))
                .min()
                .orElse(NOT);
        return rank == NOT ? OptionalInt.empty() : OptionalInt.of(rank);
    }

    /** Returns whether one of the wishes is met by what is loaded; no wish is met by anything. */
    boolean isAnyLoaded(List<Assignment> wishes) {
        return wishes.isEmpty() || loaded.stream().anyMatch(filament -> rank(wishes, filament) != NOT);
    }

    private int rank(List<Assignment> wishes, SlotFilament filament) {
        return rank(groups, wishes, filament).orElse(NOT);
    }

    private static int rank(Map<String, Set<String>> groups, Assignment wish, SlotFilament filament) {
        if (wish.variantId() != null) {
            return wish.variantId().equals(filament.variantId()) ? 0 : NOT;
        } else if (wish.materialId() != null) {
            return wish.materialId().equals(filament.materialId()) ? 1 : NOT;
        } else if (wish.materialType() != null) {
            return isOfType(wish.materialType(), filament) ? 2 : NOT;
        }
        Set<String> members = wish.groupId() == null ? Set.of() : groups.getOrDefault(wish.groupId(), Set.of());
        return filament.variantId() != null && members.contains(filament.variantId()) ? 3 : NOT;
    }

    /** Printers spell types as they like. */
    private static boolean isOfType(@Nullable String type, SlotFilament filament) {
        return type != null && type.equalsIgnoreCase(filament.materialType());
    }

    /** Filament index → its place; filaments for which there is none are left out. */
    SortedMap<Integer, PrintJob.Slot> assignSlots(Requirement job) {
        SortedMap<Integer, PrintJob.Slot> places = new TreeMap<>();
        job.materials().forEach((index, wishes) -> {
            if (!wishes.isEmpty()) {
                choices.put(index, sortByRank(job, index, filament -> rank(wishes, filament)));
            }
        });
        choices.keySet().stream()
                .sorted(Comparator.comparingInt((Integer index) -> bestRank(job, index))
                        .thenComparing(Comparator.naturalOrder()))
                .forEach(index -> assignSlot(index, new HashSet<>()));
        takenBy.forEach((place, index) -> places.put(index, place.slot()));
        choices.forEach((index, fitting) ->
                fitting.stream().findFirst().ifPresent(place -> places.putIfAbsent(index, place.slot())));
        for (Part.PartMaterial filament : job.unchosenFilaments()) {
            List<SlotFilament> any = sortByRank(job, filament.index(), each -> isOfType(filament.type(), each) ? 0 : 1);
            any.stream()
                    .filter(place -> !takenBy.containsKey(place))
                    .findFirst()
                    .or(() -> any.stream().findFirst())
                    .ifPresent(place -> {
                        takenBy.put(place, filament.index());
                        places.put(filament.index(), place.slot());
                    });
        }
        if (places.isEmpty() && job.needsSlicing()) {
            findAnyForSlicing().ifPresent(place -> places.put(0, place.slot()));
        }
        return places;
    }

    /** A model that names no filament is sliced for what is loaded, at best for what has a profile. */
    private Optional<SlotFilament> findAnyForSlicing() {
        return loaded.stream()
                .min(Comparator.comparing((SlotFilament filament) -> !filament.hasProfile())
                        .thenComparingInt(filament -> filament.slot().amsIndex())
                        .thenComparingInt(filament -> filament.slot().slotIndex()));
    }

    private int bestRank(Requirement job, int index) {
        List<SlotFilament> fitting = choices.getOrDefault(index, List.of());
        return fitting.isEmpty() ? NOT : rank(job.materials().getOrDefault(index, List.of()), fitting.getFirst());
    }

    private List<SlotFilament> sortByRank(Requirement job, int index, ToIntFunction<SlotFilament> rank) {
        Double grams = spools.isKnown() ? job.need().gramsOfFilament(index) : null;
        return loaded.stream()
                .filter(filament -> rank.applyAsInt(filament) != NOT)
                .sorted(Comparator.comparingInt(rank)
                        .thenComparing(filament -> grams != null && job.needsSlicing() && !filament.hasProfile())
                        .thenComparingDouble(filament -> grams == null ? 0 : spools.sortKey(filament.slot(), grams))
                        .thenComparingInt(filament -> filament.slot().amsIndex())
                        .thenComparingInt(filament -> filament.slot().slotIndex()))
                .toList();
    }

    /** Gives the filament its best free place, or that of another which can go elsewhere. */
    private boolean assignSlot(int index, Set<SlotFilament> tried) {
        List<SlotFilament> fitting = choices.getOrDefault(index, List.of());
        for (SlotFilament place : fitting) {
            if (!takenBy.containsKey(place)) {
                takenBy.put(place, index);
                return true;
            }
        }
        for (SlotFilament place : fitting) {
            Integer other = takenBy.get(place);
            if (other != null && tried.add(place) && assignSlot(other, tried)) {
                takenBy.put(place, index);
                return true;
            }
        }
        return false;
    }
}
