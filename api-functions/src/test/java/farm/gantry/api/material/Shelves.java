package farm.gantry.api.material;

import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.material.Shelf;
import io.micronaut.http.annotation.Controller;

/** The routes of a test resource; their path has no version, because they are not in the API's description. */
@Controller("/example/shelves")
final class Shelves extends ResourceRoutes<Shelf> {
    Shelves(ResourceFactory factory) {
        super(factory.of(Shelf.class, "shelf"));
    }
}
