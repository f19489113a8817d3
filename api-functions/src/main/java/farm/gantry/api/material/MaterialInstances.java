package farm.gantry.api.material;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.material.Material;
import farm.gantry.material.MaterialInstance;
import farm.gantry.material.MaterialVariant;
import io.micronaut.http.annotation.Controller;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Spools; each is of a variant, of a material, or at least of a type. */
@Controller("/v1/materials/instances")
final class MaterialInstances extends ResourceRoutes<MaterialInstance> {

    MaterialInstances(ResourceFactory factory, Tables tables, LoadedFilamentUpdater loaded) {
        super(factory.of(MaterialInstance.class, "material instance")
                .lockedBy((tx, _) -> loaded.lock(tx))
                .checkedTogetherBy((tx, spools) -> withDerivedMaterials(tables, tx, spools))
                .followedBy((tx, before, after) -> loaded.onChange(
                        tx,
                        before,
                        after,
                        spool -> Arrays.asList(
                                spool.id(), spool.variantId(), spool.materialId(), spool.materialType()))));
    }

    /** The spools with the material of their variant and the type of their material; what is unknown is refused later. */
    private static List<MaterialInstance> withDerivedMaterials(Tables tables, Tx tx, List<MaterialInstance> spools) {
        List<MaterialInstance> ofMaterials =
                with(tables.of(MaterialVariant.class), tx, spools, MaterialInstance::variantId, MaterialInstance::withParent);
        List<MaterialInstance> complete =
                with(tables.of(Material.class), tx, ofMaterials, MaterialInstance::materialId, MaterialInstance::withParent);
        if (complete.stream()
                .anyMatch(spool ->
                        spool.variantId() == null && spool.materialId() == null && spool.materialType() == null)) {
            throw ProblemException.invalid(
                    "materialType", "required", "one of variantId, materialId and materialType is required");
        }
        return complete;
    }

    /** The spools with what each takes over from the record that it names by {@code id}. */
    private static <R> List<MaterialInstance> with(
            Table<R> table,
            Tx tx,
            List<MaterialInstance> spools,
            Function<MaterialInstance, @Nullable String> id,
            BiFunction<MaterialInstance, R, MaterialInstance> taken) {
        Map<String, R> named = table.findAll(
                tx, spools.stream().map(id).filter(Objects::nonNull).collect(Collectors.toSet()));
        return spools.stream()
                .map(spool -> {
                    R record = named.get(id.apply(spool));
                    return record == null ? spool : taken.apply(spool, record);
                })
                .toList();
    }
}
