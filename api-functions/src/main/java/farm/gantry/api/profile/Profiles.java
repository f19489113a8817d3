package farm.gantry.api.profile;

import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.profile.Profile;
import io.micronaut.http.annotation.Controller;
import io.micronaut.json.tree.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Slicer profiles; one that a record refers to cannot be deleted. */
@Controller("/v1/profiles")
final class Profiles extends ResourceRoutes<Profile> {
    Profiles(ResourceFactory factory, ProfileResolver settings, ProfileChangeListener changes) {
        super(factory.of(Profile.class, "profile")
                .checkedInTurnBy(settings::requireAcyclic)
                .followedBy((tx, before, after) -> {
                    changes.onChange(tx);
                    settings.onChange(tx, before, after);
                }));
    }

    /** A profile that others name for what it is stays that. */
    @Override
    protected Resources.ChangeRule<Profile> rule(Caller caller, @Nullable JsonNode update) {
        return (tx, before, profile) -> {
            if (profile.type() != before.type()) {
                resources.table().checkNotReferenced(tx, List.of(profile.id()));
            }
            return profile;
        };
    }
}
