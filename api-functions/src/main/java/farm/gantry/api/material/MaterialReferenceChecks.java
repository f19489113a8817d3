package farm.gantry.api.material;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Faults;
import farm.gantry.api.error.ProblemException;
import farm.gantry.material.Assignment;
import farm.gantry.material.Material;
import farm.gantry.material.MaterialGroup;
import farm.gantry.material.MaterialVariant;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Choices of material whose ids stand in JSON, where no foreign key holds them. */
@Singleton
public final class MaterialReferenceChecks {
    private final FilamentRows rows;
    private final List<Kind> kinds;

    MaterialReferenceChecks(Tables tables, FilamentRows rows) {
        this.rows = rows;
        this.kinds = List.of(
                new Kind("materialId", "material", tables.of(Material.class), Assignment::materialId),
                new Kind("variantId", "variant", tables.of(MaterialVariant.class), Assignment::variantId),
                new Kind("groupId", "group", tables.of(MaterialGroup.class), Assignment::groupId));
    }

    /** Refuses the change if it deletes what a part of a SKU or an unfinished job chooses, naming those. */
    <R> void checkDeleted(Tx tx, List<R> before, List<R> after, Function<R, String> id) {
        if (before.isEmpty() || !after.isEmpty()) {
            return;
        }
        List<String> choosing = rows.findChoosing(tx, before.stream().map(id).toList());
        if (!choosing.isEmpty()) {
            throw ProblemException.stillReferenced(choosing);
        }
    }

    private record Kind(String field, String noun, Table<?> table, Function<Assignment, @Nullable String> id) {}

    /** Says which of the choices are none, or name what is not there; those of each path in one go. */
    public void check(Tx tx, Faults faults, Map<String, Map<String, List<Assignment>>> choicesByPath) {
        Map<String, Assignment> places = new LinkedHashMap<>();
        choicesByPath.forEach((path, choices) -> {
            choices.forEach((index, ofIndex) -> {
                for (int i = 0; i < ofIndex.size(); i++) {
                    places.put(path + "." + index + "[" + i + "]", ofIndex.get(i));
                }
            });
        });
        checkEach(tx, faults, places);
    }

    /** Checks single choices by their paths. */
    public void checkEach(Tx tx, Faults faults, Map<String, Assignment> places) {
        places.forEach((place, choice) -> MaterialAssignmentChecks.check(faults, place, choice));
        for (Kind kind : kinds) {
            Map<String, String> ids = new LinkedHashMap<>();
            places.forEach((place, choice) -> {
                String id = kind.id().apply(choice);
                if (id != null) {
                    ids.put(place + "." + kind.field(), id);
                }
            });
            Set<String> missing = kind.table().findMissing(tx, Set.copyOf(ids.values()));
            ids.forEach((place, id) -> {
                if (missing.contains(id)) {
                    faults.add(place, "unknown", place + ": there is no " + kind.noun() + " " + id);
                }
            });
        }
    }
}
