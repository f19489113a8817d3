package farm.gantry.api.sku;

import farm.gantry.Permission;
import farm.gantry.api.cost.CostBreakdown;
import farm.gantry.api.cost.SkuCostRows;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.sku.Sku;
import farm.gantry.sku.SkuCost;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.util.stream.Stream;

/** The amounts of cost components per SKU, and a SKU's cost breakdown. */
@Controller("/v1/sku-costs")
final class SkuCosts extends ResourceRoutes<SkuCost> {
    private final Table<Sku> skus;
    private final Database database;
    private final SkuCostRows costs;

    SkuCosts(ResourceFactory factory, Tables tables, Database database, SkuCostRows costs) {
        super(factory.of(SkuCost.class, "SKU cost")
                .followedBy((tx, before, after) -> costs.refresh(
                        tx,
                        Stream.concat(before.stream(), after.stream())
                                .map(SkuCost::skuId)
                                .toList())));
        this.skus = tables.of(Sku.class);
        this.database = database;
        this.costs = costs;
    }

    /** Returns the cost of a SKU by filament and component, in cents. */
    @Get("/breakdown/{skuId}")
    @RequiresPermission(Permission.SKU_VIEW)
    CostBreakdown breakdown(Caller caller, String skuId) {
        return database.in(caller, tx -> {
            Sku sku = skus.find(tx, Resources.parseId(skuId)).orElseThrow(() -> ProblemException.notFound("SKU"));
            return costs.breakdown(tx, skuId, sku.totalCogs());
        });
    }
}
