package farm.gantry.api.profile;

import farm.gantry.Permission;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.query.InMemory;
import farm.gantry.api.query.SearchRequest;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.resource.InMemoryLists;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.ingest.bundle.SystemProfile;
import farm.gantry.profile.Profile;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/** The profiles of the installed slicers; empty without a slicer. */
@Controller("/v1/system-profiles")
@Blocking
final class SystemProfiles {
    private final SlicerBundles bundles;
    private final ProfileResolver settings;
    private final InMemoryLists lists;

    SystemProfiles(SlicerBundles bundles, ProfileResolver settings, InMemoryLists lists) {
        this.bundles = bundles;
        this.settings = settings;
        this.lists = lists;
    }

    /** {@code id} is the value of {@code …SystemProfileId} fields; it is stable over upgrades of the slicer. */
    @Serdeable
    @InMemory(order = {"slicer", "vendorName", "type", "name", "id"})
    record Entry(long id, String name, Profile.Type type, String vendorName, String slicer) {
        static Entry of(SystemProfile profile) {
            return new Entry(profile.id(), profile.name(), profile.type(), profile.vendorName(), profile.slicer());
        }
    }

    @Get
    @RequiresPermission(Permission.PROFILE_VIEW)
    HttpResponse<List<Entry>> list(Caller caller, HttpRequest<?> request) {
        return lists.list(caller, request, Entry.class, all());
    }

    @Post("/search")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.PROFILE_VIEW)
    HttpResponse<SearchResponse<Entry>> search(
            Caller caller, HttpRequest<?> request, @Body @BodyType(SearchRequest.class) JsonNode body) {
        return lists.search(caller, request, body, Entry.class, all());
    }

    private List<Entry> all() {
        return bundles.all().profiles().stream().map(Entry::of).toList();
    }

    /** Returns the settings of a slicer's profile, including inherited ones. */
    @Get("/{id}")
    @RequiresPermission(Permission.PROFILE_VIEW)
    ProfileResolver.ResolvedProfile get(Caller caller, long id) {
        return settings.resolve(bundles.all().find(id).orElseThrow(() -> ProblemException.notFound("system profile")));
    }
}
