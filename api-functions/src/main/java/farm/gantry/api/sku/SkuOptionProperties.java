package farm.gantry.api.sku;

import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.sku.SkuOptionProperty;
import io.micronaut.http.annotation.Controller;

/** Properties that are derived from the options of SKUs. */
@Controller("/v1/sku-option-properties")
final class SkuOptionProperties extends ResourceRoutes<SkuOptionProperty> {
    SkuOptionProperties(ResourceFactory factory, SkuOptionChecks checks, PropertyBindingChecks properties) {
        super(factory.of(SkuOptionProperty.class, "property of SKU options")
                .checkedBy(checks::checkProperty)
                .followedBy(properties::checkDeleted));
    }
}
