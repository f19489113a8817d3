package farm.gantry.api.cost;

import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.cost.CostCorrection;
import io.micronaut.http.annotation.Controller;

/** The routes of corrections to the rates of finished prints. */
@Controller("/v1/cost-corrections")
final class CostCorrections extends ResourceRoutes<CostCorrection> {
    CostCorrections(ResourceFactory factory) {
        super(factory.of(CostCorrection.class, "cost correction"));
    }
}
