package farm.gantry.api.material;

import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.material.Shelf;
import io.micronaut.http.annotation.Controller;

/** The routes of a plain resource; their path has no version, as no description names them. */
@Controller("/example/shelves")
final class Shelves extends ResourceRoutes<Shelf> {
    Shelves(ResourceFactory factory) {
        super(factory.of(Shelf.class, "shelf"));
    }
}
