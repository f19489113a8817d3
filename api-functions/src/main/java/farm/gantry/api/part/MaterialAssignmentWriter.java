package farm.gantry.api.part;

import farm.gantry.Id;
import farm.gantry.api.cost.SkuCostRows;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Faults;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.material.MaterialAssignmentChecks;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.resource.Resources;
import farm.gantry.material.Assignment;
import farm.gantry.part.Part;
import farm.gantry.part.PartMaterialAssignment;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Stores the material assignments of parts. */
@Singleton
final class MaterialAssignmentWriter {
    private static final String FIELD = "assignedMaterials";

    private final Table<PartMaterialAssignment> table;
    private final RecordReader reader;
    private final SkuCostRows costs;

    MaterialAssignmentWriter(Tables tables, RecordReader reader, SkuCostRows costs) {
        this.table = tables.of(PartMaterialAssignment.class);
        this.reader = reader;
        this.costs = costs;
    }

    /** Whether the body speaks of them; if only to clear them, with null. */
    static boolean isPresentIn(@Nullable JsonNode body) {
        return body != null && body.get(FIELD) != null;
    }

    Map<String, List<Assignment>> read(JsonNode body) {
        if (!isPresentIn(body)) {
            return Map.of();
        }
        Map<String, List<Assignment>> choices = Objects.requireNonNullElse(
                reader.read(MaterialAssignments.class, body).assignedMaterials(), Map.of());
        Faults faults = new Faults();
        MaterialAssignmentChecks.check(faults, FIELD, choices);
        faults.check();
        return choices;
    }

    void replace(Tx tx, Part part, Map<String, List<Assignment>> choices) {
        List<PartMaterialAssignment> former =
                table.find(tx, ListQuery.all(table.columns(), PartMaterialAssignment::partId, part.id()));
        table.delete(tx, former.stream().map(PartMaterialAssignment::id).toList());
        Faults faults = new Faults();
        choices.forEach((index, ofIndex) -> {
            for (int i = 0; i < ofIndex.size(); i++) {
                PartMaterialAssignment assignment = PartMaterialAssignment.of(
                        Id.next(), part, Integer.parseInt(index), i, Resources.now(), ofIndex.get(i));
                faults.read(
                        FIELD + "." + index + "[" + i + "]",
                        () -> table.insert(tx, assignment, Secrets.Visibility.HIDDEN));
            }
        });
        faults.check();
        costs.refreshOfParts(tx, List.of(part.id()));
    }
}
