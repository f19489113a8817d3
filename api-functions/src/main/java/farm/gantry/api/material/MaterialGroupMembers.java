package farm.gantry.api.material;

import farm.gantry.api.cost.SkuCostRows;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.material.MaterialGroupMember;
import io.micronaut.http.annotation.Controller;

/** The routes of the variants in groups. */
@Controller("/v1/materials/group-members")
final class MaterialGroupMembers extends ResourceRoutes<MaterialGroupMember> {
    MaterialGroupMembers(ResourceFactory factory, SkuCostRows costs) {
        super(factory.of(MaterialGroupMember.class, "material group member")
                .followedBy((tx, _, _) -> costs.refreshAll(tx)));
    }
}
