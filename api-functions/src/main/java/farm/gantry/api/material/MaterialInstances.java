package farm.gantry.api.material;

import farm.gantry.api.error.ProblemException;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.material.Material;
import farm.gantry.material.MaterialInstance;
import farm.gantry.material.MaterialVariant;
import io.micronaut.http.annotation.Controller;
import java.util.Arrays;
import java.util.Optional;

/** Spools; each is of a variant, of a material, or at least of a type. */
@Controller("/v1/materials/instances")
final class MaterialInstances extends ResourceRoutes<MaterialInstance> {

    MaterialInstances(ResourceFactory factory, Tables tables, LoadedFilaments loaded) {
        super(factory.of(MaterialInstance.class, "material instance")
                .lockedBy((tx, _) -> loaded.lock(tx))
                .checkedBy((tx, spool) -> complete(tables, tx, spool))
                .followedBy((tx, before, after) -> loaded.follow(
                        tx,
                        before,
                        after,
                        spool -> Arrays.asList(
                                spool.id(), spool.variantId(), spool.materialId(), spool.materialType()))));
    }

    /** The spool with the material of its variant and the type of its material; what is unknown is refused later. */
    private static MaterialInstance complete(Tables tables, Tx tx, MaterialInstance spool) {
        MaterialInstance ofMaterial = Optional.ofNullable(spool.variantId())
                .flatMap(id -> tables.of(MaterialVariant.class).find(tx, id))
                .map(spool::of)
                .orElse(spool);
        MaterialInstance complete = Optional.ofNullable(ofMaterial.materialId())
                .flatMap(id -> tables.of(Material.class).find(tx, id))
                .map(ofMaterial::of)
                .orElse(ofMaterial);
        if (complete.variantId() == null && complete.materialId() == null && complete.materialType() == null) {
            throw ProblemException.invalid(
                    "materialType", "required", "one of variantId, materialId and materialType is required");
        }
        return complete;
    }
}
