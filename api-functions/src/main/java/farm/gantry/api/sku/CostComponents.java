package farm.gantry.api.sku;

import farm.gantry.api.cost.SkuCostRows;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.sku.CostComponent;
import io.micronaut.http.annotation.Controller;

/** Costs of a unit of work, of overhead, or of material other than filament, which SKUs are made of. */
@Controller("/v1/cost-components")
final class CostComponents extends ResourceRoutes<CostComponent> {
    CostComponents(ResourceFactory factory, SkuCostRows costs) {
        super(factory.of(CostComponent.class, "cost component").followedBy((tx, _, _) -> costs.refreshAll(tx)));
    }
}
