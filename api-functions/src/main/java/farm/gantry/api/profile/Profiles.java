package farm.gantry.api.profile;

import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.api.store.Tables;
import farm.gantry.profile.Profile;
import io.micronaut.http.annotation.Controller;

/** A slicer's settings; those that a record of the farm names stay. */
@Controller("/v1/profiles")
final class Profiles extends ResourceRoutes<Profile> {
    Profiles(Tables tables, ProfileSettings settings) {
        super(tables.resource(Profile.class, "profile")
                .checkedBy(settings::checked)
                .followedBy(settings::follow));
    }
}
