package farm.gantry.api.material;

import farm.gantry.api.profile.SlicerBundles;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.profile.Profile;
import io.micronaut.http.HttpResponse;
import io.micronaut.json.tree.JsonNode;
import org.jspecify.annotations.Nullable;

/** The routes of what is sliced for by a filament's profile: where that is a slicer's, it is one for filaments. */
abstract class FilamentRoutes<R> extends ResourceRoutes<R> {
    private final SlicerBundles bundles;

    FilamentRoutes(Resources<R> resources, SlicerBundles bundles) {
        super(resources);
        this.bundles = bundles;
    }

    @Override
    public HttpResponse<R> create(Caller caller, JsonNode body) {
        return super.create(caller, validate(body));
    }

    @Override
    protected Resources.ChangeRule<R> rule(Caller caller, @Nullable JsonNode update) {
        if (update != null) {
            validate(update);
        }
        return super.rule(caller, update);
    }

    private JsonNode validate(JsonNode body) {
        return bundles.validate(body, "filamentSystemProfileId", Profile.Type.filament);
    }
}
