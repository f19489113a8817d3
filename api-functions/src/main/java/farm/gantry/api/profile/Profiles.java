package farm.gantry.api.profile;

import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.profile.Profile;
import io.micronaut.http.annotation.Controller;

/** Slicer profiles; one that a record refers to cannot be deleted. */
@Controller("/v1/profiles")
final class Profiles extends ResourceRoutes<Profile> {
    Profiles(ResourceFactory factory, ProfileSettings settings, ProfileChanges changes) {
        super(factory.of(Profile.class, "profile")
                .checkedInTurnBy(settings::checked)
                .followedBy((tx, before, after) -> {
                    changes.follow(tx);
                    settings.follow(tx, before, after);
                }));
    }
}
