package farm.gantry.api.profile;

import farm.gantry.Permission;
import farm.gantry.api.Caller;
import farm.gantry.api.Needs;
import farm.gantry.api.Problem;
import farm.gantry.ingest.bundle.SystemProfile;
import farm.gantry.profile.Profile;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The profiles that installed slicers bring along; none where there is no slicer. */
@Controller("/v1/system-profiles")
@ExecuteOn(TaskExecutors.BLOCKING)
final class SystemProfiles {
    private final SlicerBundles bundles;
    private final ProfileSettings settings;

    SystemProfiles(SlicerBundles bundles, ProfileSettings settings) {
        this.bundles = bundles;
        this.settings = settings;
    }

    /** {@code id} is what {@code …SystemProfileId} fields hold; an upgrade of the slicer leaves it. */
    @Serdeable
    record Entry(long id, String name, Profile.Type type, String vendorName, String slicer) {
        static Entry of(SystemProfile profile) {
            return new Entry(profile.id(), profile.name(), profile.type(), profile.vendorName(), profile.slicer());
        }
    }

    @Get
    @Needs(Permission.PROFILE_VIEW)
    List<Entry> list(
            Caller caller,
            @QueryValue @Nullable String type,
            @QueryValue @Nullable String slicer,
            @QueryValue @Nullable String vendorName) {
        return bundles.profiles(type == null ? null : type(type), slicer, vendorName).stream()
                .map(Entry::of)
                .toList();
    }

    private static Profile.Type type(String word) {
        try {
            return Profile.Type.valueOf(word);
        } catch (IllegalArgumentException e) {
            throw Problem.Invalid.of("type", "choice", "type must be process, filament or machine");
        }
    }

    /** The whole settings, with those it inherits. */
    @Get("/{id}")
    @Needs(Permission.PROFILE_VIEW)
    ProfileSettings.Whole get(Caller caller, long id) {
        return settings.of(bundles.all().find(id).orElseThrow(() -> Problem.NotFound.of("system profile")));
    }
}
