package farm.gantry.api.part;

import farm.gantry.api.resource.ReadRoutes;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.part.PartMaterialAssignment;
import io.micronaut.http.annotation.Controller;

/** The routes that read the materials that parts may be printed with. They are changed with the part. */
@Controller("/v1/part-material-assignments")
final class PartMaterialAssignments extends ReadRoutes<PartMaterialAssignment> {
    PartMaterialAssignments(ResourceFactory factory) {
        super(factory.of(PartMaterialAssignment.class, "part material assignment"));
    }
}
