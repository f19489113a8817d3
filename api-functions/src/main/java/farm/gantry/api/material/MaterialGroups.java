package farm.gantry.api.material;

import farm.gantry.api.cost.SkuCostRows;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.material.MaterialGroup;
import io.micronaut.http.annotation.Controller;

/** The routes of groups of interchangeable variants. Members are deleted with their group. */
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
