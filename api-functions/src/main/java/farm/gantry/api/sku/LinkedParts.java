package farm.gantry.api.sku;

import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.sku.LinkedPart;
import io.micronaut.http.annotation.Controller;

/** The parts of SKUs, and linked parts without a SKU. */
@Controller("/v1/linked-parts")
final class LinkedParts extends ResourceRoutes<LinkedPart> {
    LinkedParts(LinkedPartService ofSkus) {
        super(ofSkus.resource());
    }
}
