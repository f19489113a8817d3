package farm.gantry.api.sku;

import farm.gantry.api.cost.SkuCostRows;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.sku.CostComponent;
import io.micronaut.http.annotation.Controller;

/** The routes of cost components: the costs of work, overhead or material other than filament that SKUs consist of. */
@Controller("/v1/cost-components")
final class CostComponents extends ResourceRoutes<CostComponent> {
    CostComponents(ResourceFactory factory, SkuCostRows costs) {
        super(factory.of(CostComponent.class, "cost component").followedBy((tx, _, _) -> costs.refreshAll(tx)));
    }
}
