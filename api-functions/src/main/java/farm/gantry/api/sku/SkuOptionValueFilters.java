package farm.gantry.api.sku;

import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.sku.SkuOptionValueFilter;
import io.micronaut.http.annotation.Controller;

/** The option values that a SKU is restricted to. */
@Controller("/v1/sku-option-value-filters")
final class SkuOptionValueFilters extends ResourceRoutes<SkuOptionValueFilter> {
    SkuOptionValueFilters(ResourceFactory factory, SkuOptionChecks checks) {
        super(factory.of(SkuOptionValueFilter.class, "filter of option values").checkedBy(checks::checkFilter));
    }
}
