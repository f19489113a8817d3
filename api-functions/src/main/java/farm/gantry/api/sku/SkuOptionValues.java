package farm.gantry.api.sku;

import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.sku.SkuOptionValue;
import io.micronaut.http.annotation.Controller;

/** The values of options. */
@Controller("/v1/sku-option-values")
final class SkuOptionValues extends ResourceRoutes<SkuOptionValue> {
    SkuOptionValues(ResourceFactory factory, SkuOptionChecks checks) {
        super(factory.of(SkuOptionValue.class, "value of a SKU option").checkedBy(checks::checkOptionValue));
    }
}
