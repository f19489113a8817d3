package farm.gantry.api.sku;

import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.sku.SkuOption;
import io.micronaut.http.annotation.Controller;

/** The routes of the options that buyers choose for SKUs. */
@Controller("/v1/sku-options")
final class SkuOptions extends ResourceRoutes<SkuOption> {
    SkuOptions(ResourceFactory factory) {
        super(factory.of(SkuOption.class, "SKU option"));
    }
}
