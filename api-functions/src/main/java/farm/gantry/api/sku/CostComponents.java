package farm.gantry.api.sku;

import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.api.store.Costs;
import farm.gantry.sku.CostComponent;
import io.micronaut.http.annotation.Controller;

/** Costs per unit of SKUs other than filament. */
@Controller("/v1/cost-components")
final class CostComponents extends ResourceRoutes<CostComponent> {
    CostComponents(ResourceFactory factory, Costs costs) {
        super(factory.of(CostComponent.class, "cost component").followedBy((tx, _, _) -> costs.refreshAll(tx)));
    }
}
