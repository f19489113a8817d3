package farm.gantry.api.sku;

import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.sku.SkuOptionPropertyValue;
import io.micronaut.http.annotation.Controller;

/** The values of properties for each option value. */
@Controller("/v1/sku-option-property-values")
final class SkuOptionPropertyValues extends ResourceRoutes<SkuOptionPropertyValue> {
    SkuOptionPropertyValues(ResourceFactory factory, SkuOptionChecks checks) {
        super(factory.of(SkuOptionPropertyValue.class, "value of a property of SKU options")
                .checkedBy(checks::checkPropertyValue));
    }
}
