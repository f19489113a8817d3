package farm.gantry.api.profile;

import farm.gantry.Permission;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.profile.Profile;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;

/** The store's profiles with inheritance resolved, as a slicer gets them. */
@Controller("/v1/profiles/{id}/resolved")
@Blocking
final class ResolvedProfiles {
    private final Table<Profile> profiles;
    private final Database database;
    private final ProfileResolver settings;

    ResolvedProfiles(Tables tables, Database database, ProfileResolver settings) {
        this.profiles = tables.of(Profile.class);
        this.database = database;
        this.settings = settings;
    }

    /** Returns the settings of a profile merged over those of its ancestors. */
    @Get
    @RequiresPermission(Permission.PROFILE_VIEW)
    ProfileResolver.ResolvedProfile get(Caller caller, String id) {
        return database.in(
                caller,
                tx -> settings.resolve(
                        tx,
                        profiles.find(tx, Resources.parseId(id))
                                .orElseThrow(() -> ProblemException.notFound("profile"))));
    }
}
