package farm.gantry.api.sku;

import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.sku.SkuOptionValueFilter;
import io.micronaut.http.annotation.Controller;

/** Which values SKUs are sold with, where not with all of their options. */
@Controller("/v1/sku-option-value-filters")
final class SkuOptionValueFilters extends ResourceRoutes<SkuOptionValueFilter> {
    SkuOptionValueFilters(ResourceFactory factory, SkuOptionChecks checks) {
        super(factory.of(SkuOptionValueFilter.class, "filter of option values").checkedBy(checks::filter));
    }
}
