package farm.gantry.api.sku;

import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.sku.SkuOptionBinding;
import io.micronaut.http.annotation.Controller;

/** The options that SKUs are sold with. */
@Controller("/v1/sku-option-bindings")
final class SkuOptionBindings extends ResourceRoutes<SkuOptionBinding> {
    SkuOptionBindings(ResourceFactory factory, SkuOptionChecks checks, PropertyBindingChecks properties) {
        super(factory.of(SkuOptionBinding.class, "option of a SKU")
                .checkedInTurnBy(checks::checkBinding)
                .followedBy((tx, before, _) -> properties.checkOptionsUnused(
                        tx, before.stream().map(SkuOptionBinding::skuId).toList())));
    }
}
