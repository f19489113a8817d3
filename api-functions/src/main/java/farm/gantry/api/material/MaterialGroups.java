package farm.gantry.api.material;

import farm.gantry.api.cost.SkuCostRows;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.material.MaterialGroup;
import io.micronaut.http.annotation.Controller;

/** Groups of variants that stand in for each other; their members go with them. */
@Controller("/v1/materials/groups")
final class MaterialGroups extends ResourceRoutes<MaterialGroup> {
    MaterialGroups(ResourceFactory factory, SkuCostRows costs, MaterialReferenceChecks known) {
        super(factory.of(MaterialGroup.class, "material group").followedBy((tx, before, after) -> {
            known.checkDeleted(tx, before, after, MaterialGroup::id);
            if (!before.isEmpty()) {
                costs.refreshAll(tx);
            }
        }));
    }
}
